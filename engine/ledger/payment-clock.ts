import type { ApiResponse, Operation } from '../model/messages.ts';

const PAYMENTS: ReadonlySet<Operation> = new Set(['settle', 'treasuryWithdraw']);

type PaymentResponse = Pick<ApiResponse, 'request' | 'status' | 'mayHaveDuplicatedMutation'>;

/** Whether the invoice of a settlement may be paid: the server did not reject it, or may have accepted an earlier attempt. */
export function mayHaveSettled({ request, status, mayHaveDuplicatedMutation }: PaymentResponse): boolean {
  return request.operation === 'settle' && (mayHaveDuplicatedMutation || status < 400 || status >= 500);
}

/** Knows when the run last moved money, or tried to. */
export class PaymentClock {
  private firstAt: number | undefined;
  private latestAt = Number.NEGATIVE_INFINITY;
  private settledAt = Number.NEGATIVE_INFINITY;
  private acceptsForLater = false;

  observe(response: PaymentResponse): void {
    const { request, status } = response;
    if (PAYMENTS.has(request.operation)) {
      this.latestAt = performance.now();
      this.firstAt ??= this.latestAt;
    }
    if (mayHaveSettled(response)) this.settledAt = performance.now();
    if (request.operation === 'settle' && status === 202) this.acceptsForLater = true;
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

  /** As `remainingMs`, for the settlements after which an invoice may be paid. */
  remainingSinceSettlementMs(quietMs: number): number {
    return Math.max(0, this.settledAt + quietMs - performance.now());
  }
}
