import { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import { targetDigest } from '../../engine/target/target-digest.ts';
import { packFiles } from '../../reporting/certification/archive.ts';
import { keyId } from '../../reporting/certification/envelope.ts';
import { sealPackage } from '../../reporting/certification/seal-package.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { type Target, targetName } from '../../specs/target-file/target.ts';
import { assertNewFile, readPrivateKey } from '../certification/certification-files.ts';
import { type CertifiedRun, readCertifiedRun } from '../certification/certified-run.ts';
import { findSecrets } from '../certification/secret-scan.ts';
import { describeTarget } from '../certification/target-description.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { hasTarget, resolveTarget, type TargetOptions, withTargetOptions } from '../options/target-options.ts';
import { writeNamedFile } from '../output/named-file.ts';

interface SealOptions extends TargetOptions {
  key?: string;
  out: string;
}

export const sealCommand = withTargetOptions(
  new Command('seal')
    .description('pack a run of "conformance certify" into one signed file')
    .argument('<dir>', 'folder of the run', nonEmptyParser('name the folder of a run')),
)
  .option(
    '-k, --key <file>',
    'PEM file with the Ed25519 private key that signs the package',
    nonEmptyParser('name a PEM file'),
  )
  .requiredOption('-o, --out <file>', 'file of the package, such as acme-4.2.zip', nonEmptyParser('name a ZIP file'))
  .addHelpText(
    'after',
    `
The command searches the package for every key and secret of the target file, and writes nothing if it finds one. Without --key, the
package is unsigned, and says so.

Examples:
  $ openssl genpkey -algorithm ed25519 -out acme.pem && openssl pkey -in acme.pem -pubout -out acme.pub
  $ conformance seal certification --target partner.yaml --key acme.pem --out acme-4.2.zip

Exit codes: 0 sealed, whatever the verdict · 2 wrong command, or the run cannot be sealed`,
  )
  .action(async (folder: string, options: SealOptions) => {
    if (!hasTarget(options))
      throw new ConfigurationError(
        '--target: missing; name the target file of the run, whose secrets the package must not contain',
      );
    const target = await resolveTarget(options);
    const key = options.key === undefined ? null : readPrivateKey(options.key, '--key');
    assertNewFile(options.out);
    const run = await readCertifiedRun(folder);
    assertTargetOfRun(run, target, folder);
    const { report, evidence } = run;
    const content = sealPackage({
      report,
      evidence,
      target: describeTarget(target),
      kit,
      key,
      sealedAt: new Date(),
    });
    const leaks = findSecrets(content, target);
    if (leaks.length > 0)
      throw new ConfigurationError(
        ...leaks.map(
          ({ label, file }) =>
            `${label} of the target file appears in ${file} of the package; nothing was written; replace the key, and report this defect of the kit`,
        ),
      );
    const archive = packFiles(content);
    writeNamedFile('--out', options.out, archive);
    const signature = key === null ? 'UNSIGNED' : `signed with key ${keyId(key.publicKey)}`;
    console.log(escapeForLog(`${options.out}: ${report.headline}`));
    console.log(`${signature}, ${content.size} files, ${Math.ceil(archive.length / 1024)} kB`);
  });

function assertTargetOfRun({ report, targetDigest: digest }: CertifiedRun, target: Target, folder: string): void {
  const { name, baseUrl } = report.target;
  if (targetName(target) !== name || target.baseUrl !== baseUrl)
    throw new ConfigurationError(
      `--target: names ${targetName(target)} (${target.baseUrl}), but ${folder} judges ${name} (${baseUrl}); name the target file of that run`,
    );
  // Other organizations mean other keys, and the search for secrets would miss those of the run.
  if (digest !== targetDigest(target))
    throw new ConfigurationError(
      `--target: names the server of ${folder}, but other organizations, counterparties or operations; name the target file of that run, whose keys and secrets the package must not contain`,
    );
}
