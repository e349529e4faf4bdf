import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { performable } from '../adaptation/performable-actions.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import type { Lab } from '../context/check-context.ts';
import { IRREVOCABLE, isIrrevocable } from '../context/leftover-reason.ts';
import { expectStaysWhileQuiet, longerThan } from '../controls/spontaneous-change.ts';
import { readsGoBack } from '../controls/stale-reads.ts';
import { alike } from '../fixtures/identical-invoices.ts';
import { leaveOver } from '../fixtures/spare-invoices.ts';
import { perform } from '../invoices/acting-party.ts';
import { actingQuietly } from '../invoices/exclusively.ts';
import { hasLeft, look, lookUntil } from '../invoices/find-invoice.ts';
import { bring, type Invoice, isState, keepTrack, MovedMeanwhile, stateOffering } from '../invoices/invoices.ts';

/** An invoice that was not where it had been left, when an action that names another one was done. */
interface Stray {
  invoice: Invoice;
  became: string;
  /** To the action. */
  answer: ApiResponse;
  seen: ApiResponse;
}

/** Two that nothing but id and description tells apart. */
interface Pair {
  named: Invoice;
  other: Invoice;
}

/** What came of an action: the pair where the other one was left alone, `moved before` where one of them has not waited for it. */
type Outcome = Stray | Pair | 'moved before' | 'not done';

const isStray = (outcome: Outcome): outcome is Stray => typeof outcome !== 'string' && 'became' in outcome;
const isPair = (outcome: Outcome): outcome is Pair => typeof outcome !== 'string' && 'named' in outcome;

/**
 * Performs every action beside an invoice that differs from the one it names in nothing but id and description. Throws a Breach for an
 * action that moves both, otherwise tells how many were seen to move one.
 */
export async function expectOthersLeftAlone(lab: Lab): Promise<number> {
  const done = await Promise.all(chainsOf(performable(lab)).map((chain) => leftAloneBy(lab, chain)));
  return done.reduce((sum, each) => sum + each, 0);
}

/** What is approved stays behind: the two of an approval are those of a settlement, too. */
function chainsOf(actions: readonly InvoiceAction[]): InvoiceAction[][] {
  return [
    IRREVOCABLE.filter((action) => actions.includes(action)),
    ...actions.filter((action) => !isIrrevocable(action)).map((action) => [action]),
  ];
}

async function leftAloneBy(lab: Lab, chain: readonly InvoiceAction[]): Promise<number> {
  let pair: Pair | null = null;
  let done = 0;
  for (const action of chain) {
    const outcome = await expectOtherLeftAlone(lab, action, pair);
    pair = isPair(outcome) ? outcome : null;
    if (pair) done += 1;
  }
  if (pair) leaveOver(lab, pair.other);
  return done;
}

async function expectOtherLeftAlone(lab: Lab, action: InvoiceAction, pair: Pair | null): Promise<Outcome> {
  const first = await besideAnother(lab, action, pair);
  if (isPair(first) || first === 'not done') return first;
  // It may be what another check has done that moved it: now nobody else does anything. Nor is it what comes by every minute.
  const again = await actingQuietly(lab, async () => [
    await besideAnother(lab, action),
    await besideAnother(lab, action),
  ]);
  const [stray] = again.filter(isStray);
  if (!stray || !again.every(isStray)) return again.find(isPair) ?? 'not done';
  if (await readsGoBack(lab)) return 'not done';
  const { invoice, became, answer, seen } = stray;
  await expectStaysWhileQuiet(lab, [invoice.state], longerThan(seen.sentAt - invoice.created.sentAt));
  const because = `${action} named another invoice, and this one is ${became} now`;
  throw breach(lab, answer, `invoice ${invoice.id} still ${invoice.state}`, because, [seen]);
}

/** The action is performed on one of two. */
async function besideAnother(lab: Lab, action: InvoiceAction, pair: Pair | null = null): Promise<Outcome> {
  const state = stateOffering(action);
  try {
    const { named, other } = pair ?? (await alikePair(lab));
    // One after the other: where the way there moves more than what it names, it is found at the first step.
    await bring(lab, named, state);
    await bring(lab, other, state);
    const answer = await perform(lab, action, named.id);
    if (!isSuccess(answer)) return (await look(lab, named.id)).record?.status === state ? 'not done' : 'moved before';
    const { record } = await lookUntil(lab, named.id, hasLeft(state, action === 'delete'));
    if (!record) lab.run.removed(named.id);
    else if (isState(record.status)) {
      named.state = record.status;
      keepTrack(lab, named);
    }
    const { held, record: found, answer: seen } = await lookUntil(lab, other.id, (now) => now?.status === state);
    if (held) return { named, other };
    return { invoice: other, became: String(found?.status ?? 'gone'), answer, seen };
  } catch (error) {
    if (error instanceof MovedMeanwhile) return 'moved before';
    if (error instanceof Blocked || error instanceof NotApplicable) return 'not done';
    throw error;
  }
}

async function alikePair(lab: Lab): Promise<Pair> {
  const [named, other] = (await alike(lab, 2)) as [Invoice, Invoice];
  return { named, other };
}
