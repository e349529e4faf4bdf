import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { performableActions } from '../adaptation/performable-actions.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { IRREVERSIBLE_ACTIONS, isIrreversible } from '../context/leftover-reason.ts';
import { observationTimeFor, skipIfChangesDuringExclusive } from '../controls/spontaneous-change.ts';
import { readsAreStale } from '../controls/stale-reads.ts';
import { createIdenticalInvoices } from '../fixtures/identical-invoices.ts';
import { addSpareInvoice } from '../fixtures/spare-invoices.ts';
import { performAction } from '../invoices/acting-party.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import { findInvoice, hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import {
  type Invoice,
  InvoiceStateChanged,
  isInvoiceState,
  moveToState,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';

/** An invoice that was not where it had been left, when an action that names another one was done. */
interface UnexpectedChange {
  invoice: Invoice;
  became: string;
  /** To the action. */
  response: ApiResponse;
  readResponse: ApiResponse;
}

/** Two that nothing but id and description tells apart. */
interface BystanderPair {
  named: Invoice;
  other: Invoice;
}

/** What came of an action: the pair where the other one was left alone, `moved before` where one of them has not waited for it. */
type PairOutcome = UnexpectedChange | BystanderPair | 'moved before' | 'not done';

const isUnexpectedChange = (outcome: PairOutcome): outcome is UnexpectedChange =>
  typeof outcome !== 'string' && 'became' in outcome;
const isPair = (outcome: PairOutcome): outcome is BystanderPair => typeof outcome !== 'string' && 'named' in outcome;

/**
 * Performs every action beside an invoice that differs from the one it names in nothing but id and description. Throws a Breach for an
 * action that moves both, otherwise tells how many were seen to move one.
 */
export async function expectOthersUnchanged(ctx: CheckContext): Promise<number> {
  const done = await Promise.all(
    actionChains(performableActions(ctx)).map((chain) => expectOthersUnchangedBy(ctx, chain)),
  );
  return done.reduce((sum, each) => sum + each, 0);
}

/** What is approved stays behind: the two of an approval are those of a settlement, too. */
function actionChains(actions: readonly InvoiceAction[]): InvoiceAction[][] {
  return [
    IRREVERSIBLE_ACTIONS.filter((action) => actions.includes(action)),
    ...actions.filter((action) => !isIrreversible(action)).map((action) => [action]),
  ];
}

async function expectOthersUnchangedBy(ctx: CheckContext, chain: readonly InvoiceAction[]): Promise<number> {
  let pair: BystanderPair | null = null;
  let done = 0;
  for (const action of chain) {
    const outcome = await expectBystanderUnchanged(ctx, action, pair);
    pair = isPair(outcome) ? outcome : null;
    if (pair) done += 1;
  }
  if (pair) addSpareInvoice(ctx, pair.other);
  return done;
}

async function expectBystanderUnchanged(
  ctx: CheckContext,
  action: InvoiceAction,
  pair: BystanderPair | null,
): Promise<PairOutcome> {
  const first = await withBystander(ctx, action, pair);
  if (isPair(first) || first === 'not done') return first;
  // It may be what another check has done that moved it: now nobody else does anything. Nor is it what comes by every minute.
  const again = await exclusively(ctx, async () => [
    await withBystander(ctx, action),
    await withBystander(ctx, action),
  ]);
  const [stray] = again.filter(isUnexpectedChange);
  if (!stray || !again.every(isUnexpectedChange)) return again.find(isPair) ?? 'not done';
  if (await readsAreStale(ctx)) return 'not done';
  const { invoice, became, response, readResponse } = stray;
  await skipIfChangesDuringExclusive(
    ctx,
    [invoice.state],
    observationTimeFor(readResponse.sentAt - invoice.created.sentAt),
  );
  const because = `${action} named another invoice, and this one is ${became} now`;
  throw breach(ctx, response, `invoice ${invoice.id} still ${invoice.state}`, because, [readResponse]);
}

/** The action is performed on one of two. */
async function withBystander(
  ctx: CheckContext,
  action: InvoiceAction,
  pair: BystanderPair | null = null,
): Promise<PairOutcome> {
  const state = stateOffering(action);
  try {
    const { named, other } = pair ?? (await createIdenticalPair(ctx));
    // One after the other: where the way there moves more than what it names, it is found at the first step.
    await moveToState(ctx, named, state);
    await moveToState(ctx, other, state);
    const response = await performAction(ctx, action, named.id);
    if (!isSuccess(response))
      return (await findInvoice(ctx, named.id)).record?.status === state ? 'not done' : 'moved before';
    const { record } = await waitForInvoice(ctx, named.id, hasLeftState(state, action === 'delete'));
    if (!record) ctx.run.recordDeleted(named.id);
    else if (isInvoiceState(record.status)) {
      named.state = record.status;
      recordInvoiceState(ctx, named);
    }
    const { held, record: found, response: seen } = await waitForInvoice(ctx, other.id, (now) => now?.status === state);
    if (held) return { named, other };
    return { invoice: other, became: String(found?.status ?? 'gone'), response: response, readResponse: seen };
  } catch (error) {
    if (error instanceof InvoiceStateChanged) return 'moved before';
    if (error instanceof Blocked || error instanceof NotApplicable) return 'not done';
    throw error;
  }
}

async function createIdenticalPair(ctx: CheckContext): Promise<BystanderPair> {
  const [named, other] = (await createIdenticalInvoices(ctx, 2)) as [Invoice, Invoice];
  return { named, other };
}
