import { answering } from '../support/hostile-proxy.ts';
import { type Hostility, unusable, wrongForAll } from './hostile-response.ts';

const error = (code: string) => JSON.stringify({ error: 'no', message: 'no', code });

/** Servers that give the same response to every request. */
export const always: readonly Hostility[] = [
  {
    what: 'returns 401 to every request',
    strike: answering('401 Unauthorized', JSON.stringify({ error: 'unauthorized', message: 'no' })),
    fromTheStart: {
      exitCode: 2,
      says: /^actors\.seller: \S+ rejects this key and secret \(401\).*\nactors\.buyer: .*\(401\)/,
    },
    // A check that sends a valid request fails; all others are blocked or pass.
    midway: { exitCode: [1, 3], says: /\b401\b/ },
  },
  {
    what: 'returns 500 to every request',
    strike: answering('500 Internal Server Error', error('X')),
    fromTheStart: wrongForAll(/500/).fromTheStart,
    midway: { exitCode: [1, 3], says: /\b500\b/ },
  },
  {
    what: 'returns 503 to every request',
    strike: answering('503 Service Unavailable', error('X')),
    ...unusable(/since 20\S+Z the target returns 503 to every request, although the kit waited/),
  },
  {
    what: 'returns 429 to every request',
    strike: answering('429 Too Many Requests', error('RATE001'), { 'X-RateLimit-Reset': 0 }),
    ...unusable(/the target returns 429 to every request, although the kit waits as long as the target requests/),
  },
  {
    what: 'returns 429 to every request with a reset time in one hour',
    strike: answering('429 Too Many Requests', error('RATE001'), { 'X-RateLimit-Reset': 3600 }),
    ...unusable(
      /the target returns 429 to seller until 20\S+Z \(X-RateLimit-Reset\); the kit waits one minute at most/,
    ),
  },
  {
    what: 'is a proxy that returns 200 with a web page',
    strike: answering('200 OK', '<!doctype html><title>Sign in</title>', { 'Content-Type': 'text/html' }),
    // From the start, this may be a wrong base URL.
    fromTheStart: { exitCode: 2, says: /^baseUrl: \S+ returns 200 with a web page/ },
    midway: { exitCode: 3, says: /in place of the service/ },
  },
];
