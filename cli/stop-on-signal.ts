import { stopChannel } from '../engine/plan.ts';
import { EXIT } from './exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const REPEAT_EVERY_MS = 100;
/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const SAME_KEYSTROKE_MS = 1000;

/**
 * Ends a run on Ctrl-C or SIGTERM: it stops asking, tidies up and leaves its report; once more ends the process at once.
 * The answer takes the listeners off again.
 */
export function stopOnSignal(runId: string): () => void {
  const channel = new BroadcastChannel(stopChannel(runId));
  let since: number | null = null;
  let repeating: NodeJS.Timeout | undefined;
  const stop = () => {
    const now = performance.now();
    if (since !== null) {
      if (now - since > SAME_KEYSTROKE_MS) process.exit(EXIT.inconclusive);
      return;
    }
    since = now;
    console.error('\nStopping: no new requests; removing what the run has created. Once more to end at once.');
    // The worker may not be listening yet.
    channel.postMessage('stop');
    repeating = setInterval(() => channel.postMessage('stop'), REPEAT_EVERY_MS);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    clearInterval(repeating);
    channel.close();
  };
}
