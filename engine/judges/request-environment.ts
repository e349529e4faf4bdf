import type { ApiRequest } from '../model/messages.ts';

/**
 * The environment of which an answer tells. Null where that is the very question: the credentials are wrong, or X-Environment names
 * another one than theirs; a server that lets such a request in may show either.
 */
export function environmentOf({ actor, headers = [] }: ApiRequest): 'PRODUCTION' | 'SANDBOX' | null {
  if (actor === null) return null;
  const own = actor === 'production' ? 'PRODUCTION' : 'SANDBOX';
  const isOther = ([name, value]: readonly [string, string]) => name.toLowerCase() === 'x-environment' && value !== own;
  return headers.some(isOther) ? null : own;
}
