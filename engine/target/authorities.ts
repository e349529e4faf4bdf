import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Target } from '../../specs/target.ts';
import { ConfigurationFault } from '../configuration-fault.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file. Throws a ConfigurationFault that begins with the field or option which names the file.
 */
export function readAuthorities(file: string, field: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationFault(`${field}: cannot read ${file} (${code}); name a PEM file with a certificate`);
  }
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0 || !found.every(isCertificate)) {
    const what = found.length === 0 ? 'holds no certificate' : 'holds a certificate that cannot be read';
    throw new ConfigurationFault(
      `${field}: ${file} ${what}; name a PEM file (-----BEGIN CERTIFICATE-----) with the authority to trust`,
    );
  }
  return found.join('\n');
}

/** What a target's `ca` names. */
export function authorities({ ca }: Pick<Target, 'ca'>): string | undefined {
  return ca === undefined ? undefined : readAuthorities(ca, 'ca');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
