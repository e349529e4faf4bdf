import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { entryModule } from '../../specs/code-location.ts';
import type { ServerExamination } from './judge-server.ts';
import type { ServerName } from './servers.ts';
import type { ProofJob } from './worker.ts';

const WORKER_PATH = entryModule('cli/prove/worker');
/**
 * Total weight of the jobs in one process. Several servers share a core, because each of them often waits for delayed effects.
 */
const WORKER_CAPACITY = 32;
const MAX_SMALL_JOB_CHECKS = 50;

function jobWeight({ checks }: ProofJob): number {
  return checks.length > MAX_SMALL_JOB_CHECKS ? 2 : 1;
}

/** The verdicts on a server, or the stack of the error that prevented them. */
export type ServerOutcome = ({ name: ServerName } & ServerExamination) | { name: ServerName; broken: string };

/**
 * Judges all servers in one process per core and calls `onOutcome` after each. Uses processes and not threads, because
 * they inherit the loader of the sources on every supported version of Node.
 */
export async function runInWorkers(
  jobs: readonly ProofJob[],
  onOutcome: (outcome: ServerOutcome) => void,
): Promise<void> {
  const queue = [...jobs];
  const wanted = jobs.reduce((sum, job) => sum + jobWeight(job), 0);
  const workers = Math.min(availableParallelism(), Math.ceil(wanted / WORKER_CAPACITY));
  await Promise.all(Array.from({ length: workers }, () => runWorker(fork(WORKER_PATH), queue, onOutcome)));
}

function runWorker(
  worker: ChildProcess,
  queue: ProofJob[],
  onOutcome: (outcome: ServerOutcome) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const underWay = new Map<string, number>();
    const taken = () => [...underWay.values()].reduce((sum, room) => sum + room, 0);
    const fill = () => {
      for (let [job] = queue; job && taken() + jobWeight(job) <= WORKER_CAPACITY; [job] = queue) {
        queue.shift();
        underWay.set(serverKey(job), jobWeight(job));
        worker.send(job);
      }
      if (underWay.size > 0) return;
      worker.disconnect();
      resolve();
    };
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (underWay.size > 0)
        reject(
          new Error(
            `a worker process of the proof exited with code ${code} before ${underWay.size} servers were judged`,
          ),
        );
    });
    worker.on('message', (outcome: ServerOutcome) => {
      underWay.delete(serverKey(outcome.name));
      onOutcome(outcome);
      if (worker.connected) fill();
    });
    fill();
  });
}

function serverKey({ kind, id }: ServerName): string {
  return `${kind} ${id}`;
}
