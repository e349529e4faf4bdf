import { setMaxListeners } from 'node:events';
import type { CheckId } from '../../specs/generated/ids.ts';
import { examineServer } from './judge-server.ts';
import { findServer, type ServerName } from './servers.ts';

export interface ProofJob extends ServerName {
  checks: CheckId[];
}

// The concurrent requests of one run all listen to its one stop signal.
setMaxListeners(0);

process.on('message', async ({ checks, ...name }: ProofJob) => {
  try {
    process.send?.({ name, ...(await examineServer(findServer(name), checks)) });
  } catch (error) {
    process.send?.({ name, broken: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

// Nobody is left to tell it to; and whoever waits for the end of this output must not wait for what a server has left open.
process.on('disconnect', () => process.exit());
