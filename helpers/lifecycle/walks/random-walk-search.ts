import fc from 'fast-check';
import { NoResponse } from '../../../engine/model/outcomes.ts';
import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import { probeActionEffect } from '../../adaptation/action-effect.ts';
import { sendAction } from '../../api/operations.ts';
import { isSuccess } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedResult } from '../../context/shared-result.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../../controls/spontaneous-change.ts';
import { readsAreStale } from '../../controls/stale-reads.ts';
import { skipIfResolvedChanges } from '../../controls/variant-spontaneous-change.ts';
import { retryWhileLocked } from '../../invoices/acting-party.ts';
import { exclusively } from '../../invoices/exclusive-section.ts';
import { findSettledInvoice } from '../../invoices/find-invoice.ts';
import { createInvoice, recordInvoiceState, requireSubmission } from '../../invoices/invoices.ts';
import { INVOICES_PER_WALK, walk } from './random-walk.ts';
import { bystanderTour, historyTour } from './tours.ts';
import type { Finding, FindingKind, Step } from './walk-invoice.ts';

const GENERATED_WALKS = 1;
const WALK_LENGTH = 4;
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

/**
 * Runs walks with several invoices and both parties; the same seed gives the same walks. Returns the first finding of each
 * kind.
 */
const runWalks = sharedResult(async (ctx): Promise<Map<FindingKind, Finding>> => {
  requireSubmission(ctx);
  const drawn = [
    [...historyTour],
    [...bystanderTour],
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
export async function confirmFinding(ctx: CheckContext, found: Finding): Promise<Finding> {
  if (await readsAreStale(ctx)) notApplicable('reads of an invoice are stale: they return earlier states');
  for (const { state, ms, resolved } of found.assumedStates) {
    await skipIfChangesSpontaneously(ctx, [state], observationTimeFor(ms));
    if (resolved) await skipIfResolvedChanges(ctx, state, observationTimeFor(ms));
  }
  if (found.control) await skipUnlessControlLeads(ctx, found.control);
  return found;
}

/** The same accepted actions of the same parties on an invoice without rejected actions. */
export async function skipUnlessControlLeads(
  ctx: CheckContext,
  { actions, to }: NonNullable<Finding['control']>,
): Promise<void> {
  const invoice = await createInvoice(ctx);
  for (const { action, by } of actions) {
    const repeated = await retryWhileLocked(() => sendAction(ctx, action, invoice.id, { as: ctx.credentials(by) }));
    if (!isSuccess(repeated)) return endWithOtherControl(action);
    const led = await probeActionEffect(ctx, action);
    const state = led.to;
    if (state && !(await findSettledInvoice(ctx, { id: invoice.id, state })).isMet) return endWithOtherControl(action);
    if (state) recordInvoiceState(ctx, { id: invoice.id, state });
  }
  if (to === null) ctx.run.leftovers.recordDeleted(invoice.id);
}

function endWithOtherControl(action: InvoiceAction): never {
  return notApplicable(`the ${action} action leads to another state even without rejected actions before it`);
}

/**
 * The shortest walk with a finding of the same kind. The section is exclusive, so that other checks cannot affect its invoices.
 */
async function shrinkExclusively(ctx: CheckContext, from: Step[], found: Finding): Promise<Finding> {
  return await exclusively(ctx, (ctx) => shrinkWalk(ctx, from, found));
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
    if (!found) continue;
    const { response, expected, because } = found;
    if (response instanceof NoResponse) throw new NoResponse(response.exchange, response.requestLine, because);
    throw breach(ctx, response, expected, because);
  }
}
