import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseTarget, type Target } from '../../specs/target-file/target.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Conforming servers by authors who knew the contract but not the checks. */
export const thirdParties = {
  Python: { command: 'python3', version: ['--version'], run: [file('python/server.py')] },
  // A fast start matters more than the speed of responses.
  Java: { command: 'java', version: ['-version'], run: ['-XX:TieredStopAtLevel=1', file('java/Server.java')] },
} as const;

export type Language = keyof typeof thirdParties;

/** The dialects differ in as many open points as their authors could cover. */
export const DIALECTS = ['one', 'two'] as const;

export function isInstalled(language: Language): boolean {
  const { command, version } = thirdParties[language];
  return spawnSync(command, [...version], { stdio: 'ignore' }).status === 0;
}

export interface Running {
  target: Target;
  close: () => Promise<void>;
}

/** Starts one of the servers. It describes itself in its first line, and ends when its standard input closes. */
export async function startThirdParty(language: Language, dialect: string): Promise<Running> {
  const { command, run } = thirdParties[language];
  const server = spawn(command, [...run, '--port', '0', '--dialect', dialect], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await Promise.race([once(createInterface({ input: server.stdout }), 'line'), failed(server)])) as [
    string,
  ];
  const described = JSON.parse(line) as object;
  return {
    target: parseTarget({ ...described, allow: { reset: true } }),
    close: async () => {
      server.stdin.end();
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

async function failed(server: ChildProcess): Promise<never> {
  const [code] = (await once(server, 'exit')) as [number | null];
  throw new Error(`the server ended with ${String(code)} before it told where it listens`);
}
