import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Examined } from './judge-server.ts';
import type { ServerName } from './servers.ts';
import type { Job } from './worker.ts';

const HERE = fileURLToPath(import.meta.url);
// Built code has other file endings than the sources.
const WORKER = fileURLToPath(new URL(`./worker${extname(HERE)}`, import.meta.url));
/**
 * What one process has room for: while one server waits for something to show, others use the core. A run of all checks takes much of
 * it, one of a few hardly any.
 */
const ROOM = 24;
const MANY_CHECKS = 50;

function roomFor({ checks }: Job): number {
  return checks.length > MANY_CHECKS ? 2 : 1;
}

/** A server's verdicts, or why the kit could not get any. */
export type Outcome = ({ name: ServerName } & Examined) | { name: ServerName; broken: string };

/**
 * Judges all servers, a process for each core; `onOutcome` hears of each as it ends. Processes and not threads: these
 * inherit how the sources are loaded, on every Node that the kit supports.
 */
export async function judgeAll(jobs: readonly Job[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  const queue = [...jobs];
  const wanted = jobs.reduce((sum, job) => sum + roomFor(job), 0);
  const workers = Math.min(availableParallelism(), Math.ceil(wanted / ROOM));
  await Promise.all(Array.from({ length: workers }, () => work(fork(WORKER), queue, onOutcome)));
}

function work(worker: ChildProcess, queue: Job[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const underWay = new Map<string, number>();
    const taken = () => [...underWay.values()].reduce((sum, room) => sum + room, 0);
    const fill = () => {
      for (let [job] = queue; job && taken() + roomFor(job) <= ROOM; [job] = queue) {
        queue.shift();
        underWay.set(nameOf(job), roomFor(job));
        worker.send(job);
      }
      if (underWay.size > 0) return;
      worker.disconnect();
      resolve();
    };
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (underWay.size > 0)
        reject(new Error(`a process of the proof ended with ${code} and ${underWay.size} servers unjudged`));
    });
    worker.on('message', (outcome: Outcome) => {
      underWay.delete(nameOf(outcome.name));
      onOutcome(outcome);
      if (worker.connected) fill();
    });
    fill();
  });
}

function nameOf({ kind, id }: ServerName): string {
  return `${kind} ${id}`;
}
