import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Target } from '../../../specs/target-file/target.ts';
import { ConfigurationError } from '../../model/configuration-error.ts';
import type { ClientCertificate } from '../../transport/connection.ts';
import { readBytes } from '../text-file.ts';

type TlsSettings = NonNullable<Target['tls']>;

/** Returns the name of a field for messages. */
type FieldNaming = (field: string) => string;

/** The client certificate of the kit, with its key. Throws a ConfigurationError that names the wrong field. */
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
      `${called('tls.key')}: ${tls.key} does not match the certificate ${tls.certificate}; give the path of the private key for this certificate`,
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
      `${called('tls.certificate')}: ${file} contains no readable certificate; give the path of a PEM file (-----BEGIN CERTIFICATE-----)`,
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
        `${called('tls.key')}: ${file} contains no readable private key; give the path of a PEM file (-----BEGIN PRIVATE KEY-----)`,
      );
    }
    throw new ConfigurationError(
      passphrase === undefined
        ? `${called('tls.passphrase')}: missing, but ${file} is encrypted; write passphrase: \${SOME_NAME} and set that variable`
        : `${called('tls.passphrase')}: does not decrypt ${file}; write the correct passphrase`,
    );
  }
}
