import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery, WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { CheckContext } from '../context/check.ts';
import { takeSpareInvoice } from '../fixtures/spare-invoices.ts';
import { createInvoiceInState, type Invoice, ifReachable, moveToState } from '../invoices/invoices.ts';
import { mentionOf } from './invoice-mention.ts';
import { isAnnounced, waitForDeliveries } from './subscriptions.ts';

/** How long, in milliseconds, the settlement waits for further subscribers. */
const JOIN_WINDOW_MS = 250;
const MAX_JOIN_WINDOWS = 4;

/** A planned settlement and the number of callers that wait for it. */
interface PendingSettlement {
  asked: { count: number };
  companions: Companion[];
  settled: Promise<Invoice>;
}

/** Requests that a caller sends while the settlement is processed. */
type Companion = () => Promise<unknown>;

const pending = runState((): { settlement: PendingSettlement | null } => ({ settlement: null }));

/** Settles one ordinary invoice for all concurrent callers, because a settled invoice cannot be removed. */
export async function createSharedSettlement(ctx: CheckContext, ...companions: Companion[]): Promise<Invoice> {
  const underWay = pending(ctx.run).settlement;
  if (underWay) underWay.asked.count += 1;
  const next = underWay ?? scheduleSettlement(ctx);
  next.companions.push(...companions);
  const invoice = await next.settled;
  ctx.addEvidence([invoice.created]);
  return invoice;
}

function scheduleSettlement(ctx: CheckContext): PendingSettlement {
  const asked = { count: 1 };
  const companions: Companion[] = [];
  const next = { asked, companions, settled: waitForJoiners(asked).then(() => settleInvoice(ctx, companions)) };
  pending(ctx.run).settlement = next;
  return next;
}

async function waitForJoiners(asked: PendingSettlement['asked']): Promise<void> {
  let before: number;
  let gatherings = 0;
  do {
    before = asked.count;
    await pause(JOIN_WINDOW_MS);
    gatherings += 1;
  } while (before < asked.count && gatherings < MAX_JOIN_WINDOWS);
}

async function settleInvoice(ctx: CheckContext, companions: readonly Companion[]): Promise<Invoice> {
  // A later subscriber may miss this settlement.
  pending(ctx.run).settlement = null;
  if (companions.length === 0) return await createInvoiceInState(ctx, 'SETTLED');
  const approved = await createInvoiceInState(ctx, 'APPROVED');
  const [settled] = await Promise.all([
    moveToState(ctx, approved, 'SETTLED'),
    ...companions.map((send) => ifReachable(() => sendWithPayment(ctx, send))),
  ]);
  return settled;
}

/** The settlement may have to wait for a check that compares balances. */
async function sendWithPayment(ctx: CheckContext, send: Companion): Promise<void> {
  await ctx.run.balanceLock.payment(ctx.lockOwner, async () => {});
  await send();
}

/**
 * Whether the settlement of a spare invoice is delivered. Invoices that are older than the subscription are judged by another
 * check.
 */
export async function isSpareSettlementAnnounced(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  path: string,
  withinMs: number,
): Promise<boolean> {
  const invoice = await takeSpareInvoice(ctx);
  const [settled] = invoice ? await ifReachable(() => moveToState(ctx, invoice, 'SETTLED')) : [];
  return settled !== undefined && (await isAnnounced(ctx, settled.id, { inbox, path, withinMs }));
}

/**
 * Whether a settlement after the first one is delivered, too. If the payloads contain no invoice id, any further delivery
 * counts.
 */
export async function isSecondSettlementAnnounced(
  ctx: CheckContext,
  inbox: WebhookReceiver,
  path: string,
  { withinMs, hasInvoiceIds }: { withinMs: number; hasInvoiceIds: boolean },
): Promise<boolean> {
  const before = new Set(await waitForDeliveries(inbox, path, 0));
  if (hasInvoiceIds && (await isSpareSettlementAnnounced(ctx, inbox, path, withinMs))) return true;
  const second = await createSharedSettlement(ctx);
  const isAbout = await mentionOf(ctx, second.id);
  const isOfSecond = (delivery: Delivery) => (hasInvoiceIds ? isAbout(delivery) : !before.has(delivery));
  return (await waitForDeliveries(inbox, path, withinMs, isOfSecond)).length > 0;
}
