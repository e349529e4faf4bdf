import fc from 'fast-check';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/unjudged-outcomes.ts';
import type { CheckContext } from '../context/check-context.ts';
import { sharedResult } from '../context/shared-result.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../controls/spontaneous-change.ts';
import { readsAreStale } from '../controls/stale-reads.ts';
import { skipIfResolvedChanges } from '../controls/variant-spontaneous-change.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import { type Finding, type FindingKind, INVOICES_PER_WALK, type Step, walk } from './random-walk.ts';

const GENERATED_WALKS = 2;
const WALK_LENGTH = 8;
const MAX_SHRINKING_MS = 8_000;

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  // Mostly one invoice and mostly offered actions, because other walks would not get far. The second function inverts the mapping,
  // because fast-check cannot shrink given examples without it.
  invoice: fc.nat(INVOICES_PER_WALK + 1).map(
    (draw) => Math.max(0, draw - 2),
    (invoice) => Number(invoice) + 2,
  ),
  onwards: fc.nat(2).map(
    (draw) => draw > 0,
    (onwards) => (onwards ? 1 : 0),
  ),
  pick: fc.nat(59),
});
/** Arbitrary walks. */
export const walkArbitrary = fc.array(stepArbitrary, { minLength: 1, maxLength: WALK_LENGTH, size: 'max' });
const longWalkArbitrary = fc.array(stepArbitrary, { minLength: WALK_LENGTH, maxLength: WALK_LENGTH, size: 'max' });

const advancingStep = (pick: number): Step => ({ invoice: 0, onwards: true, pick });
const rejectedStep = (pick: number): Step => ({ invoice: 0, onwards: false, pick });

/** The longest path through the table, with rejected actions where the invoice has a history. */
const fullTour: Step[] = [
  advancingStep(0),
  advancingStep(0),
  advancingStep(0),
  rejectedStep(0),
  advancingStep(1),
  rejectedStep(0),
  advancingStep(0),
  rejectedStep(1),
];

const secondInvoiceStep = (pick: number): Step => ({ ...advancingStep(pick), invoice: 1 });
const thirdInvoiceStep = (pick: number): Step => ({ ...advancingStep(pick), invoice: 2 });

/**
 * A dispute must not affect later actions: one invoice is cancelled after it, another one is disputed twice and then approved.
 */
const disputedTour: Step[] = [
  ...[advancingStep(0), advancingStep(0), advancingStep(0)],
  ...[secondInvoiceStep(0), secondInvoiceStep(0), secondInvoiceStep(0)],
  ...[advancingStep(5), secondInvoiceStep(0), secondInvoiceStep(0), secondInvoiceStep(1)],
];

/** Delete, submit and approve one invoice while similar ones are in the same state. */
const withBystanders: Step[] = [thirdInvoiceStep(4), advancingStep(0), secondInvoiceStep(0), advancingStep(1)];

/**
 * Runs walks with several invoices and both parties; the same seed gives the same walks. Returns the first finding of each
 * kind.
 */
const runWalks = sharedResult(async (ctx): Promise<Map<FindingKind, Finding>> => {
  const drawn = [
    fullTour,
    disputedTour,
    withBystanders,
    ...fc.sample(longWalkArbitrary, { seed: ctx.run.plan.seed, numRuns: GENERATED_WALKS }),
  ];
  const found = await Promise.all(drawn.map((each) => walk(ctx, each)));
  const first = new Map<FindingKind, Finding>();
  for (const [at, finding] of found.entries()) {
    if (finding && !first.has(finding.kind)) {
      first.set(finding.kind, await confirmFinding(ctx, await shrinkExclusively(ctx, drawn[at] as Step[], finding)));
    }
  }
  return first;
});

/** Returns the finding. Throws NotApplicable if a spontaneous change or stale reads can explain it. */
async function confirmFinding(ctx: CheckContext, found: Finding): Promise<Finding> {
  if (await readsAreStale(ctx)) notApplicable('reads of an invoice are stale: they return earlier states');
  if (found.assumedState) {
    const { state, ms, resolved } = found.assumedState;
    await skipIfChangesSpontaneously(ctx, [state], observationTimeFor(ms));
    if (resolved) await skipIfResolvedChanges(ctx, state, observationTimeFor(ms));
  }
  return found;
}

/**
 * The shortest walk with a finding of the same kind. The section is exclusive, so that other checks cannot affect its invoices.
 */
async function shrinkExclusively(ctx: CheckContext, from: Step[], found: Finding): Promise<Finding> {
  return await exclusively(ctx, () => shrinkWalk(ctx, from, found));
}

async function shrinkWalk(ctx: CheckContext, from: Step[], found: Finding): Promise<Finding> {
  let last = found;
  await fc.check(
    fc.asyncProperty(walkArbitrary, async (each) => {
      const finding = await walk(ctx, each);
      if (finding?.kind !== found.kind) return true;
      last = finding;
      return false;
    }),
    { examples: [[from]], numRuns: 1, seed: ctx.run.plan.seed, interruptAfterTimeLimit: MAX_SHRINKING_MS },
  );
  return last;
}

/** Throws a Breach for the first finding of one of the kinds. */
export async function expectNoFinding(ctx: CheckContext, kinds: readonly FindingKind[]): Promise<void> {
  const all = await runWalks(ctx);
  for (const kind of kinds) {
    const found = all.get(kind);
    if (found) throw breach(ctx, found.response, found.expected, found.because);
  }
}
