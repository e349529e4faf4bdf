import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Report, report } from '../../../specs/formats/report.ts';

/** The built command, as in the package. It is built before the tests begin. */
export const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const LONGEST_MS = 150_000;

/** One or two processes may take this long on a busy machine. */
export const patient = { testTimeout: 2 * LONGEST_MS, hookTimeout: 2 * LONGEST_MS };

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Settings {
  env?: Record<string, string>;
  cwd?: string;
  /** Receives a function that sends a signal, once the command runs. */
  onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  onOutput?: (stdout: string, stderr: string) => void;
}

/** Runs the kit with one command line in a process of its own, without the environment of this process. */
export function conformance(args: readonly string[], settings: Settings = {}): Promise<Finished> {
  return node([MAIN, ...args], settings);
}

/** Runs the same from the sources, as in a clone. */
export function conformanceInClone(args: readonly string[], settings: Settings = {}): Promise<Finished> {
  return node(['--import', LOADER, SOURCE, ...args], settings);
}

/** Runs a Node program until it exits. */
export function node(args: readonly string[], { env, cwd, onStart, onOutput }: Settings): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, args, {
      cwd: cwd ?? tmpdir(),
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    let [stdout, stderr] = ['', ''];
    const told = () => onOutput?.(stdout, stderr);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      told();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      told();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    onStart?.((signal) => child.kill(signal));
  });
}

/** A temporary folder. `remove` deletes it with its content. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'kit-cli-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The report.json of a folder. Throws if it does not match its schema. */
export function reportIn(folder: string): Report {
  return report.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')));
}

/** The kinds of the journal's records, in order. */
export function kindsIn(folder: string): string[] {
  const lines = readFileSync(join(folder, 'evidence.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
}
