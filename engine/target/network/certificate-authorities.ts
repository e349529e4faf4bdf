import { X509Certificate } from 'node:crypto';
import type { Target } from '../../../specs/target-file/target.ts';
import { ConfigurationError } from '../../model/configuration-error.ts';
import { readBytes } from '../text-file.ts';

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file. Throws a ConfigurationError that begins with the field or option which names the file.
 */
export function readAuthorities(file: string, field: string): string {
  const text = readBytes(file, field, 'a PEM file with a certificate').toString('latin1');
  const found = text.match(PEM_CERTIFICATE) ?? [];
  if (found.length === 0 || !found.every(isCertificate)) {
    const what = found.length === 0 ? 'contains no certificate' : 'contains a certificate that cannot be parsed';
    throw new ConfigurationError(
      `${field}: ${file} ${what}; give the path of a PEM file (-----BEGIN CERTIFICATE-----) with the certificate of the authority to trust`,
    );
  }
  return found.join('\n');
}

/** The PEM certificates of a target's `tls.ca`; undefined without one. */
export function trustedAuthorities({ tls }: Pick<Target, 'tls'>): string | undefined {
  return tls?.ca === undefined ? undefined : readAuthorities(tls.ca, 'tls.ca');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
