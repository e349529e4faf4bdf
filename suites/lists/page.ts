import { listInvoices } from '../../helpers/api/operations.ts';
import { createdAtMs, is2xx, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { breach, expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { skipUnlessListedFirst } from '../../helpers/invoices/find-invoice.ts';
import { parsePage, readPage } from '../../helpers/invoices/list-page.ts';
import { expectNoListDefect } from '../../helpers/lists/list-control.ts';
import { expectNewestListedOnce } from '../../helpers/lists/newest-first-walk.ts';
import { afterCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import { NEWEST_SORT } from '../../helpers/lists/sort-orders.ts';
import type { ActorName } from '../../specs/target.ts';

/** So many that hardly all of them are of one moment. */
const SAMPLE_SIZE = 20;

/** So far behind that no sandbox has it. */
const PAGE_PAST_END = 1_000_000;

const BASE_PAGE_SIZE = 5;

/** Another key's second page is not its first one over again; false where there is too little to tell. */
async function expectDistinctSecondPage(lab: CheckContext, name: ActorName): Promise<boolean> {
  for (const limit of [BASE_PAGE_SIZE, 4 * BASE_PAGE_SIZE, 10 * BASE_PAGE_SIZE]) {
    const ask = (page: number) => listInvoices(lab, { ...NEWEST_SORT, limit, page }, { as: lab.credentials(name) });
    const answers = [await ask(0), await ask(1)] as const;
    if (answers.some((answer) => !is2xx(answer))) return false;
    const [first, second] = [parsePage(answers[0]), parsePage(answers[1])];
    // Behind the end a server may show its last page again.
    if (first.totalPages < 2 || second.records.length < limit) return false;
    // In which order invoices of one moment stand, and whether they keep it, is not shown: then larger pages may tell.
    const moments = new Set([...first.records, ...second.records].map(createdAtMs));
    if (moments.size === 1) continue;
    const known = new Set(first.records.map(({ id }) => id));
    const again = second.records.every(({ id }) => known.has(id));
    expectThat(lab, !again, second.response, `other records on page 1 than on page 0 for ${name}`, 'they are the same');
    return true;
  }
  return false;
}

export const listsPageChecks: readonly Check[] = [
  checkInPhase('late', 'LIST-04.page-left-out', ['seller'], (lab) =>
    whileUnchanged(lab, async () => {
      const left = await readPage(lab, { ...NEWEST_SORT, limit: SAMPLE_SIZE });
      const asked = parsePage(await listInvoices(lab, { ...NEWEST_SORT, limit: SAMPLE_SIZE, page: left.page }));
      const [first] = left.records;
      if (!first) return notApplicable('there is nothing on the page that is served');
      // Invoices of one moment may stand in another order each time, but both begin with the same moment.
      const [begins] = asked.records;
      const same = begins !== undefined && createdAtMs(begins) === createdAtMs(first);
      const because = `it tells page ${left.page} and begins with one of ${String(first.createdAt)}; page ${left.page} begins with ${begins ? `one of ${String(begins.createdAt)}` : 'none'}`;
      const expected = 'the zero-based index of the page that was served';
      if (!same) throw breach(lab, left.response, expected, because, [asked.response]);
    }),
  ),

  checkInPhase('late', 'LIST-04.first-is-zero', ['connection'], async (lab) => {
    await expectNoListDefect(lab, 'LIST-04.first-is-zero');
    await afterCreations(lab, async (made) => {
      const answer = await listInvoices(lab, { page: 0, limit: 50, ...NEWEST_SORT });
      expectThat(lab, is2xx(answer), answer, 'the first page', `answered with ${answer.status}`);
      const ids = listItems(answer).map(({ id }) => String(id));
      const absent = made.find(({ id }) => !ids.includes(id));
      if (absent) await skipUnlessListedFirst(lab, absent, listItems(answer));
      expectThat(
        lab,
        !absent,
        answer,
        'the newest invoices on page 0',
        `invoice ${absent?.id}, created a moment ago, is not there`,
      );
    });
  }),

  checkInPhase('late', 'LIST-04.second-is-one', ['connection'], (lab) =>
    expectNewestListedOnce(lab, { limit: 4, ...NEWEST_SORT }),
  ),

  checkInPhase('late', 'LIST-04.page-without-limit', ['seller'], (lab) =>
    whileUnchanged(lab, async () => {
      const first = await readPage(lab, NEWEST_SORT);
      if (first.totalPages < 2) notApplicable('there is one page only');
      const second = await readPage(lab, { ...NEWEST_SORT, page: 1 });
      const known = new Set(first.records.map(({ id }) => id));
      // Some may stand on both where their order is not kept; all of them do where the page was not looked at.
      const again = second.records.length > 0 && second.records.every(({ id }) => known.has(id));
      expectThat(lab, !again, second.response, 'other records on page 1 than on page 0', 'they are the same');
    }),
  ),

  checkInPhase('late', 'LIST-04.ascending', ['seller'], (lab) =>
    whileUnchanged(lab, async () => {
      const query = { limit: 5, sortBy: 'createdAt', sortOrder: 'asc' };
      const answers = [await listInvoices(lab, { ...query, page: 0 }), await listInvoices(lab, { ...query, page: 1 })];
      if (!answers.every(isSuccess)) notApplicable('lists in ascending order are not served');
      const [first, second] = answers.map(parsePage);
      if (!first || !second) return;
      const known = new Set(first.records.map(({ id }) => id));
      const again = second.records.length > 0 && second.records.every(({ id }) => known.has(id));
      // Those of one moment may stand in any order, and in another one each time: only the last of page 0 can go on.
      const goesOn = second.records.every(({ createdAt }) => createdAt === first.records.at(-1)?.createdAt);
      if (again && goesOn) notApplicable('the oldest invoices are of one moment');
      expectThat(lab, !again, second.response, 'other records on page 1 than on page 0', 'they are the same');
    }),
  ),

  checkInPhase('late', 'LIST-04.every-key', ['seller'], (lab) =>
    whileUnchanged(lab, async () => {
      const names = lab.availableActors('buyer', 'readOnly', 'production', 'outsider');
      const told = await Promise.all(names.map((name) => expectDistinctSecondPage(lab, name)));
      if (!told.includes(true)) notApplicable('no other key lists invoices of several moments on two pages');
    }),
  ),

  checkInPhase('late', 'LIST-04.past-the-end', ['seller'], async (lab) => {
    const { totalPages, total } = await readPage(lab, { page: 0, limit: 50 });
    for (const page of [totalPages + 50, PAGE_PAST_END]) {
      const answer = await listInvoices(lab, { page, limit: 50 });
      lab.observe('page-past-end', answer.status);
      // Not to be there is a refusal that fits a page, too.
      if (!is2xx(answer)) {
        expectRejected(lab, answer, [400, 404]);
        continue;
      }
      const { records, page: served, limit, total: told } = parsePage(answer);
      const because = `it holds ${records.length}`;
      expectThat(lab, records.length === 0 || served < page, answer, `no records on page ${page}`, because);
      const other = records.length === 0 && served !== page && served * limit < told;
      const empty = `it tells page ${served}, of ${told} records, and holds none`;
      expectThat(lab, !other, answer, `page ${page}, or the records of page ${served}`, empty);
      const counted = told > 0 || total === 0;
      expectThat(lab, counted, answer, `the total number of records, which was ${total} on page 0`, `it is ${told}`);
    }
  }),
];
