import fc from 'fast-check';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { expectStaysByItself, longerThan } from '../controls/spontaneous-change.ts';
import { readsGoBack } from '../controls/stale-reads.ts';
import { expectResolvedStays } from '../controls/variant-spontaneous-change.ts';
import { actingQuietly } from '../invoices/exclusively.ts';
import { type Finding, type FindingKind, INVOICES_OF_A_WALK, type Step, walk } from './random-walk.ts';

const DRAWN_WALKS = 3;
const LENGTH = 8;
const SHRINKING_MS = 8_000;

const step: fc.Arbitrary<Step> = fc.record({
  // Mostly one invoice, and mostly onwards: otherwise few walks would come far.
  // The way back from what was drawn: without it nothing that is given as an example can be made smaller.
  invoice: fc.nat(INVOICES_OF_A_WALK + 1).map(
    (draw) => Math.max(0, draw - 2),
    (invoice) => Number(invoice) + 2,
  ),
  onwards: fc.nat(2).map(
    (draw) => draw > 0,
    (onwards) => (onwards ? 1 : 0),
  ),
  pick: fc.nat(59),
});
/** What a walk may consist of. */
export const steps = fc.array(step, { minLength: 1, maxLength: LENGTH, size: 'max' });
const longSteps = fc.array(step, { minLength: LENGTH, maxLength: LENGTH, size: 'max' });

const onwards = (pick: number): Step => ({ invoice: 0, onwards: true, pick });
const inVain = (pick: number): Step => ({ invoice: 0, onwards: false, pick });

/** The longest way through the table, with a look around wherever the invoice has a history. */
const grandTour: Step[] = [onwards(0), onwards(0), onwards(0), inVain(0), onwards(1), inVain(0), onwards(0), inVain(1)];

const second = (pick: number): Step => ({ ...onwards(pick), invoice: 1 });
const third = (pick: number): Step => ({ ...onwards(pick), invoice: 2 });

/**
 * What a dispute leaves behind is in the way of nothing: one invoice is cancelled after it, beside another one that is then
 * disputed once more, and approved in the end.
 */
const afterDisputes: Step[] = [
  ...[onwards(0), onwards(0), onwards(0)],
  ...[second(0), second(0), second(0)],
  ...[onwards(5), second(0), second(0), second(1)],
];

/** What is done to one invoice, while its likes are in the same state: deleted, submitted, approved. */
const besideOthers: Step[] = [third(4), onwards(0), second(0), onwards(1)];

/** Random walks of several invoices and both parties, the same for the same seed: what the first of each kind found. */
async function findings(lab: Lab): Promise<Map<FindingKind, Finding>> {
  return await lab.run.once('walks', async () => {
    const drawn = [
      grandTour,
      afterDisputes,
      besideOthers,
      ...fc.sample(longSteps, { seed: lab.run.plan.seed, numRuns: DRAWN_WALKS }),
    ];
    const found = await Promise.all(drawn.map((each) => walk(lab, each)));
    const first = new Map<FindingKind, Finding>();
    for (const [at, finding] of found.entries()) {
      if (finding && !first.has(finding.kind)) {
        first.set(finding.kind, await sure(lab, await shortest(lab, drawn[at] as Step[], finding)));
      }
    }
    return first;
  });
}

/** A finding about an invoice that would have stayed where it was; throws NotApplicable when it may have moved by itself, or when looks do not tell. */
async function sure(lab: Lab, found: Finding): Promise<Finding> {
  if (await readsGoBack(lab)) notApplicable('looks at an invoice go back to what it was before');
  if (found.stayed) {
    const { state, ms, resolved } = found.stayed;
    await expectStaysByItself(lab, [state], longerThan(ms));
    if (resolved) await expectResolvedStays(lab, state, longerThan(ms));
  }
  return found;
}

/** The shortest walk that still finds the same kind of thing. Nothing else is done meanwhile: its invoices wait for nobody. */
async function shortest(lab: Lab, from: Step[], found: Finding): Promise<Finding> {
  return await actingQuietly(lab, () => shrunk(lab, from, found));
}

async function shrunk(lab: Lab, from: Step[], found: Finding): Promise<Finding> {
  let last = found;
  await fc.check(
    fc.asyncProperty(steps, async (each) => {
      const finding = await walk(lab, each);
      if (finding?.kind !== found.kind) return true;
      last = finding;
      return false;
    }),
    { examples: [[from]], numRuns: 1, seed: lab.run.plan.seed, interruptAfterTimeLimit: SHRINKING_MS },
  );
  return last;
}

/** No walk finds what these kinds name. */
export async function expectNothingFound(lab: Lab, kinds: readonly FindingKind[]): Promise<void> {
  const all = await findings(lab);
  for (const kind of kinds) {
    const found = all.get(kind);
    if (found) throw breach(lab, found.answer, found.expected, found.because);
  }
}
