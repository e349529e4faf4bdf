import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';
import type { KeyPair } from '../../reporting/certification/envelope.ts';

/** The Ed25519 key pair of a PEM file. Throws a ConfigurationError that begins with `option`. */
export function readPrivateKey(file: string, option: string): KeyPair {
  const pem = readPem(file, option);
  const expected = 'name a PEM file with an Ed25519 private key (openssl genpkey -algorithm ed25519)';
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    const found = /ENCRYPTED/.test(pem) ? 'is encrypted' : 'contains no private key';
    throw new ConfigurationError(`${option}: ${file} ${found}; ${expected}`);
  }
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new ConfigurationError(
      `${option}: ${file} contains a key of type ${privateKey.asymmetricKeyType}; ${expected}`,
    );
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** The Ed25519 public key of a PEM file. Throws a ConfigurationError that begins with `option`. */
export function readPublicKey(file: string, option: string): KeyObject {
  return parsePublicKey(readPem(file, option), `${option}: ${file}`);
}

/** The Ed25519 public key in a PEM text. `place` begins the error. Throws a ConfigurationError. */
export function parsePublicKey(pem: string, place: string): KeyObject {
  const expected =
    'name a file with an Ed25519 public key (openssl genpkey -algorithm ed25519, then openssl pkey -pubout)';
  if (/PRIVATE KEY/.test(pem)) throw new ConfigurationError(`${place} contains a private key; ${expected}`);
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw new ConfigurationError(`${place} contains no public key; ${expected}`);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new ConfigurationError(`${place} contains a key of type ${key.asymmetricKeyType}; ${expected}`);
  return key;
}

/** The bytes of a package. Throws a ConfigurationError. */
export function readPackageFile(file: string): Uint8Array {
  return readNamedFile(file, '<package>', 'name the file of a package');
}

/** Throws a ConfigurationError if the file of `--out` exists: a package is never overwritten. */
export function assertNewFile(out: string): void {
  if (existsSync(out)) throw new ConfigurationError(`--out: ${out} exists; name a new file`);
}

function readPem(file: string, option: string): string {
  return readNamedFile(file, option, 'name an existing PEM file').toString();
}

/** The bytes of a file. Throws a ConfigurationError that begins with `option`. */
export function readNamedFile(file: string, option: string, advice: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(`${option}: cannot read ${file} (${systemErrorCode(error)}); ${advice}`);
  }
}
