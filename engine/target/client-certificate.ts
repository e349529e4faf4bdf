import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Target } from '../../specs/target.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import type { ClientCertificate } from '../transport/connection.ts';
import { readBytes } from './text-file.ts';

type TlsSettings = NonNullable<Target['tls']>;

/** How a message calls a field. */
type FieldNaming = (field: string) => string;

/** The certificate that the kit shows, with its key. Throws a ConfigurationError that names the field which is wrong. */
export function readClientCertificate(
  { tls }: Pick<Target, 'tls'>,
  called: FieldNaming = (field) => field,
): ClientCertificate | undefined {
  if (tls?.certificate === undefined || tls.key === undefined) return undefined;
  const cert = readPem(tls.certificate, called('tls.certificate'));
  const key = readPem(tls.key, called('tls.key'));
  const certificate = parseCertificate(cert, tls.certificate, called);
  if (!certificate.checkPrivateKey(parsePrivateKey(key, tls, called))) {
    throw new ConfigurationError(
      `${called('tls.key')}: ${tls.key} does not belong to the certificate of ${tls.certificate}; name the key that it was issued for`,
    );
  }
  return { cert, key, ...(tls.passphrase !== undefined && { passphrase: tls.passphrase }) };
}

function readPem(file: string, field: string): string {
  return readBytes(file, field, 'an existing PEM file').toString('latin1');
}

function parseCertificate(pem: string, file: string, called: FieldNaming): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new ConfigurationError(
      `${called('tls.certificate')}: ${file} holds no certificate that can be read; name a PEM file (-----BEGIN CERTIFICATE-----)`,
    );
  }
}

function parsePrivateKey(key: string, { key: file, passphrase }: TlsSettings, called: FieldNaming): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isClosed = key.includes('ENCRYPTED') || code === 'ERR_MISSING_PASSPHRASE';
    if (!isClosed) {
      throw new ConfigurationError(
        `${called('tls.key')}: ${file} holds no private key that can be read; name a PEM file (-----BEGIN PRIVATE KEY-----)`,
      );
    }
    throw new ConfigurationError(
      passphrase === undefined
        ? `${called('tls.passphrase')}: is missing, and ${file} is encrypted; write passphrase: \${SOME_NAME} and set that variable`
        : `${called('tls.passphrase')}: does not open ${file}; correct it`,
    );
  }
}
