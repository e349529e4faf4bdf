import { type Command, Option } from 'commander';
import {
  defaultFormats,
  formatNames,
  type JunitBlocked,
  junitBlockedOption,
  type OutputFormat,
  parseFormats,
} from './formats-option.ts';
import { nonEmptyParser } from './option-values.ts';

export interface OutputOptions {
  out?: string;
  format: OutputFormat[];
  junitBlocked: JunitBlocked;
}

/** Adds the options of a command that writes reports into a new folder. */
export function withOutputOptions(command: Command): Command {
  return command
    .option(
      '-o, --out <dir>',
      'folder for evidence and reports (default: reports/<time>)',
      nonEmptyParser('name a folder'),
    )
    .addOption(
      new Option('-f, --format <names>', `reports to write; report.json is always written: ${formatNames.join(', ')}`)
        .argParser(parseFormats)
        .default([...defaultFormats], defaultFormats.join(',')),
    )
    .addOption(junitBlockedOption());
}
