import { oneOfEachKind } from '../../helpers/adaptation/invoice-variants.ts';
import { alone } from '../../helpers/adaptation/isolated-action.ts';
import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import type { ListQuery } from '../../helpers/api/operations.ts';
import { list, readInvoice } from '../../helpers/api/operations.ts';
import type { JsonObject } from '../../helpers/api/responses.ts';
import { describeResponse, isShown, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { expectCalm } from '../../helpers/assert/stable-total.ts';
import { wasRefusedOn } from '../../helpers/context/action-history.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { expectStayed } from '../../helpers/controls/spontaneous-change.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import { expectInFront, lookListed, lookUntil, recent } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { freshInvoice, keepTrack, operationsTo, reach } from '../../helpers/invoices/invoices.ts';
import { asPage } from '../../helpers/invoices/list-page.ts';
import { isOfOthers } from '../../helpers/lists/foreign-invoices.ts';
import { oneOfEachState } from '../../helpers/lists/invoice-of-each-state.ts';
import { expectNoListDefect } from '../../helpers/lists/list-control.ts';
import { expectListedAsRead } from '../../helpers/lists/listed-as-read.ts';
import { aroundCreations } from '../../helpers/lists/snapshot.ts';
import { NEWEST_SORT } from '../../helpers/lists/sort-orders.ts';

/** The control for an invoice on which an action was refused: throws NotApplicable when a new one in the same state is listed rightly. */
async function expectNewMislisted(lab: Lab, { id, state }: Invoice): Promise<void> {
  const other = await reach(lab, state);
  const shows = ({ records }: { records: JsonObject[] }) =>
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
  const isIn = (records: JsonObject[], id: string) => records.some((record) => String(record.id) === id);
  const notIn = (records: JsonObject[]) => own.find(({ invoice }) => !isIn(records, invoice.id));
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

/** Names by which other interfaces select what they list, and say for whom they ask. */
const SCOPES = ['organizationId', 'sellerOrganizationId', 'sellerId', 'buyerOrganizationId'] as const;

const SESSION_HEADERS = ['X-Organization-Id', 'X-Org-Id', 'X-Tenant-Id'] as const;

export const visibilityChecks: readonly Check[] = [
  check('LIST-09.own-invoice-listed', ['connection'], async (lab) => {
    await expectNoListDefect(lab, 'LIST-09.own-invoice-listed');
    const invoice = await freshInvoice(lab);
    const ask = () => lookListed(lab, invoice.id);
    const { record, answer } = await pollUntil(lab, ask, (seen) => seen.record !== null);
    const expected = `invoice ${invoice.id} in the list of the organization that created it`;
    expectThat(lab, record !== null, answer, expected, 'it is not there');
    if (!lab.target.actors.buyer) return;
    const shows = ({ records }: { records: readonly JsonObject[] }) => records.some(({ id }) => id === invoice.id);
    const seen = await pollUntil(lab, recent(lab, 'buyer'), shows, BUYER_SEES_WITHIN_MS).catch(onlyBlocked);
    if (seen) lab.observe(invoice.state === 'DRAFT' ? 'buyer-sees-draft' : 'buyer-lists-invoice', shows(seen));
  }),

  // Late, where there is something to be seen.
  checkIn('late', 'LIST-09.organization-parameters', ['seller', 'outsider'], async (lab) => {
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
        const foreign = isSuccess(answer) && listItems(answer).find((record) => isOfOthers(record, own));
        const because = foreign && `it shows an invoice of others: ${JSON.stringify(foreign)}`;
        expectThat(lab, !foreign, answer, `only invoices of organization ${own}`, String(because));
      }
    }
  }),

  checkIn('late', 'LIST-09.third-organization', ['connection', 'outsider'], (lab) => {
    const extra = { as: lab.who('outsider') };
    const outsiders = async () => asPage(await list(lab, { page: 0, limit: 100, ...NEWEST_SORT }, extra));
    // Naming the environment is another way through the gateway.
    const named = async () =>
      asPage(await list(lab, { page: 0, limit: 100, ...NEWEST_SORT }, { ...extra, headers: ownEnvironment }));
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
    const listed = (records: JsonObject[], id: string) => records.find((record) => String(record.id) === id);
    const wrong = (records: JsonObject[]) => invoices.find(({ id, state }) => listed(records, id)?.status !== state);
    const { records, answer } = await pollUntil(lab, recent(lab), (seen) => !wrong(seen.records));
    const found = wrong(records);
    if (found && wasRefusedOn(lab.run, found.id)) await expectNewMislisted(lab, found);
    if (found && listed(records, found.id)) await expectStayed(lab, found, performance.now());
    else if (found) await expectInFront(lab, found, records);
    const because = `${found?.state} invoice ${found?.id} is shown as ${String(found && (listed(records, found.id)?.status ?? 'not at all'))}`;
    expectThat(lab, !found, answer, "every invoice of the caller's organization, with the state it is in", because);
  }),

  checkIn('late', 'LIST-09.every-variant', ['connection', 'seller'], (lab) => expectKindsListed(lab, 'seller')),

  check('LIST-09.resolved', ['connection', 'read', ...operationsTo('DISPUTED'), 'resolve'], async (lab) => {
    const { to } = await alone(lab, 'resolve');
    if (!to || to === 'DISPUTED') return notApplicable('a resolution leaves an invoice DISPUTED here');
    const invoice = await reach(lab, 'DISPUTED');
    const resolved = await perform(lab, 'resolve', invoice.id);
    if (!isSuccess(resolved)) notApplicable('the resolution was not accepted; LIFE-01 judges that');
    const read = await lookUntil(lab, invoice.id, (found) => found?.status === to);
    if (!read.held) notApplicable(`this resolution does not lead to ${to}`);
    keepTrack(lab, { id: invoice.id, state: to });
    await expectListedAsRead(lab, invoice.id, resolved);
  }),

  check('LIST-09.other-key', ['connection', 'readOnly'], async (lab) => {
    const invoice = await freshInvoice(lab);
    const first = await list(lab, { page: 0, limit: 1 }, { as: lab.who('readOnly') });
    if (!isShown(first)) notApplicable(`the read-only key may not list (${first.status})`);
    const shows = (records: readonly JsonObject[]) => records.some(({ id }) => String(id) === invoice.id);
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
      const because = `answered with ${describeResponse(answer)}`;
      expectThat(lab, isShown(answer), answer, `the ${invoice.state} invoice ${invoice.id} of the buyer`, because);
    }
  }),

  checkIn('late', 'LIST-14.buyer', ['connection', 'seller', 'buyer'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    const submitted = invoices.filter(({ state }) => state !== 'DRAFT');
    const notIn = (records: JsonObject[]) =>
      submitted.find((invoice) => !records.some(({ id }) => String(id) === invoice.id));
    const { records, answer } = await pollUntil(lab, recent(lab, 'buyer'), (seen) => !notIn(seen.records));
    const absent = notIn(records);
    if (absent) await expectInFront(lab, absent, records);
    lab.observe('buyer-lists-invoice', absent?.state !== 'SUBMITTED');
    const because = `${absent?.state} invoice ${absent?.id} is not there`;
    expectThat(lab, !absent, answer, 'invoices of the buyer in every state', because);
  }),

  checkIn('late', 'LIST-14.every-variant', ['connection', 'seller', 'buyer'], (lab) => expectKindsListed(lab, 'buyer')),

  checkIn('late', 'LIST-14.reads-every-variant', ['connection', 'seller', 'buyer', 'read'], async (lab) => {
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
    expectThat(
      lab,
      false,
      first.answer,
      `invoice ${first.id} of the buyer, ${first.what}`,
      describeResponse(first.answer),
    );
  }),
];
