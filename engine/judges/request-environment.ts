import type { ApiRequest } from '../model/messages.ts';

/**
 * The environment that a response belongs to. Null if it is undetermined: the credentials are wrong, or X-Environment names
 * another environment than theirs.
 */
export function environmentOf({ actor, headers = [] }: ApiRequest): 'PRODUCTION' | 'SANDBOX' | null {
  if (actor === null) return null;
  const own = actor === 'production' ? 'PRODUCTION' : 'SANDBOX';
  const isOther = ([name, value]: readonly [string, string]) => name.toLowerCase() === 'x-environment' && value !== own;
  return headers.some(isOther) ? null : own;
}
