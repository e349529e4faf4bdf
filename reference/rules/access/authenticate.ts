import { createHash, timingSafeEqual } from 'node:crypto';
import type { Incoming, Service } from '../../service/call.ts';
import { Unauthorized } from '../../service/refusal.ts';
import type { ApiKey } from '../../service/store.ts';

/** "Every authentication failure (invalid key, invalid secret, revoked key, missing credentials) returns status 401." */
export function authenticate({ store }: Service, { headers }: Incoming): ApiKey {
  const key = headers.get('X-API-Key');
  const secret = headers.get('X-API-Secret');
  if (!key || !secret) throw new Unauthorized('missing');
  const found = store.keys.get(key);
  if (!found) throw new Unauthorized('unknown-key');
  if (!sameSecret(found.secret, secret)) throw new Unauthorized('wrong-secret');
  if (found.state !== 'active') throw new Unauthorized(found.state);
  return found;
}

// Digests are of one length, which timingSafeEqual demands.
function sameSecret(expected: string, given: string): boolean {
  return timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
