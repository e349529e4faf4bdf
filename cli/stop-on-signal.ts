import { BroadcastChannel } from 'node:worker_threads';
import { stopChannelName } from '../engine/run/run-plan.ts';
import { EXIT } from './exit-codes.ts';

/** What ends a run in order. Windows ends the process itself soon after a closed window. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
const REPEAT_INTERVAL_MS = 100;
/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const DUPLICATE_SIGNAL_MS = 1000;

/**
 * Ends a run on Ctrl-C, on SIGTERM or with its terminal: it stops asking, tidies up and leaves its report; once more ends the process at once.
 */
export class GracefulShutdown {
  private readonly stopping = new AbortController();
  private channel: BroadcastChannel | undefined;
  private repeating: NodeJS.Timeout | undefined;
  private since: number | null = null;
  private readonly hear = () => this.heard();

  constructor() {
    for (const signal of STOP_SIGNALS) process.on(signal, this.hear);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Passes the stop on to the worker that carries the run. */
  tell(runId: string): void {
    this.channel = new BroadcastChannel(stopChannelName(runId));
    if (this.signal.aborted) this.pass();
  }

  release(): void {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, this.hear);
    clearInterval(this.repeating);
    this.channel?.close();
  }

  private heard(): void {
    const now = performance.now();
    if (this.since !== null) {
      if (now - this.since > DUPLICATE_SIGNAL_MS) process.exit(EXIT.inconclusive);
      return;
    }
    this.since = now;
    console.error('\nStopping: no new requests; removing what the run has created. Once more to end at once.');
    this.stopping.abort();
    this.pass();
  }

  private pass(): void {
    const { channel } = this;
    if (!channel) return;
    channel.postMessage('stop');
    // The worker may not be listening yet.
    this.repeating = setInterval(() => channel.postMessage('stop'), REPEAT_INTERVAL_MS);
  }
}
