#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { ConfigurationFault } from '../engine/configuration-fault.ts';
import { JournalFailure } from '../engine/journal.ts';
import { kit } from '../engine/kit.ts';
import { Interrupted } from '../engine/outcome.ts';
import { logText } from '../reporting/visible.ts';
import { doctorCommand } from './doctor.ts';
import { EXIT } from './exit-codes.ts';
import { explainCommand } from './explain.ts';
import { initCommand } from './init.ts';
import { listCommand } from './list.ts';
import { OutputFailure } from './output-folder.ts';
import { proveCommand } from './prove.ts';
import { referenceCommand } from './reference.ts';
import { reportCommand } from './report.ts';
import { runCommand } from './run.ts';

const program = new Command('conformance')
  .description(
    'Judges, sentence by sentence, whether a server keeps the contract of the Invoicing and Settlement Network.',
  )
  .version(kit.version)
  .showHelpAfterError('(add --help for the options and examples)')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    'after',
    `
Examples:
  $ conformance run                              judge the reference service that ships with the kit
  $ conformance run --target staging.yaml        judge a server that a target file describes
  $ conformance doctor --target staging.yaml     prove the target file first

Exit codes: 0 conformant · 1 a required sentence is broken · 2 wrong command or target file · 3 inconclusive or interrupted · 4 the kit broke`,
  );

for (const command of [
  runCommand,
  doctorCommand,
  initCommand,
  listCommand,
  explainCommand,
  referenceCommand,
  reportCommand,
  proveCommand,
]) {
  program.addCommand(command.exitOverride());
}

/** Runs one command line and tells the exit status. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(argv);
    return Number(process.exitCode ?? EXIT.conformant);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
    if (error instanceof ConfigurationFault) {
      // A certificate or an error of the network may have put the server's own words into it.
      for (const problem of error.problems) console.error(`conformance: ${logText(problem)}`);
      return EXIT.usage;
    }
    if (error instanceof Interrupted) {
      console.error('conformance: stopped before anything was judged; nothing was left behind');
      return EXIT.inconclusive;
    }
    if (error instanceof JournalFailure || error instanceof OutputFailure) {
      console.error(`conformance: ${error.message}`);
      return EXIT.broken;
    }
    console.error(
      `conformance: the kit broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return EXIT.broken;
  }
}

process.exitCode = await main(process.argv);
// Idle connections and timers of libraries must not keep a finished command alive.
if (process.argv[2] !== 'reference') process.exit();
