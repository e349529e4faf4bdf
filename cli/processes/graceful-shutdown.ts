import { BroadcastChannel } from 'node:worker_threads';
import { stopChannelName } from '../../engine/run/run-plan.ts';
import { EXIT } from '../../specs/exit-codes.ts';

/** The signals that stop a run. Windows ends the process soon after its window is closed. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
const REPEAT_INTERVAL_MS = 100;
/** Under npm, one Ctrl-C arrives twice: from the terminal and from npm. */
const DUPLICATE_SIGNAL_MS = 1000;

/**
 * Stops a run on SIGINT, SIGTERM or SIGHUP: no new requests, then clean-up and report. A second signal exits immediately.
 */
export class GracefulShutdown {
  private readonly controller = new AbortController();
  private channel: BroadcastChannel | undefined;
  private repeatTimer: NodeJS.Timeout | undefined;
  private firstSignalAt: number | null = null;
  /** Why the run stops, as a clause about the run. */
  private reason = '';
  private readonly listener = (signal: NodeJS.Signals) => this.onSignal(signal);

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, this.listener);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Forwards the stop to the worker of the run. */
  forwardTo(runId: string): void {
    this.channel = new BroadcastChannel(stopChannelName(runId));
    if (this.signal.aborted) this.forward();
  }

  release(): void {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, this.listener);
    clearInterval(this.repeatTimer);
    this.channel?.close();
  }

  private onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (this.firstSignalAt !== null) {
      if (now - this.firstSignalAt > DUPLICATE_SIGNAL_MS) process.exit(EXIT.inconclusive);
      return;
    }
    this.firstSignalAt = now;
    this.reason = signal === 'SIGINT' ? 'it was stopped with Ctrl-C' : `it received ${signal}`;
    console.error(
      '\nStopping: no new requests; removing the invoices and subscriptions of this run. Interrupt again to exit immediately.',
    );
    this.controller.abort();
    this.forward();
  }

  private forward(): void {
    const { channel, reason } = this;
    if (!channel) return;
    channel.postMessage(reason);
    // The worker may not be listening yet.
    this.repeatTimer = setInterval(() => channel.postMessage(reason), REPEAT_INTERVAL_MS);
  }
}
