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
import { exclusively } from '../invoices/exclusively.ts';
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
export async function expectOthersUnchanged(lab: CheckContext): Promise<number> {
  const done = await Promise.all(
    actionChains(performableActions(lab)).map((chain) => expectOthersUnchangedBy(lab, chain)),
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

async function expectOthersUnchangedBy(lab: CheckContext, chain: readonly InvoiceAction[]): Promise<number> {
  let pair: BystanderPair | null = null;
  let done = 0;
  for (const action of chain) {
    const outcome = await expectBystanderUnchanged(lab, action, pair);
    pair = isPair(outcome) ? outcome : null;
    if (pair) done += 1;
  }
  if (pair) addSpareInvoice(lab, pair.other);
  return done;
}

async function expectBystanderUnchanged(
  lab: CheckContext,
  action: InvoiceAction,
  pair: BystanderPair | null,
): Promise<PairOutcome> {
  const first = await withBystander(lab, action, pair);
  if (isPair(first) || first === 'not done') return first;
  // It may be what another check has done that moved it: now nobody else does anything. Nor is it what comes by every minute.
  const again = await exclusively(lab, async () => [
    await withBystander(lab, action),
    await withBystander(lab, action),
  ]);
  const [stray] = again.filter(isUnexpectedChange);
  if (!stray || !again.every(isUnexpectedChange)) return again.find(isPair) ?? 'not done';
  if (await readsAreStale(lab)) return 'not done';
  const { invoice, became, response: answer, readResponse: seen } = stray;
  await skipIfChangesDuringExclusive(lab, [invoice.state], observationTimeFor(seen.sentAt - invoice.created.sentAt));
  const because = `${action} named another invoice, and this one is ${became} now`;
  throw breach(lab, answer, `invoice ${invoice.id} still ${invoice.state}`, because, [seen]);
}

/** The action is performed on one of two. */
async function withBystander(
  lab: CheckContext,
  action: InvoiceAction,
  pair: BystanderPair | null = null,
): Promise<PairOutcome> {
  const state = stateOffering(action);
  try {
    const { named, other } = pair ?? (await createIdenticalPair(lab));
    // One after the other: where the way there moves more than what it names, it is found at the first step.
    await moveToState(lab, named, state);
    await moveToState(lab, other, state);
    const answer = await performAction(lab, action, named.id);
    if (!isSuccess(answer))
      return (await findInvoice(lab, named.id)).record?.status === state ? 'not done' : 'moved before';
    const { record } = await waitForInvoice(lab, named.id, hasLeftState(state, action === 'delete'));
    if (!record) lab.run.recordDeleted(named.id);
    else if (isInvoiceState(record.status)) {
      named.state = record.status;
      recordInvoiceState(lab, named);
    }
    const { held, record: found, response: seen } = await waitForInvoice(lab, other.id, (now) => now?.status === state);
    if (held) return { named, other };
    return { invoice: other, became: String(found?.status ?? 'gone'), response: answer, readResponse: seen };
  } catch (error) {
    if (error instanceof InvoiceStateChanged) return 'moved before';
    if (error instanceof Blocked || error instanceof NotApplicable) return 'not done';
    throw error;
  }
}

async function createIdenticalPair(lab: CheckContext): Promise<BystanderPair> {
  const [named, other] = (await createIdenticalInvoices(lab, 2)) as [Invoice, Invoice];
  return { named, other };
}
