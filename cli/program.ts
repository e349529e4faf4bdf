import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { JournalError } from '../engine/evidence/journal.ts';
import { ConfigurationError } from '../engine/model/configuration-error.ts';
import { Blocked, Interrupted } from '../engine/model/outcomes.ts';
import { kit } from '../engine/runtime/package-info.ts';
import { escapeForLog } from '../reporting/text/escape-control-characters.ts';
import { EXIT } from '../specs/exit-codes.ts';
import { assertOptionValues, usageError } from './options/usage-errors.ts';
import { OutputError } from './output/report-files.ts';
import { handleBrokenPipes, waitForOutput } from './output/terminal.ts';
import { watchUnfinishedCommand } from './processes/unfinished-command.ts';

/** Prints each error of a command as one line. */
function oneLineErrors(command?: Command): OutputConfiguration {
  return { outputError: (text, write) => write(`conformance: ${usageError(text, command)}\n`) };
}

const program = new Command('conformance')
  .description(
    'Judges, requirement by requirement, whether a server conforms to the contract of the Invoicing and Settlement Network.',
  )
  .version(kit.version)
  .exitOverride()
  .configureOutput(oneLineErrors())
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    'after',
    `
Examples:
  $ conformance run                              judge the reference service that ships with the kit
  $ conformance run --target staging.yaml        judge a server that a target file describes
  $ conformance doctor --target staging.yaml     verify the target file first

Exit codes:
  0  conformant or passed
  1  a requirement of level required is broken, or the gate failed
  2  wrong command or target file
  3  inconclusive or interrupted
  4  internal error of the kit`,
  );

const HELP_GROUP = 'Help and completion:';

type LoadCommand = () => Promise<Command>;

/** The commands under the headings of --help, in its order. */
const COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  'Judge a server:': {
    run: async () => (await import('./commands/run.ts')).runCommand,
    doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
    init: async () => (await import('./commands/init.ts')).initCommand,
    explain: async () => (await import('./commands/explain.ts')).explainCommand,
    list: async () => (await import('./commands/list.ts')).listCommand,
    report: async () => (await import('./commands/report.ts')).reportCommand,
    cleanup: async () => (await import('./commands/cleanup.ts')).cleanupCommand,
  },
  'Compare runs and gate releases:': {
    baseline: async () => (await import('./commands/baseline.ts')).baselineCommand,
    diff: async () => (await import('./commands/diff.ts')).diffCommand,
    merge: async () => (await import('./commands/merge.ts')).mergeCommand,
    compare: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  'Certify an implementation:': {
    certify: async () => (await import('./commands/certify.ts')).certifyCommand,
    seal: async () => (await import('./commands/seal.ts')).sealCommand,
    verify: async () => (await import('./commands/verify.ts')).verifyCommand,
    countersign: async () => (await import('./commands/countersign.ts')).countersignCommand,
  },
  'For authors of the kit:': {
    reference: async () => (await import('./commands/reference.ts')).referenceCommand,
    prove: async () => (await import('./commands/prove.ts')).proveCommand,
  },
  [HELP_GROUP]: {
    completion: async () => (await import('./commands/completion.ts')).completionCommand,
  },
};

/**
 * Adds only the called command with its options, so that the modules of other commands are not loaded. Adds all of them for the help
 * of the program and for `completion`, which describe every command.
 */
async function addCommands([called = 'help', ...rest]: readonly string[]): Promise<void> {
  const all = Object.entries(COMMAND_GROUPS).flatMap(([heading, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ heading, name, load })),
  );
  const isKnown = all.some(({ name }) => name === called);
  const asksForHelp = [called, ...rest].some((word) => ['help', '--help', '-h'].includes(word));
  const isAboutAll = called === 'completion' || (!isKnown && asksForHelp);
  for (const { heading, name, load } of all) {
    // The name is enough to suggest it for an unknown command.
    const command = isAboutAll || name === called ? await load() : new Command(name);
    program.addCommand(command.helpGroup(heading).exitOverride().configureOutput(oneLineErrors(command)));
    if (name === called) assertOptionValues(command, rest);
  }
  program.commandsGroup(HELP_GROUP).helpCommand('help [command]');
}

/** Executes one command line and returns its exit code. */
async function execute(argv: readonly string[], onLoaded: () => void): Promise<number> {
  try {
    await addCommands(argv.slice(2));
    onLoaded();
    await program.parseAsync(argv);
    return Number(process.exitCode ?? EXIT.conformant);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
    if (error instanceof ConfigurationError) {
      // The message may contain text of the server, for example from a certificate.
      for (const problem of error.problems) console.error(`conformance: ${escapeForLog(problem)}`);
      return EXIT.usage;
    }
    if (error instanceof Interrupted) {
      console.error(
        'conformance: the run stopped before it judged a check; the server may still contain trial invoices (conformance cleanup removes them)',
      );
      return EXIT.inconclusive;
    }
    // The target became unavailable while a command without a report used it.
    if (error instanceof Blocked) {
      console.error(`conformance: ${escapeForLog(error.message)}`);
      return EXIT.inconclusive;
    }
    if ((error as NodeJS.ErrnoException).code === 'EMFILE') {
      console.error(
        'conformance: this process may not open more files (EMFILE); raise the limit, for example with "ulimit -n 1024"',
      );
      return EXIT.usage;
    }
    if (error instanceof JournalError || error instanceof OutputError) {
      console.error(`conformance: ${error.message}`);
      return EXIT.broken;
    }
    console.error(
      `conformance: internal error of the kit: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return EXIT.broken;
  }
}

/** Executes one command line and ends the process. Calls `onLoaded` when all modules of the command are loaded. */
export async function runProgram(argv: readonly string[], onLoaded: () => void): Promise<void> {
  handleBrokenPipes();
  const isService = argv[2] === 'reference';
  const endWatch = isService ? () => {} : watchUnfinishedCommand(argv);
  process.exitCode = await execute(argv, onLoaded);
  endWatch();
  await waitForOutput();
  // Idle connections and timers of libraries must not keep a finished command alive.
  if (!isService) process.exit();
}
