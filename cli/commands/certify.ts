import { Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { assertCertifiable, certificationOf } from '../certification/certification-request.ts';
import { nonEmptyParser, parseSeed } from '../options/option-values.ts';
import { hasTarget, type TargetOptions, withTargetOptions } from '../options/target-options.ts';
import { commandLine } from '../processes/invocation.ts';
import { executeRun } from '../run/execute-run.ts';
import { resolveRunRequest } from '../run/run-request.ts';
import { printRunSummary } from '../run/run-summary.ts';

interface CertifyOptions extends TargetOptions {
  out: string;
  profile: string;
  operator: string;
  ticket?: string;
  seed?: number;
  quiet: boolean;
}

export const certifyCommand = withTargetOptions(
  new Command('certify').description(
    'judge a server for a certification: the whole profile, with the operator, the ticket and the implementation on record',
  ),
)
  .requiredOption(
    '-o, --out <dir>',
    'folder for evidence and reports; earlier attempts stay in it',
    nonEmptyParser('name a folder'),
  )
  .requiredOption('--operator <name>', 'who runs the kit: a person, a team or a job', parseWords)
  .option('--ticket <text>', 'ticket of the desk; every request carries it in User-Agent', parseTicket)
  .addOption(new Option('-p, --profile <name>', 'profile to judge').choices(['core', 'full']).default('full'))
  .option('--seed <n>', 'seed of the generated data; the same seed generates the same data', parseSeed)
  .option('--quiet', 'print only the verdict and the causes', false)
  .addHelpText(
    'after',
    `
The target file must set implementation.vendor, implementation.product and implementation.version. All attempts of a folder stay on
record, including the failed ones.

Examples:
  $ conformance certify --target partner.yaml --operator "Acme QA" --ticket CERT-118 --out certification
  $ conformance seal certification --target partner.yaml --key acme.pem --out acme-4.2.zip

Exit codes: as for "conformance run"`,
  )
  .action(async (options: CertifyOptions) => {
    if (!hasTarget(options))
      throw new ConfigurationError('--target: missing; name the target file of the implementation');
    const request = await resolveRunRequest(
      {
        ...options,
        format: ['json', 'html', 'junit', 'markdown'],
        junitBlocked: 'skipped',
        strict: false,
        watch: false,
        verbose: false,
        failOn: 'any',
      },
      true,
    );
    assertCertifiable(request.target);
    const { operator, ticket = null } = options;
    const certification = await certificationOf(request.target, { operator, ticket });
    const finished = await executeRun({ ...request, certification });
    await request.close();
    printRunSummary(finished, request);
    if (finished.report.verdict === 'conformant')
      console.log(`next   ${commandLine(['seal', finished.folder])} --target <file> --key <file> --out <file>`);
    process.exitCode = finished.exitCode;
  });

function parseWords(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('write a name.');
  return text.trim();
}

/** The ticket becomes a part of the User-Agent header. */
function parseTicket(text: string): string {
  if (!/^[\w.:/#-]{1,100}$/.test(text))
    throw new InvalidArgumentError('write letters, digits and . : / # _ -, at most 100 characters.');
  return text;
}
