import type { ApiResponse, Operation } from '../model/messages.ts';

const PAYMENTS: ReadonlySet<Operation> = new Set(['settle', 'treasuryWithdraw']);

/** Knows when the run last moved money, or tried to. */
export class PaymentClock {
  private latestAt = Number.NEGATIVE_INFINITY;

  observe({ request }: Pick<ApiResponse, 'request'>): void {
    if (PAYMENTS.has(request.operation)) this.latestAt = performance.now();
  }

  /** Milliseconds until the last payment was `quietMs` ago. The balance lock prevents other payments meanwhile. */
  remainingMs(quietMs: number): number {
    return Math.max(0, this.latestAt + quietMs - performance.now());
  }
}
