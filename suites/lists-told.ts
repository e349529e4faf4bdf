import { list, NEWEST_FIRST } from '../helpers/api/operations.ts';
import { isShown } from '../helpers/api/response-status.ts';
import { createdMilliseconds } from '../helpers/api/responses.ts';
import { breach, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { type Check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { whileQuiet } from '../helpers/invoices/exclusively.ts';
import { mayCreate } from '../helpers/invoices/invoices.ts';
import { asPage, type Page, pageOf } from '../helpers/invoices/list-page.ts';
import { createLater } from '../helpers/lists/newest-first-walk.ts';
import { aroundCreations, meanwhileUnmoved } from '../helpers/lists/snapshot.ts';
import type { ActorName } from '../specs/target.ts';

const BY_CREATION = { sortBy: 'createdAt', sortOrder: 'desc' } as const;

/** So many that hardly all of them are of one moment. */
const FEW = 20;

/** What every other key lists of the newest invoices; those that may not list are left out. */
async function newestOfOthers(lab: Lab): Promise<Map<ActorName, Page>> {
  const pages = await Promise.all(
    lab.known('buyer', 'readOnly').map(async (name) => {
      const page = asPage(await list(lab, NEWEST_FIRST, { as: lab.who(name) }));
      return isShown(page.answer) ? [[name, page] as const] : [];
    }),
  );
  return new Map(pages.flat());
}

/** Lists compared with each other: what one tells is held against what another shows. */
export const listsTold: readonly Check[] = [
  checkIn('late', 'LIST-02.counts-for-every-key', ['connection'], (lab) =>
    aroundCreations(lab, {
      before: () => newestOfOthers(lab),
      after: async (made, before) => {
        const after = await newestOfOthers(lab);
        const ids = new Set(made.map(({ id }) => id));
        // Whether a buyer sees drafts is not shown: whose list shows them, counts them.
        const showing = [...after].filter(
          ([, { records }]) => records.filter(({ id }) => ids.has(String(id))).length === ids.size,
        );
        for (const [name, { answer, total }] of showing) {
          const known = before.get(name);
          if (!known) continue;
          const grown = known.total + made.length;
          const expected = `a total of at least ${grown} for the ${name} after ${made.length} creations on top of ${known.total}`;
          expectThat(lab, total >= grown, answer, expected, `it is ${total}, and all of them are listed`);
        }
        if (showing.length === 0) notApplicable('no other key lists what the seller has just created');
      },
    }),
  ),

  checkIn('late', 'LIST-04.page-left-out', ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const left = await pageOf(lab, { ...BY_CREATION, limit: FEW });
      const asked = asPage(await list(lab, { ...BY_CREATION, limit: FEW, page: left.page }));
      const [first] = left.records;
      if (!first) return notApplicable('there is nothing on the page that is served');
      // Invoices of one moment may stand in another order each time, but both begin with the same moment.
      const [begins] = asked.records;
      const same = begins !== undefined && createdMilliseconds(begins) === createdMilliseconds(first);
      const because = `it tells page ${left.page} and begins with one of ${String(first.createdAt)}; page ${left.page} begins with ${begins ? `one of ${String(begins.createdAt)}` : 'none'}`;
      const expected = 'the zero-based index of the page that was served';
      if (!same) throw breach(lab, left.answer, expected, because, [asked.answer]);
    }),
  ),

  checkIn('late', 'LIST-06.newest-alone', ['seller'], async (lab) => {
    let isTied = false;
    await meanwhileUnmoved(lab, async () => {
      isTied = await expectNewestInFront(lab);
    });
    // When the two newest share their createdAt, a page may rightly begin with either.
    if (!isTied || !mayCreate(lab)) return;
    await whileQuiet(lab, async () => {
      await createLater(lab);
      await expectNewestInFront(lab);
    });
  }),
];

/** Throws a Breach unless pages of one, two and three records begin with the newest. True when the two newest share their createdAt. */
async function expectNewestInFront(lab: Lab): Promise<boolean> {
  const [first, second] = (await pageOf(lab, NEWEST_FIRST)).records;
  const newest = first ? createdMilliseconds(first) : Number.NaN;
  if (!first || Number.isNaN(newest)) return notApplicable('there is no invoice whose time of creation could be read');
  for (const limit of [1, 2, 3]) {
    const { answer, records } = await pageOf(lab, { ...BY_CREATION, page: 0, limit });
    const [front] = records;
    const told = front ? createdMilliseconds(front) : Number.NaN;
    const because = front ? `it begins with one of ${String(front.createdAt)}` : 'it holds none';
    const expected = `a page of ${limit} that begins with the newest, of ${String(first.createdAt)}`;
    expectThat(lab, told >= newest, answer, expected, because);
  }
  return second !== undefined && createdMilliseconds(second) === newest;
}
