import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const OPTIONS: Record<Shell, readonly string[]> = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] };

/** Rejects with the message of the shell if the script is not valid for it. */
export async function assertSyntax(shell: Shell, script: string): Promise<void> {
  await run(shell, [...OPTIONS[shell], '-n', script]);
}

/** What the shell completes after the line, sorted. The start of the word that the shells repeat is left out. */
export async function completions(shell: Shell, script: string, line: string, cwd: string): Promise<string[]> {
  const driver = fileURLToPath(new URL(`completions.${shell}`, import.meta.url));
  const args = shell === 'bash' ? bashWords(line) : [line];
  const { stdout } = await run(shell, [...OPTIONS[shell], driver, script, ...args], { cwd, timeout: 60_000 });
  const found =
    shell === 'zsh'
      ? [...stdout.matchAll(/<([^>]*)>/g)].map(([, each = '']) => each.replaceAll('\\', ''))
      : stdout.split('\n').map((each) => each.split('\t')[0] ?? '');
  const names = found.map((each) => each.replace(/^.*[=,]/, '').replace(/\/$/, '')).filter((each) => each !== '');
  return [...new Set(names)].sort();
}

/** bash separates the equals sign, too. */
function bashWords(line: string): string[] {
  return line.split(/ |(?==)|(?<==)/);
}
