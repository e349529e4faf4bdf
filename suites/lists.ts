import { oneOfEachKind } from '../helpers/adaptation/invoice-variants.ts';
import { alone } from '../helpers/adaptation/isolated-action.ts';
import { dressed } from '../helpers/adaptation/maximal-request.ts';
import { ownEnvironment } from '../helpers/api/environment-header.ts';
import { type ListQuery, list, readInvoice } from '../helpers/api/operations.ts';
import { accepted, isShown } from '../helpers/api/response-status.ts';
import {
  createdMilliseconds,
  dueDay,
  type InvoiceRecord,
  invoiceFields,
  inWords,
  recordsIn,
} from '../helpers/api/responses.ts';
import { expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { expectCalm } from '../helpers/assert/stable-total.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import { wasRefusedOn } from '../helpers/context/action-history.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { expectStayed } from '../helpers/controls/spontaneous-change.ts';
import { longAgo } from '../helpers/data/due-dates.ts';
import { perform } from '../helpers/invoices/acting-party.ts';
import { expectInFront, lookListed, lookUntil, newest, recent } from '../helpers/invoices/find-invoice.ts';
import {
  freshInvoice,
  type Invoice,
  keepTrack,
  operationsTo,
  reach,
  whereReachable,
} from '../helpers/invoices/invoices.ts';
import { asPage, deepPageOf, pageOf, totalOf } from '../helpers/invoices/list-page.ts';
import { isOfOthers } from '../helpers/lists/foreign-invoices.ts';
import { oneOfEachState } from '../helpers/lists/invoice-of-each-state.ts';
import { expectNoListDefect } from '../helpers/lists/list-control.ts';
import { expectListedAsRead } from '../helpers/lists/listed-as-read.ts';
import { expectWalk } from '../helpers/lists/newest-first-walk.ts';
import { expectNoRepetition, MOST_PAGES, walkPages } from '../helpers/lists/page-walk.ts';
import { afterCreations, aroundCreations, meanwhileUnmoved } from '../helpers/lists/snapshot.ts';
import type { ActorName } from '../specs/target.ts';

/** So far behind that no sandbox has it. */
const FAR_PAGE = 1_000_000;
const BY_CREATION = { sortBy: 'createdAt', sortOrder: 'desc' } as const;

const FEW = 5;
/** Others may delete invoices between the count and the page. */
const SLACK = 5;

const ORDERS = [
  ['createdAt', 'desc'],
  ['createdAt', 'asc'],
  ['status', 'desc'],
  ['currency', 'desc'],
  ['dueDate', 'desc'],
  ['dueDate', 'asc'],
  ['amount', 'desc'],
] as const;

const MOST = 100;

/** What an order leaves out is missing on the last page. By which fields a list may be sorted, and how deep it goes, is not shown. */
async function expectRestOnLastPage(lab: Lab, order: (typeof ORDERS)[number], last: number): Promise<void> {
  const [sortBy, sortOrder] = order;
  const answer = await list(lab, { page: last, limit: MOST, sortBy, sortOrder });
  if (!isShown(answer)) return;
  const { total, totalPages, page, records } = asPage(answer);
  if (page !== last || totalPages !== last + 1) return;
  const left = total - last * MOST;
  const expected = `${left} records on page ${last}, the last one of ${total} records`;
  expectThat(lab, records.length === left, answer, expected, `there are ${records.length}`);
}

/** Another key's second page is not its first one over again; false where there is too little to tell. */
async function expectOtherPage(lab: Lab, name: ActorName): Promise<boolean> {
  for (const limit of [FEW, 4 * FEW, 10 * FEW]) {
    const ask = (page: number) => list(lab, { ...BY_CREATION, limit, page }, { as: lab.who(name) });
    const answers = [await ask(0), await ask(1)] as const;
    if (answers.some((answer) => !isShown(answer))) return false;
    const [first, second] = [asPage(answers[0]), asPage(answers[1])];
    // Behind the end a server may show its last page again.
    if (first.totalPages < 2 || second.records.length < limit) return false;
    // In which order invoices of one moment stand, and whether they keep it, is not shown: then larger pages may tell.
    const moments = new Set([...first.records, ...second.records].map(createdMilliseconds));
    if (moments.size === 1) continue;
    const known = new Set(first.records.map(({ id }) => id));
    const again = second.records.every(({ id }) => known.has(id));
    expectThat(lab, !again, second.answer, `other records on page 1 than on page 0 for ${name}`, 'they are the same');
    return true;
  }
  return false;
}

/** Throws NotApplicable where others stand among the newest invoices: whatever else is made may come of a creation. */
async function expectNoCompanions(lab: Lab, made: readonly Invoice[]): Promise<void> {
  const own = new Set(made.map(({ id }) => id));
  const ids = (await newest(lab)).records.map(({ id }) => String(id));
  const since = ids.slice(0, ids.findLastIndex((id) => own.has(id)) + 1);
  const [other] = since.filter((id) => !own.has(id));
  if (other !== undefined) notApplicable(`invoice ${other} came along with those that the kit made`);
}

/** The control for an invoice on which an action was refused: throws NotApplicable when a new one in the same state is listed rightly. */
async function expectNewMislisted(lab: Lab, { id, state }: Invoice): Promise<void> {
  const other = await reach(lab, state);
  const shows = ({ records }: { records: InvoiceRecord[] }) =>
    records.some((record) => String(record.id) === other.id && record.status === state);
  if (shows(await pollUntil(lab, recent(lab), shows)))
    notApplicable(
      `an action on invoice ${id} was refused, and a new ${state} invoice is listed rightly; LIFE-02 judges that`,
    );
}

/** A list shows what belongs to its organization, also where it is unlike most others. */
async function expectKindsListed(lab: Lab, name: 'seller' | 'buyer'): Promise<void> {
  const { kinds } = await oneOfEachKind(lab);
  // Whether the buyer sees drafts is not shown.
  const own = name === 'seller' ? kinds : kinds.filter(({ invoice }) => invoice.state !== 'DRAFT');
  const isIn = (records: InvoiceRecord[], id: string) => records.some((record) => String(record.id) === id);
  const notIn = (records: InvoiceRecord[]) => own.find(({ invoice }) => !isIn(records, invoice.id));
  const { records, answer } = await pollUntil(lab, recent(lab, name), (seen) => !notIn(seen.records));
  if (!own.some(({ invoice }) => isIn(records, invoice.id)))
    notApplicable(`the list of the ${name} shows none of them`);
  const absent = notIn(records);
  if (!absent) return;
  const { what, invoice } = absent;
  await expectInFront(lab, invoice, records);
  expectThat(lab, false, answer, `invoice ${invoice.id}, ${what}, in the list of the ${name}`, 'it is not there');
}

/** In milliseconds: what has not shown by then is taken to stay hidden. */
const BUYER_SEES_WITHIN_MS = 1500;

/** The buyer's key may list nothing: another check judges that. */
function onlyBlocked(error: unknown): null {
  if (error instanceof Error && error.name === 'Blocked') return null;
  throw error;
}

const BY_DUE_DATE = { sortBy: 'dueDate', sortOrder: 'desc' } as const;
const FEWEST_A_PAGE = 2;
/** Made around each look, and some more that others may make meanwhile. */
const ROOM = 12;

/** How long pages have to be for a short walk from the latest due date to the new invoices: other runs leave some that are due later. */
async function limitAmongDue(lab: Lab, dueDate: string): Promise<number> {
  const ours = Number(dueDate.replaceAll('-', ''));
  let before = 0;
  for (let page = 0; ; page += 1) {
    const answer = await list(lab, { ...BY_DUE_DATE, page, limit: MOST });
    if (page === 0 && answer.status === 400) notApplicable('sorting by dueDate is refused; only createdAt is shown');
    const due = recordsIn(answer).filter((record) => dueDay(record) >= ours).length;
    before += due;
    const limit = Math.max(FEWEST_A_PAGE, Math.ceil((before + ROOM) / MOST_PAGES));
    if (limit > MOST) return notApplicable(`more than ${before} other invoices of this sandbox are due as late`);
    if (due < MOST) return limit;
  }
}

/** Names by which other interfaces select what they list, and say for whom they ask. */
const SCOPES = ['organizationId', 'sellerOrganizationId', 'sellerId', 'buyerOrganizationId'] as const;
const SESSION_HEADERS = ['X-Organization-Id', 'X-Org-Id', 'X-Tenant-Id'] as const;

export const lists: readonly Check[] = [
  checkIn('late', 'LIST-02.counts-creations', ['connection'], async (lab) => {
    await expectNoListDefect(lab, 'LIST-02.counts-creations');
    await aroundCreations(lab, {
      before: async () => {
        await list(lab, { page: 1, limit: 1 });
        return await totalOf(lab);
      },
      after: async (made, before) => {
        const { length } = made;
        // A later page may be of a cursor that was opened before.
        for (const page of [1, 0]) {
          const { answer, total } = await pageOf(lab, { page, limit: 1 });
          if (total > before + length) await expectNoCompanions(lab, made);
          const expected = `total ${before + length} after ${length} creations on top of ${before}`;
          expectThat(lab, total === before + length, answer, expected, `it is ${total}`);
        }
      },
    });
  }),

  checkIn('late', 'LIST-02.any-order', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const total = await totalOf(lab);
      const orders = invoiceFields.map((sortBy) => ({ sortBy, sortOrder: 'desc' }));
      const asked = [...orders, { sortBy: 'createdAt', sortOrder: 'asc' }].map((order) =>
        list(lab, { page: 0, limit: 1, ...order }),
      );
      // Whether one may sort by it is judged elsewhere.
      for (const answer of (await Promise.all(asked)).filter(isShown)) {
        const sorted = asPage(answer).total;
        expectThat(lab, sorted === total, answer, `total ${total}, as without an order`, `it is ${sorted}`);
      }
    }),
  ),

  checkIn('late', 'LIST-02.last-page', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const limit = 7;
      const first = await pageOf(lab, { page: 0, limit });
      if (first.total === 0) notApplicable('there are no invoices');
      const last = await deepPageOf(lab, { page: Math.ceil(first.total / limit) - 1, limit });
      if (!last) return notApplicable(`the last of ${first.total} records are too far back for this server`);
      const left = last.total - last.page * limit;
      const because = `page ${last.page} of total ${last.total} with limit ${limit} holds ${last.records.length} records`;
      expectThat(lab, last.records.length === left, last.answer, `${left} records on the last page`, because);
    }),
  ),

  checkIn('late', 'LIST-02.full-last-page', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const { total } = await pageOf(lab, { page: 0, limit: 1 });
      if (total === 0) notApplicable('there are no invoices');
      // The largest limit of which the total is an exact multiple; 1 divides every total.
      const limit = Array.from({ length: 100 }, (_, at) => 100 - at).find((each) => total % each === 0) ?? 1;
      const last = await deepPageOf(lab, { page: total / limit - 1, limit });
      if (!last) return notApplicable(`the last of ${total} records are too far back for this server`);
      const because = `page ${last.page} of total ${last.total} with limit ${limit} holds ${last.records.length} records`;
      const full = last.records.length === limit || last.total !== total;
      expectThat(lab, full, last.answer, `${limit} records on the last page`, because);
    }),
  ),

  // Late: what is said of an empty sandbox holds of any page.
  checkIn('late', 'LIST-03.exact-multiple', ['seller'], async (lab) => {
    const { answer, total, totalPages } = await pageOf(lab, { page: 0, limit: 1 });
    if (total === 0) notApplicable('there are no invoices');
    expectThat(
      lab,
      totalPages === total,
      answer,
      `totalPages ${total} for total ${total} and limit 1`,
      `it is ${totalPages}`,
    );
  }),

  checkIn('late', 'LIST-03.remainder', ['seller'], async (lab) => {
    const total = await totalOf(lab);
    const limit = [7, 8, 9, 11, 13].find((each) => total % each !== 0) ?? 17;
    const seen = await pageOf(lab, { page: 0, limit });
    const right = Math.ceil(seen.total / limit);
    expectThat(
      lab,
      seen.totalPages === right || seen.total === 0,
      seen.answer,
      `totalPages ${right} for total ${seen.total} and limit ${limit}`,
      `it is ${seen.totalPages}`,
    );
  }),

  checkIn('late', 'LIST-04.first-is-zero', ['connection'], async (lab) => {
    await expectNoListDefect(lab, 'LIST-04.first-is-zero');
    await afterCreations(lab, async (made) => {
      const answer = await list(lab, { page: 0, limit: 50, ...BY_CREATION });
      expectThat(lab, isShown(answer), answer, 'the first page', `answered with ${answer.status}`);
      const ids = recordsIn(answer).map(({ id }) => String(id));
      const absent = made.find(({ id }) => !ids.includes(id));
      if (absent) await expectInFront(lab, absent, recordsIn(answer));
      expectThat(
        lab,
        !absent,
        answer,
        'the newest invoices on page 0',
        `invoice ${absent?.id}, created a moment ago, is not there`,
      );
    });
  }),

  checkIn('late', 'LIST-04.second-is-one', ['connection'], (lab) => expectWalk(lab, { limit: 4, ...BY_CREATION })),

  // Late: what counts no further than some hundreds counts the first of them right.
  checkIn('late', 'LIST-02.nothing-behind', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const { total, totalPages } = await pageOf(lab, { page: 0, limit: 100, ...BY_CREATION });
      if (totalPages < 1) return notApplicable('there is nothing to count');
      const last = await pageOf(lab, { page: totalPages - 1, limit: 100, ...BY_CREATION });
      const answer = await list(lab, { page: totalPages, limit: 100, ...BY_CREATION });
      if (!accepted(answer)) return;
      const behind = asPage(answer);
      if (behind.total !== total || last.total !== total)
        return notApplicable('somebody else creates or deletes invoices');
      const known = new Set(last.records.map(({ id }) => id));
      const more = behind.records.filter(({ id }) => !known.has(id));
      const because = `page ${totalPages} holds ${more.length} more, such as ${String(more[0]?.id)}`;
      const none = more.length === 0 || behind.page < totalPages;
      expectThat(lab, none, answer, `no records behind the ${total} that total counts`, because);
    }),
  ),

  checkIn('late', 'LIST-04.page-alone', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const first = await pageOf(lab, BY_CREATION);
      if (first.totalPages < 2) notApplicable('there is one page only');
      const second = await pageOf(lab, { ...BY_CREATION, page: 1 });
      const known = new Set(first.records.map(({ id }) => id));
      // Some may stand on both where their order is not kept; all of them do where the page was not looked at.
      const again = second.records.length > 0 && second.records.every(({ id }) => known.has(id));
      expectThat(lab, !again, second.answer, 'other records on page 1 than on page 0', 'they are the same');
    }),
  ),

  checkIn('late', 'LIST-04.ascending', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const query = { limit: 5, sortBy: 'createdAt', sortOrder: 'asc' };
      const answers = [await list(lab, { ...query, page: 0 }), await list(lab, { ...query, page: 1 })];
      if (!answers.every(accepted)) notApplicable('lists in ascending order are not served');
      const [first, second] = answers.map(asPage);
      if (!first || !second) return;
      const known = new Set(first.records.map(({ id }) => id));
      const again = second.records.length > 0 && second.records.every(({ id }) => known.has(id));
      // Those of one moment may stand in any order, and in another one each time: only the last of page 0 can go on.
      const goesOn = second.records.every(({ createdAt }) => createdAt === first.records.at(-1)?.createdAt);
      if (again && goesOn) notApplicable('the oldest invoices are of one moment');
      expectThat(lab, !again, second.answer, 'other records on page 1 than on page 0', 'they are the same');
    }),
  ),

  checkIn('late', 'LIST-04.every-key', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const names = lab.known('buyer', 'readOnly', 'production', 'outsider');
      const told = await Promise.all(names.map((name) => expectOtherPage(lab, name)));
      if (!told.includes(true)) notApplicable('no other key lists invoices of several moments on two pages');
    }),
  ),

  checkIn('late', 'LIST-04.past-the-end', ['seller'], async (lab) => {
    const { totalPages, total } = await pageOf(lab, { page: 0, limit: 50 });
    for (const page of [totalPages + 50, FAR_PAGE]) {
      const answer = await list(lab, { page, limit: 50 });
      lab.observe('page-past-end', answer.status);
      // Not to be there is a refusal that fits a page, too.
      if (!isShown(answer)) {
        expectRefused(lab, answer, [400, 404]);
        continue;
      }
      const { records, page: served, limit, total: told } = asPage(answer);
      const because = `it holds ${records.length}`;
      expectThat(lab, records.length === 0 || served < page, answer, `no records on page ${page}`, because);
      const other = records.length === 0 && served !== page && served * limit < told;
      const empty = `it tells page ${served}, of ${told} records, and holds none`;
      expectThat(lab, !other, answer, `page ${page}, or the records of page ${served}`, empty);
      const counted = told > 0 || total === 0;
      expectThat(lab, counted, answer, `the total number of records, which was ${total} on page 0`, `it is ${told}`);
    }
  }),

  // Late, where there are so many invoices that a page could hold them.
  checkIn('late', 'LIST-05.applied', ['seller'], async (lab) => {
    lab.observe('default-limit', (await pageOf(lab, {})).limit);
    for (const limit of [1, 2, 5, 50, 99, 100]) {
      const { answer, total, limit: applied, records } = await pageOf(lab, { page: 0, limit });
      expectThat(lab, applied === limit, answer, `limit ${limit}`, `the envelope says ${applied}`);
      const full = total < limit + SLACK || records.length === limit;
      expectThat(lab, full, answer, `${limit} records of ${total}`, `there are ${records.length}`);
    }
    // Nor is a later page shorter for what its order has in common with the page before.
    await Promise.all(
      ORDERS.map(async ([sortBy, sortOrder]) => {
        const limit = 7;
        const answer = await list(lab, { page: 1, limit, sortBy, sortOrder });
        // By which fields a list may be sorted is judged elsewhere.
        if (!isShown(answer)) return;
        const { total, page, records } = asPage(answer);
        const full = page !== 1 || total < 2 * limit + SLACK || records.length === limit;
        expectThat(lab, full, answer, `${limit} records on page 1 of ${total}`, `there are ${records.length}`);
      }),
    );
  }),

  check('LIST-05.maximum', ['seller'], async (lab) => {
    const answer = await list(lab, { page: 0, limit: 100 });
    expectThat(lab, isShown(answer), answer, 'a page of up to 100', `answered with ${inWords(answer)}`);
    expectThat(lab, asPage(answer).limit === 100, answer, 'limit 100', `the envelope says ${asPage(answer).limit}`);
  }),

  check('LIST-05.limit-alone', ['seller'], async (lab) => {
    const { answer, limit, records } = await pageOf(lab, { limit: 3 });
    const because = `limit ${limit} with ${records.length} records`;
    expectThat(lab, limit === 3 && records.length <= 3, answer, 'at most 3 records, and limit 3', because);
  }),

  // Late, where there are more invoices than a page may hold; the envelope is judged on every list of the run.
  checkIn('late', 'LIST-05.default', ['seller'], async (lab) => {
    const answer = await list(lab);
    expectThat(lab, isShown(answer), answer, 'a list', `answered with ${answer.status}`);
    const { records, limit, page, total } = asPage(answer);
    const because = `limit ${limit} with ${records.length} records`;
    expectThat(lab, records.length <= 100 && limit <= 100, answer, 'at most 100 records', because);
    const full = page !== 0 || total < limit + SLACK || records.length === limit;
    expectThat(lab, full, answer, `the ${limit} records of ${total} that the envelope speaks of`, because);
  }),

  checkIn('late', 'LIST-08.walk', ['connection'], (lab) => expectWalk(lab, { limit: 3, ...BY_CREATION })),

  checkIn('late', 'LIST-08.every-order', ['connection'], async (lab) => {
    // One that is overdue, and one in another currency, where that may be.
    await whereReachable(() => freshInvoice(lab, { dueDate: longAgo() }));
    await dressed(lab);
    await meanwhileUnmoved(lab, async () => {
      const { totalPages } = await pageOf(lab, { page: 0, limit: MOST });
      await Promise.all(ORDERS.map((order) => expectRestOnLastPage(lab, order, Math.max(0, totalPages - 1))));
    });
  }),

  checkIn('late', 'LIST-15.status', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const query = { sortBy: 'status', sortOrder: 'desc', limit: 3 } as const;
      const first = await list(lab, { ...query, page: 0 });
      if (first.status === 400) notApplicable('sorting by status is refused; only createdAt is shown');
      await expectNoRepetition(lab, query, 8);
    }),
  ),

  checkIn('late', 'LIST-15.due-date', ['connection'], (lab) => {
    return aroundCreations(lab, {
      before: async (dueDate) => ({ dueDate, limit: await limitAmongDue(lab, dueDate) }),
      after: async (made, { dueDate, limit }) => {
        if (made[0]?.body.dueDate !== dueDate) notApplicable(`invoices that are due on ${dueDate} are refused`);
        await walkPages(lab, { ...BY_DUE_DATE, limit }, made);
      },
    });
  }),

  check('LIST-09.own-seen', ['connection'], async (lab) => {
    await expectNoListDefect(lab, 'LIST-09.own-seen');
    const invoice = await freshInvoice(lab);
    const ask = () => lookListed(lab, invoice.id);
    const { record, answer } = await pollUntil(lab, ask, (seen) => seen.record !== null);
    const expected = `invoice ${invoice.id} in the list of the organization that created it`;
    expectThat(lab, record !== null, answer, expected, 'it is not there');
    if (!lab.target.actors.buyer) return;
    const shows = ({ records }: { records: readonly InvoiceRecord[] }) => records.some(({ id }) => id === invoice.id);
    const seen = await pollUntil(lab, recent(lab, 'buyer'), shows, BUYER_SEES_WITHIN_MS).catch(onlyBlocked);
    if (seen) lab.observe(invoice.state === 'DRAFT' ? 'buyer-sees-draft' : 'buyer-lists-invoice', shows(seen));
  }),

  // Late, where there is something to be seen.
  checkIn('late', 'LIST-09.scoped', ['seller', 'outsider'], async (lab) => {
    const asking = [
      ['seller', 'outsider'],
      ['outsider', 'seller'],
    ] as const;
    // Of parameters that are not declared: they may be refused, or heeded or not.
    for (const [who, other] of asking) {
      const own = lab.organization(who);
      const ask = (query: object, headers: [string, string][] = []) =>
        list(lab, { page: 0, limit: 100, ...query } as ListQuery, { as: lab.who(who), headers });
      const answers = [
        ...SCOPES.map((name) => ask({ [name]: lab.organization(other) })),
        // Nor does what a dashboard's session may say of itself.
        ask(
          {},
          SESSION_HEADERS.map((name) => [name, String(lab.organization(other))]),
        ),
      ];
      for (const answer of await Promise.all(answers)) {
        const foreign = accepted(answer) && recordsIn(answer).find((record) => isOfOthers(record, own));
        const because = foreign && `it shows an invoice of others: ${JSON.stringify(foreign)}`;
        expectThat(lab, !foreign, answer, `only invoices of organization ${own}`, String(because));
      }
    }
  }),

  checkIn('late', 'LIST-09.outsider-blind', ['connection', 'outsider'], (lab) => {
    const extra = { as: lab.who('outsider') };
    const outsiders = async () => asPage(await list(lab, { page: 0, limit: 100, ...BY_CREATION }, extra));
    // Naming the environment is another way through the gateway.
    const named = async () =>
      asPage(await list(lab, { page: 0, limit: 100, ...BY_CREATION }, { ...extra, headers: ownEnvironment }));
    // Another order may be another statement; those made meanwhile are due last.
    const ordered = async (sortBy: string) =>
      asPage(await list(lab, { page: 0, limit: 100, sortBy, sortOrder: 'desc' }, extra));
    return aroundCreations(lab, {
      before: async () => {
        const before = await outsiders();
        if (!isShown(before.answer)) notApplicable(`the outsider may not list (${before.answer.status})`);
        return before;
      },
      after: async (made, before) => {
        const after = await outsiders();
        const orders = ['dueDate', 'amount', 'status', 'invoiceNumber'].map(ordered);
        const own = lab.run.plan.organizations.outsider;
        for (const { answer, records } of [after, await named(), ...(await Promise.all(orders))]) {
          const known = made.map(({ id }) => id);
          const shown = records.find((record) => known.includes(String(record.id)) || (own && isOfOthers(record, own)));
          const because = `it shows invoice ${String(shown?.id)} of others`;
          expectThat(lab, !shown, answer, "no invoice of other organizations in the outsider's list", because);
        }
        if (after.total !== before.total) await expectCalm(lab, async () => (await outsiders()).total);
        expectThat(
          lab,
          after.total === before.total,
          after.answer,
          `total ${before.total}, as before the seller's creations`,
          `it is ${after.total}`,
        );
      },
    });
  }),

  // Late: until then the run creates so many invoices that these would not stay on the first page.
  checkIn('late', 'LIST-09.every-state', ['connection', 'seller'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    const listed = (records: InvoiceRecord[], id: string) => records.find((record) => String(record.id) === id);
    const wrong = (records: InvoiceRecord[]) => invoices.find(({ id, state }) => listed(records, id)?.status !== state);
    const { records, answer } = await pollUntil(lab, recent(lab), (seen) => !wrong(seen.records));
    const found = wrong(records);
    if (found && wasRefusedOn(lab.run, found.id)) await expectNewMislisted(lab, found);
    if (found && listed(records, found.id)) await expectStayed(lab, found, performance.now());
    else if (found) await expectInFront(lab, found, records);
    const because = `${found?.state} invoice ${found?.id} is shown as ${String(found && (listed(records, found.id)?.status ?? 'not at all'))}`;
    expectThat(lab, !found, answer, "every invoice of the caller's organization, with the state it is in", because);
  }),

  checkIn('late', 'LIST-09.every-kind', ['connection', 'seller'], (lab) => expectKindsListed(lab, 'seller')),

  check('LIST-09.resolved', ['connection', 'read', ...operationsTo('DISPUTED'), 'resolve'], async (lab) => {
    const { to } = await alone(lab, 'resolve');
    if (!to || to === 'DISPUTED') return notApplicable('a resolution leaves an invoice DISPUTED here');
    const invoice = await reach(lab, 'DISPUTED');
    const resolved = await perform(lab, 'resolve', invoice.id);
    if (!accepted(resolved)) notApplicable('the resolution was not accepted; LIFE-01 judges that');
    const read = await lookUntil(lab, invoice.id, (found) => found?.status === to);
    if (!read.held) notApplicable(`this resolution does not lead to ${to}`);
    keepTrack(lab, { id: invoice.id, state: to });
    await expectListedAsRead(lab, invoice.id, resolved);
  }),

  check('LIST-09.other-key', ['connection', 'readOnly'], async (lab) => {
    const invoice = await freshInvoice(lab);
    const first = await list(lab, { page: 0, limit: 1 }, { as: lab.who('readOnly') });
    if (!isShown(first)) notApplicable(`the read-only key may not list (${first.status})`);
    const shows = (records: readonly InvoiceRecord[]) => records.some(({ id }) => String(id) === invoice.id);
    const { records, answer } = await pollUntil(lab, recent(lab, 'readOnly'), (seen) => shows(seen.records));
    if (!shows(records)) await expectInFront(lab, invoice, records);
    const expected = `invoice ${invoice.id} of the organization, whichever of its keys has created it`;
    expectThat(lab, shows(records), answer, expected, 'it is not there');
  }),

  checkIn('late', 'LIST-14.buyer-reads', ['connection', 'seller', 'buyer', 'read'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    const reads = async ({ id }: Invoice) => {
      const ask = () => readInvoice(lab, id, { as: lab.who('buyer') });
      return await pollUntil(lab, ask, isShown);
    };
    const first = invoices.find(({ state }) => state === 'SUBMITTED');
    const seen = first && (await reads(first));
    if (!seen || !isShown(seen)) notApplicable('the buyer reads no SUBMITTED invoice');
    for (const invoice of invoices.filter(({ state }) => state !== 'DRAFT')) {
      const answer = await reads(invoice);
      const because = `answered with ${inWords(answer)}`;
      expectThat(lab, isShown(answer), answer, `the ${invoice.state} invoice ${invoice.id} of the buyer`, because);
    }
  }),

  checkIn('late', 'LIST-14.buyer', ['connection', 'seller', 'buyer'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    const submitted = invoices.filter(({ state }) => state !== 'DRAFT');
    const notIn = (records: InvoiceRecord[]) =>
      submitted.find((invoice) => !records.some(({ id }) => String(id) === invoice.id));
    const { records, answer } = await pollUntil(lab, recent(lab, 'buyer'), (seen) => !notIn(seen.records));
    const absent = notIn(records);
    if (absent) await expectInFront(lab, absent, records);
    lab.observe('buyer-lists-invoice', absent?.state !== 'SUBMITTED');
    const because = `${absent?.state} invoice ${absent?.id} is not there`;
    expectThat(lab, !absent, answer, 'invoices of the buyer in every state', because);
  }),

  checkIn('late', 'LIST-14.every-kind', ['connection', 'seller', 'buyer'], (lab) => expectKindsListed(lab, 'buyer')),

  checkIn('late', 'LIST-14.reads-every-kind', ['connection', 'seller', 'buyer', 'read'], async (lab) => {
    const { kinds } = await oneOfEachKind(lab);
    const submitted = kinds.filter(({ invoice }) => invoice.state !== 'DRAFT');
    const seen = await Promise.all(
      submitted.map(async ({ what, invoice: { id } }) => {
        const ask = () => readInvoice(lab, id, { as: lab.who('buyer') });
        return { what, id, answer: await pollUntil(lab, ask, isShown) };
      }),
    );
    const hidden = seen.filter(({ answer }) => !isShown(answer));
    if (hidden.length === seen.length) notApplicable('the buyer reads none of these invoices');
    const [first] = hidden;
    if (!first) return;
    expectThat(lab, false, first.answer, `invoice ${first.id} of the buyer, ${first.what}`, inWords(first.answer));
  }),
];
