import { firstInvoice } from '../helpers/adaptation/calibrate-ranges.ts';
import { environment, ownEnvironment } from '../helpers/api/environment-header.ts';
import { type Extra, list, readInvoice } from '../helpers/api/operations.ts';
import { isShown } from '../helpers/api/response-status.ts';
import { type Answer, createdMilliseconds, dueDay, invoiceFields } from '../helpers/api/responses.ts';
import { expectAccepted, expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { expectCalm } from '../helpers/assert/stable-total.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { isUndeployed } from '../helpers/environments/production.ts';
import { freshInvoice } from '../helpers/invoices/invoices.ts';
import { asPage, expectOrder, type Page } from '../helpers/invoices/list-page.ts';
import { meanwhileUnmoved } from '../helpers/lists/snapshot.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import type { ActorName } from '../specs/target.ts';

/** Those beside the seller, whose key every other check uses. */
function othersOf(lab: Lab): ActorName[] {
  const names = lab.known('buyer', 'readOnly', 'outsider');
  return names.length > 0 ? names : notApplicable('the target file names no other key of the sandbox');
}

/** What every key may be asked to do: it lists, and reads an invoice. */
async function asksOf(lab: Lab): Promise<((extra: Extra) => Promise<Answer>)[]> {
  const listing = (extra: Extra) => list(lab, { page: 0, limit: 1 }, extra);
  const reads = lab.target.operations.read?.method === 'GET' && lab.run.plan.mutations;
  if (!reads || !lab.run.plan.organizations.buyer) return [listing];
  await firstInvoice(lab);
  const { id } = await freshInvoice(lab);
  return [listing, (extra) => readInvoice(lab, id, extra)];
}

/** Whatever another key is granted without the header is asked once more with it. */
function named(
  id: CheckId,
  headers: [string, string][],
  judge: (lab: Lab, answer: Answer, name: ActorName) => void,
): Check {
  return check(id, ['seller', 'boundOperations'], async (lab) => {
    const asks = await asksOf(lab);
    const answers = await Promise.all(
      othersOf(lab).flatMap((name) =>
        asks.map(async (ask) => {
          const as = lab.who(name);
          // Which key may do what is not shown.
          if (!isShown(await ask({ as }))) return false;
          // A copy that is behind may not have the invoice yet.
          const there = ({ status }: Answer) => status !== 404;
          judge(lab, await pollUntil(lab, () => ask({ as, headers }), there), name);
          return true;
        }),
      ),
    );
    if (!answers.includes(true)) notApplicable('no other key may list or read');
  });
}

/** A page of one key's list, the newest first where no other order is named; null where it is refused. */
type PageOf = (page: number, limit: number, sortBy?: string) => Promise<Page | null>;

/** Looks at lists of the other keys while nothing of the kit's moves; what others do to them meanwhile is no breach. */
function listed(
  id: CheckId,
  look: (lab: Lab, ask: PageOf, name: ActorName) => Promise<boolean>,
  keysOf: (lab: Lab) => ActorName[] = othersOf,
): Check {
  return checkIn('late', id, ['seller'], (lab) =>
    meanwhileUnmoved(lab, async () => {
      const looked = await Promise.all(
        keysOf(lab).map(async (name) => {
          const ask: PageOf = async (page, limit, sortBy = 'createdAt') => {
            const query = { page, limit, sortBy, sortOrder: 'desc' };
            const answer = await list(lab, query, { as: lab.who(name) });
            return isShown(answer) ? asPage(answer) : null;
          };
          return await look(lab, ask, name);
        }),
      );
      if (!looked.includes(true)) notApplicable('no other key lists anything that could show it');
    }),
  );
}

const MOST = 100;

/** The total is the same whatever the limit and the order, and the page that it ends on holds what it leaves for it. */
async function expectWholeTotal(lab: Lab, ask: PageOf, name: ActorName): Promise<boolean> {
  const [first, single] = [await ask(0, MOST), await ask(0, 1)];
  if (!first || Number.isNaN(first.total)) return false;
  const expectKept = async (kept: boolean, { answer }: Page, expected: string, because: string) => {
    if (!kept) await expectCalm(lab, async () => (await ask(0, 1))?.total ?? 0);
    expectThat(lab, kept, answer, expected, because);
  };
  if (single) {
    const expected = `total ${first.total} of the ${name}'s list, whatever the limit`;
    await expectKept(single.total === first.total, single, expected, `it is ${single.total} with limit 1`);
  }
  const sorted = await Promise.all(invoiceFields.map(async (field) => [field, await ask(0, 1, field)] as const));
  for (const [field, page] of sorted) {
    if (!page) continue;
    // Whose invoices these are is told by all of them, whoever judges that.
    if (page.total > first.total) await pagesOf(ask, field, page.total);
    const expected = `total ${first.total} of the ${name}'s list, in whichever order`;
    await expectKept(page.total === first.total, page, expected, `it is ${page.total} with sortBy ${field}`);
  }
  const at = Math.max(0, Math.ceil(first.total / MOST) - 1);
  const last = await ask(at, MOST);
  if (!last) return false;
  const left = last.total - at * MOST;
  const expected = `${left} records on the last page of the ${name}'s list`;
  const because = `page ${at} of total ${last.total} holds ${last.records.length} records`;
  await expectKept(last.records.length === left, last, expected, because);
  return true;
}

const MOST_PAGES = 12;

async function pagesOf(ask: PageOf, sortBy: string, total: number): Promise<void> {
  const pages = Math.min(MOST_PAGES, Math.ceil(total / MOST));
  await Promise.all(Array.from({ length: pages }, (_, page) => ask(page, MOST, sortBy)));
}

async function expectNewestFirst(lab: Lab, ask: PageOf): Promise<boolean> {
  const [page, due] = [await ask(0, MOST), await ask(0, MOST, 'dueDate')];
  if (!page || page.records.length < 2) return false;
  expectOrder(lab, page, 'createdAt', 'desc', createdMilliseconds);
  if (due) expectOrder(lab, due, 'dueDate', 'desc', dueDay);
  return true;
}

export const everyKey: readonly Check[] = [
  named('ENV-01.every-key', environment('STAGING'), (lab, answer) =>
    expectRefused(lab, answer, [400], 'GW_UNKNOWN_ENVIRONMENT'),
  ),
  named('ENV-02.every-key', environment('PRODUCTION'), (lab, answer) => {
    if (!isUndeployed(answer)) expectRefused(lab, answer, [403], 'GW_ENVIRONMENT_KEY_MISMATCH');
  }),
  named('ENV-03.every-key', ownEnvironment, (lab, answer, name) =>
    expectAccepted(lab, answer, `the own environment of the ${name}'s key named`),
  ),
  listed('LIST-02.every-key', expectWholeTotal),
  // What others do in production moves its totals, not its order.
  listed('LIST-06.every-key', expectNewestFirst, (lab) => [...othersOf(lab), ...lab.known('production')]),
];
