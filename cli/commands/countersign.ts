import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { digestOf, packFiles } from '../../reporting/certification/archive.ts';
import { keyId } from '../../reporting/certification/envelope.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import type { Verification } from '../../specs/certification/verification.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import { assertNewFile, readPackageFile, readPrivateKey, readPublicKey } from '../certification/certification-files.ts';
import { countersignPackage } from '../certification/countersign-package.ts';
import { readPolicy } from '../certification/read-policy.ts';
import { formatVerification } from '../certification/verification-text.ts';
import { verifyPackage } from '../certification/verify-package.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { writeNamedFile } from '../output/named-file.ts';

interface CountersignOptions {
  key: string;
  partnerKey?: string;
  policy: string;
  verifier: string;
  out: string;
}

export const countersignCommand = new Command('countersign')
  .description('verify a package and add the certificate of a certification desk')
  .argument('<package>', 'file of the package', nonEmptyParser('name the file of a package'))
  .requiredOption(
    '-k, --key <file>',
    'PEM file with the Ed25519 private key of the certification desk',
    nonEmptyParser('name a PEM file'),
  )
  .requiredOption('--policy <file>', 'what the desk requires, with its waivers', nonEmptyParser('name a policy file'))
  .requiredOption('--verifier <uri>', 'URI that identifies the desk, such as https://desk.example.com/v1', parseUri)
  .requiredOption('-o, --out <file>', 'file of the certified package', nonEmptyParser('name a ZIP file'))
  .option('--partner-key <file>', 'PEM file with the public key of the partner', nonEmptyParser('name a PEM file'))
  .addHelpText(
    'after',
    `
Writes nothing if the package is not certifiable. The certified package also contains certificate.html, for people.

Examples:
  $ conformance countersign acme-4.2.zip --policy policy.yaml --partner-key acme.pub --key desk.pem \\
      --verifier https://desk.example.com/v1 --out acme-4.2-certified.zip

Exit codes: 0 certified · 1 not certifiable, with the reasons · 2 wrong command, or no readable package`,
  )
  .action(async (file: string, { key, partnerKey, policy, verifier, out }: CountersignOptions) => {
    const desk = readPrivateKey(key, '--key');
    const loaded = readPolicy(policy);
    const keys = partnerKey === undefined ? [] : [readPublicKey(partnerKey, '--partner-key')];
    assertNewFile(out);
    const archive = readPackageFile(file);
    const createdAt = new Date();
    const { result, content, report } = await verifyPackage({ file, archive, keys, policy: loaded, now: createdAt });
    assertOpenForDesk(result, keyId(desk.publicKey));
    console.log(formatVerification(result).map(escapeForLog).join('\n'));
    if (result.certifiable === 'no' || report === null) {
      process.exitCode = EXIT.failed;
      return;
    }
    const digest = { sha256: digestOf(readFileSync(policy)) };
    const certified = countersignPackage(content, {
      certificate: { report, waivers: result.waivers, verifier, policy: { name: basename(policy), digest }, createdAt },
      key: desk,
      signers: result.signers,
    });
    writeNamedFile('--out', out, packFiles(certified));
    console.log(`certified ${out}`);
  });

/** Throws a ConfigurationError if the package has a certificate, or if one key would sign for both sides. */
function assertOpenForDesk({ certificate, signers, package: file }: Verification, desk: string): void {
  if (certificate !== null)
    throw new ConfigurationError(`<package>: ${file} has a certificate already; name the package of the partner`);
  if (signers.includes(desk))
    throw new ConfigurationError('--key: the partner has signed the package with this key; name the key of the desk');
}

function parseUri(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(text))
    throw new InvalidArgumentError('write a URI, such as https://desk.example.com/v1.');
  return text;
}
