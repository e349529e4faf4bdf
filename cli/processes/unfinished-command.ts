import { EXIT } from '../../specs/exit-codes.ts';

/** The exit codes with which the kit itself ends a process early: after a second Ctrl-C, or if stdout fails. */
const OWN_CODES: ReadonlySet<number> = new Set([EXIT.inconclusive, EXIT.broken]);

/**
 * Gives a process an error message and an exit code if it ends before its command: a module of custom checks may call `process.exit`, or
 * wait for a promise that never settles. Call the returned function when the command has ended.
 */
export function watchUnfinishedCommand(argv: readonly string[]): () => void {
  const isCustom = argv.some((word) => word === '--custom-checks' || word.startsWith('--custom-checks='));
  const onExit = (code: number) => {
    if (OWN_CODES.has(code)) return;
    process.exitCode = isCustom ? EXIT.usage : EXIT.broken;
    const why = isCustom
      ? '--custom-checks: the process ended before the command did; remove process.exit and waits that never end from these files'
      : 'internal error of the kit: the process ended before the command did';
    process.stderr.write(`conformance: ${why}\n`);
  };
  process.on('exit', onExit);
  return () => void process.off('exit', onExit);
}
