import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './root.ts';

const PROCESS_TIMEOUT_MS = 600_000;

export const COMMAND = join(ROOT, 'dist/cli/main.js');
const SOURCES = join(ROOT, 'cli/main.ts');
const USAGE_HOOK = fileURLToPath(new URL('children/usage-at-exit.mjs', import.meta.url));

/** Contains all files of the benchmark. */
export const scratchFolder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
const servers: ChildProcess[] = [];

/** Starts a server process and waits until it is ready. */
export async function startServer(script: string, ...args: string[]): Promise<{ baseUrl: string; target: object }> {
  const child = fork(fileURLToPath(new URL(`children/${script}`, import.meta.url)), args);
  servers.push(child);
  const [ready] = (await once(child, 'message')) as [{ baseUrl: string; target: object }];
  return ready;
}

/** Ends all server processes. */
export function stopServers(): void {
  for (const child of servers.splice(0)) child.disconnect();
}

export function cleanUp(): void {
  stopServers();
  rmSync(scratchFolder, { recursive: true, force: true });
}

export interface ProcessResult {
  code: number | null;
  output: string;
  wallMs: number;
  cpuMs: number;
  peakMb: number;
}

/** Runs a Node program and waits for its end. */
export async function runNode(args: readonly string[]): Promise<ProcessResult> {
  const usage = join(scratchFolder, 'usage.json');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', USAGE_HOOK, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BENCH_USAGE: usage },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PROCESS_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const wallMs = performance.now() - started;
  const used = JSON.parse(readFileSync(usage, 'utf8')) as Pick<ProcessResult, 'cpuMs' | 'peakMb'>;
  return { code, output, wallMs, ...used };
}

/** Runs the built command. Throws unless it exits with code 0. */
export async function runCommand(args: readonly string[]): Promise<ProcessResult> {
  return assertConformant(await runNode([COMMAND, ...args]));
}

/** Like `runCommand`, from the sources. */
export async function runCommandFromSources(args: readonly string[]): Promise<ProcessResult> {
  return assertConformant(await runNode(['--import', 'tsx', SOURCES, ...args]));
}

function assertConformant(ended: ProcessResult): ProcessResult {
  if (ended.code !== 0) throw new Error(`the command exited with code ${ended.code}:\n${ended.output}`);
  return ended;
}

/** A file in the scratch folder with this content. */
export function writeScratchFile(name: string, content: unknown): string {
  const path = join(scratchFolder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

let folderCount = 0;

/** The path of a folder that does not exist yet. */
export function newFolderPath(): string {
  folderCount += 1;
  return join(scratchFolder, `run-${folderCount}`);
}
