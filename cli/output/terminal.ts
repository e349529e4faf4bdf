import { systemErrorCode } from '../../engine/model/system-error.ts';
import { EXIT } from '../../specs/exit-codes.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Output {
  readonly isTTY?: boolean | undefined;
}

/** Whether a stream gets colours: never with NO_COLOR, always with FORCE_COLOR, otherwise on a terminal. */
export function hasColors({ isTTY }: Output, env: Environment = process.env): boolean {
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return !/^(0|false)$/i.test(env.FORCE_COLOR ?? '');
  return hasCursor({ isTTY }, env);
}

/** Whether the stream is a terminal that can update a written line. */
export function hasCursor({ isTTY = false }: Output, env: Environment = process.env): boolean {
  return isTTY && env.TERM !== 'dumb';
}

/** Whether a command may ask questions: in a terminal, and not in a CI job, where no one can reply. */
export function canAsk(
  { stdin, stdout }: { stdin: Output; stdout: Output } = process,
  env: Environment = process.env,
): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && (!isSet(env.CI) || /^(0|false)$/i.test(env.CI ?? ''));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

const CLOSED_PIPE_CODES: ReadonlySet<string> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/**
 * Lets a command finish its work when a reader such as `head` or the terminal goes away, or when stderr cannot be written. When the
 * result cannot be written to stdout, the command ends with exit 4, never with the exit code of a verdict.
 */
export function handleBrokenPipes(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', exitWithoutResult);
}

/** Waits until stdout is flushed or fails. An earlier exit would hide lost output. */
export async function waitForOutput(): Promise<void> {
  const error = await new Promise<Error | null | undefined>((resolve) => process.stdout.write('', resolve));
  if (error) exitWithoutResult(error);
}

function exitWithoutResult(error: Error): void {
  const code = systemErrorCode(error);
  if (CLOSED_PIPE_CODES.has(code)) return;
  process.stderr.write(`conformance: standard output cannot be written (${code})\n`);
  process.exit(EXIT.broken);
}
