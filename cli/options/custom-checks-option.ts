import { type Command, InvalidArgumentError, Option } from 'commander';

export interface CustomChecksOptions {
  /** Files with custom checks. */
  customChecks?: string[];
}

/** Every shard would run the custom checks, so the option excludes `--shard`. */
export function withCustomChecksOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--custom-checks <file>',
      'file with custom checks, which the report shows in their own area; repeat the option for several files',
    )
      .argParser((text: string, before: readonly string[] = []) => {
        if (text.trim() === '') throw new InvalidArgumentError('name a file with custom checks.');
        return [...before, text];
      })
      .conflicts('shard'),
  );
}
