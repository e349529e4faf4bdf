import { Blocked, NotApplicable } from '../engine/outcome.ts';
import type { InvoiceAction } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';
import { alike } from './alike.ts';
import type { Answer } from './answers.ts';
import { expectStaysWhileQuiet, longerThan } from './by-itself.ts';
import { breach } from './expect.ts';
import { bring, type Invoice, isState, keepTrack, MovedMeanwhile, stateOffering } from './invoices.ts';
import type { Lab } from './lab.ts';
import { hasLeft, look, lookUntil } from './look.ts';
import { perform } from './parties.ts';
import { performable } from './performable.ts';
import { actingQuietly } from './quietly.ts';
import { readsGoBack } from './reads-go-back.ts';

/** An invoice that was not where it had been left, when an action that names another one was done. */
interface Stray {
  invoice: Invoice;
  became: string;
  /** To the action. */
  answer: Answer;
  seen: Answer;
}

/**
 * Performs every action beside an invoice that differs from the one it names in nothing but id and description. Throws a Breach for an
 * action that moves both, otherwise tells how many were seen to move one.
 */
export async function expectOthersLeftAlone(lab: Lab): Promise<number> {
  const done = await Promise.all(performable(lab).map((action) => expectOtherLeftAlone(lab, action)));
  return done.filter(Boolean).length;
}

async function expectOtherLeftAlone(lab: Lab, action: InvoiceAction): Promise<boolean> {
  const first = await besideAnother(lab, action);
  if (first === 'left alone') return true;
  if (first === 'not done') return false;
  // It may be what another check has done that moved it: now nobody else does anything. Nor is it what comes by every minute.
  const again = await actingQuietly(lab, async () => [
    await besideAnother(lab, action),
    await besideAnother(lab, action),
  ]);
  const [stray] = again.filter((each) => typeof each !== 'string');
  if (!stray || again.some((each) => typeof each === 'string')) return again.includes('left alone');
  if (await readsGoBack(lab)) return false;
  const { invoice, became, answer, seen } = stray;
  await expectStaysWhileQuiet(lab, [invoice.state], longerThan(seen.sentAt - invoice.created.sentAt));
  const because = `${action} named another invoice, and this one is ${became} now`;
  throw breach(lab, answer, `invoice ${invoice.id} still ${invoice.state}`, because, [seen]);
}

/** The action is performed on one of two; `moved before` where one of them has not waited for it. */
async function besideAnother(
  lab: Lab,
  action: InvoiceAction,
): Promise<Stray | 'left alone' | 'moved before' | 'not done'> {
  const state = stateOffering(action);
  try {
    const [named, other] = (await alike(lab, 2)) as [Invoice, Invoice];
    // One after the other: where the way there moves more than what it names, it is found at the first step.
    await bring(lab, named, state);
    await bring(lab, other, state);
    const answer = await perform(lab, action, named.id);
    if (!accepted(answer)) return (await look(lab, named.id)).record?.status === state ? 'not done' : 'moved before';
    const { record } = await lookUntil(lab, named.id, hasLeft(state, action === 'delete'));
    if (!record) lab.run.removed(named.id);
    else if (isState(record.status)) keepTrack(lab, { id: named.id, state: record.status });
    const { held, record: found, answer: seen } = await lookUntil(lab, other.id, (now) => now?.status === state);
    if (held) return 'left alone';
    return { invoice: other, became: String(found?.status ?? 'gone'), answer, seen };
  } catch (error) {
    if (error instanceof MovedMeanwhile) return 'moved before';
    if (error instanceof Blocked || error instanceof NotApplicable) return 'not done';
    throw error;
  }
}
