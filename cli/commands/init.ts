import { Command, Option } from 'commander';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import { Cancelled } from '../init/cancelled.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { canAsk } from '../output/terminal.ts';
import { STOP_SIGNALS } from '../processes/graceful-shutdown.ts';
import { commandLine } from '../processes/invocation.ts';

interface InitOptions {
  baseUrl?: string;
  secrets?: string;
  writeSecrets?: string;
  openapi?: string;
  ca?: string;
  probe: boolean;
  yes: boolean;
}

export const initCommand = new Command('init')
  .description('write a target file: ask for the address and the keys, and find the rest with read requests')
  .argument('[file]', 'where to write it', nonEmptyParser('name the file to write, such as target.yaml'), 'target.yaml')
  .addOption(new Option('--base-url <url>', 'base URL of the server').env('CONFORMANCE_BASE_URL'))
  .option(
    '--secrets <file>',
    'file of NAME=value lines with keys and secrets, such as SELLER_KEY and SELLER_SECRET',
    nonEmptyParser('name a file of NAME=value lines'),
  )
  // Not --env-file: Node.js takes that option for itself, wherever it stands.
  .option(
    '--write-secrets <file>',
    'file to store the keys and secrets in (default: .env next to the target file, for those that you type)',
    nonEmptyParser('name the file to store keys and secrets in, such as .env'),
  )
  .option(
    '--openapi <file>',
    'OpenAPI document of the server, a file or a URL (default: looks at the usual places of the server)',
    nonEmptyParser('name a file or a URL'),
  )
  .option(
    '--ca <file>',
    'PEM file with a certificate authority to trust in addition to the well-known ones',
    nonEmptyParser('name a PEM file'),
  )
  .option('--no-probe', 'send no requests')
  .option('-y, --yes', 'ask nothing, and write the template for everything that is not known', false)
  .addHelpText(
    'after',
    `
Keys and secrets come from questions, from --secrets, or from the environment: CONFORMANCE_SELLER_KEY or SELLER_KEY,
CONFORMANCE_SELLER_SECRET or SELLER_SECRET, and likewise BUYER, OUTSIDER, READ_ONLY, REVOKED and PRODUCTION. Outside of a
terminal, or if CI is set, init asks nothing.

Examples:
  $ conformance init
  $ conformance init staging.yaml --base-url https://staging.example.com --openapi openapi.yaml
  $ conformance init staging.yaml --yes --no-probe

Exit codes: 0 the file is written · 2 wrong option or file · 3 interrupted; nothing is written in both cases`,
  )
  .action(async (file: string, { yes, writeSecrets: envFile, ...options }: InitOptions) => {
    const [{ initialize }, { summaryLines }] = await Promise.all([
      import('../init/session.ts'),
      import('../init/summary.ts'),
    ]);
    const controller = new AbortController();
    const stop = () => controller.abort();
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
    try {
      const summary = await initialize({
        file,
        ...options,
        envFile,
        environment: process.env,
        terminal: !yes && canAsk() ? { signal: controller.signal } : null,
        announce: (line) => console.error(escapeForLog(line)),
        stop: controller.signal,
      });
      const secrets = summary.stored?.file ?? options.secrets;
      const next = commandLine(['doctor', '--target', file, ...(secrets === undefined ? [] : ['--secrets', secrets])]);
      console.log(summaryLines(summary).map(escapeForLog).join('\n'));
      console.log(`\nCorrect what is missing, then run:\n\n  ${next}`);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      console.error('conformance: init was interrupted; nothing was written');
      process.exitCode = EXIT.inconclusive;
    } finally {
      for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
    }
  });
