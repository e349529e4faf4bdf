import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import { IRREVERSIBLE_ACTIONS } from '../../specs/contract/lifecycle.ts';
import { performableActions } from '../adaptation/performable-actions.ts';
import { type ApiResponse, isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { observationTimeFor, skipIfChangesDuringExclusive } from '../controls/spontaneous-change.ts';
import { readsAreStale } from '../controls/stale-reads.ts';
import { createIdenticalInvoices } from '../fixtures/identical-invoices.ts';
import { addSpareInvoice } from '../fixtures/spare-invoices.ts';
import { performAction } from '../invoices/acting-party.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import { findInvoice, findSettledInvoice, waitUntilLeft } from '../invoices/find-invoice.ts';
import {
  type Invoice,
  InvoiceStateChanged,
  isInvoiceState,
  moveToState,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';

/** An invoice whose state changed during an action on another invoice. */
interface UnexpectedChange {
  invoice: Invoice;
  became: string;
  /** The response to the action. */
  response: ApiResponse;
  readResponse: ApiResponse;
}

/** Two invoices that differ only in id and description. */
interface BystanderPair {
  named: Invoice;
  other: Invoice;
}

/** The pair where the other invoice is unchanged; `moved before` if one of them changed before the action. */
type PairOutcome = UnexpectedChange | BystanderPair | 'moved before' | 'not done';

const isUnexpectedChange = (outcome: PairOutcome): outcome is UnexpectedChange =>
  typeof outcome !== 'string' && 'became' in outcome;
const isPair = (outcome: PairOutcome): outcome is BystanderPair => typeof outcome !== 'string' && 'named' in outcome;

/**
 * Performs every action on one of two invoices that differ only in id and description. Throws a Breach if the other one
 * changes, otherwise returns the number of actions tried.
 */
export async function expectOthersUnchanged(ctx: CheckContext): Promise<number> {
  const done = await Promise.all(
    actionChains(performableActions(ctx)).map((chain) => expectOthersUnchangedBy(ctx, chain)),
  );
  return done.reduce((sum, each) => sum + each, 0);
}

/** Actions that use the same pair, one after the other. Approved invoices cannot be removed, so settle reuses the pair of approve. */
const CHAINS: readonly (readonly InvoiceAction[])[] = [
  IRREVERSIBLE_ACTIONS,
  ['submit', 'cancel'],
  ['dispute', 'resolve'],
  ['delete'],
];

function actionChains(actions: readonly InvoiceAction[]): InvoiceAction[][] {
  return CHAINS.map((chain) => chain.filter((action) => actions.includes(action)));
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
  // Another check may have changed the invoice, so the repetitions run in an exclusive section. Two of them exclude a periodic
  // job.
  const again = await exclusively(ctx, async (ctx) => [
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
  const because = `the ${action} action was performed on another invoice, but this one is now ${became}`;
  throw breach(ctx, response, `invoice ${invoice.id} still ${invoice.state}`, because, [readResponse]);
}

/** Performs the action on one invoice of the pair. */
async function withBystander(
  ctx: CheckContext,
  action: InvoiceAction,
  pair: BystanderPair | null = null,
): Promise<PairOutcome> {
  const state = stateOffering(action);
  try {
    const { named, other } = pair ?? (await createIdenticalPair(ctx));
    // Sequentially, so that a defect in the earlier transitions shows at the first one.
    await moveToState(ctx, named, state);
    await moveToState(ctx, other, state);
    const response = await performAction(ctx, action, named.id);
    if (!isSuccess(response))
      return (await findInvoice(ctx, named.id)).record?.status === state ? 'not done' : 'moved before';
    const { record } = await waitUntilLeft(ctx, named.id, { from: state, by: action, mayBeGone: action === 'delete' });
    if (!record) ctx.run.leftovers.recordDeleted(named.id);
    else if (isInvoiceState(record.status)) {
      named.state = record.status;
      recordInvoiceState(ctx, named);
    }
    const { isMet, record: found, response: seen } = await findSettledInvoice(ctx, { id: other.id, state: state });
    if (isMet) return { named, other };
    return { invoice: other, became: String(found?.status ?? 'gone'), response, readResponse: seen };
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
