import type { Report } from '../../specs/formats/report.ts';

/** The first file that a reader of a package opens. `signer`: the id of the key that signs it; null for an unsigned package. */
export function readMeOf({ target, headline, run, kit, certification }: Report, signer: string | null): string {
  const { vendor = '', product = '', version = '' } = target.implementation ?? {};
  const lines = [
    'Certification run of the Invoicing Network Conformance Kit',
    '',
    `Implementation  ${vendor} ${product} ${version}`,
    `Target          ${target.name} (${target.baseUrl})`,
    `Verdict         ${headline}`,
    `Run             ${run.id}, ${run.startedAt} to ${run.finishedAt}`,
    `Operator        ${certification?.operator ?? 'not named'}`,
    `Ticket          ${certification?.ticket ?? 'none'}`,
    `Kit             ${kit.name} ${kit.version}`,
    `Signature       ${signer === null ? 'UNSIGNED: no signature says who sealed this package' : `Ed25519, key ${signer}`}`,
    '',
    'Open report.html to read the report. If the package contains certificate.html, a desk has certified the run.',
    'To verify the package without a network:',
    '',
    '  npx conformance verify PACKAGE.zip --key PUBLIC_KEY.pem',
    '',
    'Add --policy for what a desk requires, and --key for its key if the package contains a certificate.',
    '',
    'A signature says who sealed the package. It does not prove that the exchanges happened: the logs of the server do.',
    '',
  ];
  return lines.join('\n');
}
