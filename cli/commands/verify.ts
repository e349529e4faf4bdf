import { Command, Option } from 'commander';
import { escapeForLog, escapeJson } from '../../reporting/text/escape-control-characters.ts';
import type { Verification } from '../../specs/certification/verification.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import { readPackageFile, readPublicKey } from '../certification/certification-files.ts';
import { DEFAULT_POLICY, readPolicy } from '../certification/read-policy.ts';
import { formatVerification } from '../certification/verification-text.ts';
import { verifyPackage } from '../certification/verify-package.ts';
import { nonEmptyParser } from '../options/option-values.ts';

interface VerifyOptions {
  key: string[];
  policy?: string;
  json: boolean;
}

export const verifyCommand = new Command('verify')
  .description('verify a sealed package without a network, and say whether it can be certified')
  .argument('<package>', 'file of the package', nonEmptyParser('name the file of a package'))
  .addOption(
    new Option(
      '-k, --key <file>',
      'PEM file with a public key: of the partner, and of the desk for a certified package',
    )
      .argParser(addKey)
      .default([], 'those of the policy'),
  )
  .option(
    '--policy <file>',
    'what the desk requires: profile, exceptions, kit versions, age, keys …',
    nonEmptyParser('name a policy file'),
  )
  .option('--json', 'print JSON', false)
  .addHelpText(
    'after',
    `
Without --policy: profile full, no exceptions, the version of this kit.

Examples:
  $ conformance verify acme-4.2.zip --key acme.pub
  $ conformance verify acme-4.2.zip --policy policy.yaml --json

Exit codes: 0 certifiable · 1 not certifiable, with the reasons · 2 wrong command, or no readable package`,
  )
  .action(async (file: string, { key, policy, json }: VerifyOptions) => {
    const loaded = policy === undefined ? DEFAULT_POLICY : readPolicy(policy);
    const keys = key.map((path) => readPublicKey(path, '--key'));
    const { result } = await verifyPackage({
      file,
      archive: readPackageFile(file),
      keys,
      policy: loaded,
      now: new Date(),
    });
    console.log(
      json ? escapeJson(JSON.stringify(result, null, 2)) : formatVerification(result).map(escapeForLog).join('\n'),
    );
    process.exitCode = exitCodeOf(result);
  });

function addKey(file: string, before: string[]): string[] {
  return [...before, nonEmptyParser('name a PEM file')(file)];
}

function exitCodeOf({ certifiable }: Verification): number {
  return certifiable === 'yes' ? EXIT.conformant : EXIT.failed;
}
