import { createHmac } from 'node:crypto';
import type { Delivery } from '../../engine/http/webhook-receiver.ts';

const ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;

const ENCODINGS = ['hex', 'base64'] as const;

const SIGNATURE_HEADER = /sign|hmac|digest/;

/** Describes how a delivery is signed with the secret of the subscription. */
export function describeSignature({ headers, body }: Delivery, secret: string): string {
  for (const [name, value] of Object.entries(headers)) {
    for (const algorithm of ALGORITHMS) {
      for (const encoding of ENCODINGS) {
        const mark = createHmac(algorithm, secret).update(body).digest(encoding);
        if (value.includes(mark)) return `${name} holds the HMAC-${algorithm} of the body in ${encoding}`;
      }
    }
  }
  const named = Object.keys(headers).find((name) => SIGNATURE_HEADER.test(name));
  return named ? `${named} holds a signature of another scheme` : 'no header holds a signature';
}
