import type { ApiResponse, Operation } from '../model/messages.ts';

const PAYMENTS: ReadonlySet<Operation> = new Set(['settle', 'treasuryWithdraw']);

/** Knows when the run last moved money, or tried to. */
export class PaymentClock {
  private firstAt: number | undefined;
  private latestAt = Number.NEGATIVE_INFINITY;
  private settledAt = Number.NEGATIVE_INFINITY;
  private acceptsForLater = false;

  observe({ request, status }: Pick<ApiResponse, 'request' | 'status'>): void {
    if (PAYMENTS.has(request.operation)) {
      this.latestAt = performance.now();
      this.firstAt ??= this.latestAt;
    }
    if (request.operation !== 'settle') return;
    if (status < 400 || status >= 500) this.settledAt = performance.now();
    if (status === 202) this.acceptsForLater = true;
  }

  /** Whether the server has accepted a settlement with 202, so that the money may move after the response. */
  get queuesSettlements(): boolean {
    return this.acceptsForLater;
  }

  /** Milliseconds until the first payment was `ms` ago; 0 without a payment. */
  remainingSinceFirstMs(ms: number): number {
    return this.firstAt === undefined ? 0 : Math.max(0, this.firstAt + ms - performance.now());
  }

  /** Milliseconds until the last payment was `quietMs` ago. The balance lock prevents other payments meanwhile. */
  remainingMs(quietMs: number): number {
    return Math.max(0, this.latestAt + quietMs - performance.now());
  }

  /** As `remainingMs`, for the settlements that the server did not reject. */
  remainingSinceSettlementMs(quietMs: number): number {
    return Math.max(0, this.settledAt + quietMs - performance.now());
  }
}
