import { type ApiResponse, headerValue, shorten } from '../model/messages.ts';

/** Headers with which caches say that they have not asked the service: `X-Cache: HIT from edge`, `Cache-Status: edge; hit`. */
const CACHE_HEADERS = ['cache-status', 'x-cache', 'x-cache-status', 'x-proxy-cache', 'cf-cache-status'];
const HIT = /\bhit\b/i;
const MAX_SHOWN_CHARACTERS = 60;

/** A hint that a cache has sent a response in place of the service; null otherwise. The hint decides no verdict. */
export function cachedResponseHint(response: Pick<ApiResponse, 'headers' | 'mask'>): string | null {
  const said = CACHE_HEADERS.map((name) => [name, headerValue(response, name)] as const).find(([, value]) =>
    HIT.test(value ?? ''),
  );
  const age = headerValue(response, 'age');
  const [name, value] = said ?? (Number(age) > 0 ? (['age', age] as const) : []);
  if (name === undefined) return null;
  const shown = `${name}: ${shorten(response.mask(value ?? ''), MAX_SHOWN_CHARACTERS)}`;
  return `a cache seems to have sent an earlier response (${shown}); let it cache nothing of this service, or write a baseUrl without it`;
}
