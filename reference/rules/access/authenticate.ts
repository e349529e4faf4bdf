import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingRequest, Service } from '../../service/call.ts';
import { UnauthorizedError } from '../../service/rejection.ts';
import type { ApiKey } from '../../service/store.ts';

/** "Every authentication failure (invalid key, invalid secret, revoked key, missing credentials) returns status 401." */
export function authenticate({ store }: Service, { headers }: IncomingRequest): ApiKey {
  const key = headers.get('X-API-Key');
  const secret = headers.get('X-API-Secret');
  if (!key || !secret) throw new UnauthorizedError('missing');
  const found = store.keys.get(key);
  if (!found) throw new UnauthorizedError('unknown-key');
  if (!isSameSecret(found.secret, secret)) throw new UnauthorizedError('wrong-secret');
  if (found.state !== 'active') throw new UnauthorizedError(found.state);
  return found;
}

// timingSafeEqual requires equal lengths, which digests have.
function isSameSecret(expected: string, given: string): boolean {
  return timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
