import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Judged } from './judge-server.ts';
import type { ServerName } from './servers.ts';
import type { Job } from './worker.ts';

const HERE = fileURLToPath(import.meta.url);
// Built code has other file endings than the sources.
const WORKER = fileURLToPath(new URL(`./worker${extname(HERE)}`, import.meta.url));
/** Servers at work in one process: while one waits for something to show, another uses the core. */
const AT_ONCE = 6;

/** A server's verdicts, or why the kit could not get any. */
export type Outcome = { name: ServerName; judged: Judged[] } | { name: ServerName; broken: string };

/**
 * Judges all servers, a process for each core; `onOutcome` hears of each as it ends. Processes and not threads: these
 * inherit how the sources are loaded, on every Node that the kit supports.
 */
export async function judgeAll(jobs: readonly Job[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  const queue = [...jobs];
  const workers = Math.min(availableParallelism(), Math.ceil(jobs.length / AT_ONCE));
  await Promise.all(Array.from({ length: workers }, () => work(fork(WORKER), queue, onOutcome)));
}

function work(worker: ChildProcess, queue: Job[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let underWay = 0;
    const next = () => {
      const job = queue.shift();
      if (job) {
        underWay += 1;
        worker.send(job);
      } else if (underWay === 0) {
        worker.disconnect();
        resolve();
      }
    };
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (underWay > 0) reject(new Error(`a process of the proof ended with ${code} and ${underWay} servers unjudged`));
    });
    worker.on('message', (outcome: Outcome) => {
      underWay -= 1;
      onOutcome(outcome);
      if (worker.connected) next();
    });
    for (let count = 0; count < AT_ONCE && (count === 0 || queue.length > 0); count += 1) next();
  });
}
