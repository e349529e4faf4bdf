import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import type { Envelope } from '../../specs/certification/statements.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** The id of a public key: the SHA-256 of its DER form, in hexadecimal. */
export function keyId(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** An Ed25519 key pair. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Signs a statement with Ed25519. Without a key, the envelope has no signature. */
export function sealStatement(statement: object, key: KeyPair | null): Envelope {
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
  const unsigned: Envelope = { payloadType: PAYLOAD_TYPE, payload, signatures: [] };
  return key === null ? unsigned : signAlso(unsigned, key);
}

/** The envelope with one more signature. */
export function signAlso(envelope: Envelope, { privateKey, publicKey }: KeyPair): Envelope {
  const signed = preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
  const signature = { keyid: keyId(publicKey), sig: sign(null, signed, privateKey).toString('base64') };
  return { ...envelope, signatures: [...envelope.signatures, signature] };
}

/** The ids of the keys that have signed the envelope. A signature counts by the key that verifies it, not by the id that it names. */
export function signersOf({ payloadType, payload, signatures }: Envelope, keys: readonly KeyObject[]): string[] {
  const signed = preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));
  const isSigner = (key: KeyObject) =>
    signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64')));
  return keys.filter(isSigner).map(keyId);
}

/** The parsed statement of an envelope. Throws a SyntaxError. */
export function payloadOf({ payload }: Envelope): unknown {
  return JSON.parse(Buffer.from(payload, 'base64').toString());
}

/** The bytes that DSSE signs. */
function preAuthEncoding(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}
