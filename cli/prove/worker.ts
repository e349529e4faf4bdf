import { setMaxListeners } from 'node:events';
import type { CheckId } from '../../specs/generated/ids.ts';
import { examineServer } from './judge-server.ts';
import { findServer, type ServerName } from './servers.ts';

export interface ProofJob extends ServerName {
  checks: CheckId[];
  /** Maximum number of requests. */
  budget?: number;
}

// All concurrent requests of a run listen to the same stop signal.
setMaxListeners(0);

process.on('message', async ({ checks, budget, ...name }: ProofJob) => {
  try {
    process.send?.({ name, ...(await examineServer(findServer(name), checks, { budget })) });
  } catch (error) {
    process.send?.({ name, broken: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

// The parent process is gone. Open sockets of a server must not keep this process and its output stream alive.
process.on('disconnect', () => process.exit());
