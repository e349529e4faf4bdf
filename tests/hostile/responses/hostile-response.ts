import type { Strike } from '../support/hostile-proxy.ts';

/** The expected result of a run against the server. */
export interface Outcome {
  exitCode: number | readonly number[];
  /** Matches the last lines of the output. */
  says: RegExp;
}

/** One way in which a server is hostile, and the expected results. */
export interface Hostility {
  what: string;
  strike: Strike;
  /** Request timeout in milliseconds; 15 seconds by default. */
  requestTimeoutMs?: number;
  /** The result if every response is hostile. */
  fromTheStart: Outcome;
  /** The result if a conforming server becomes hostile in the middle of a run. */
  midway: Outcome;
}

/** For a server that never responds: nothing is judged, or nothing more. */
export function silent(because: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return {
    fromTheStart: {
      exitCode: 2,
      says: new RegExp(`^baseUrl: no response from http://127.0.0.1:\\d+: ${because.source}`),
    },
    midway: { exitCode: 3, says: new RegExp(`the target stopped responding at 20\\S+Z: ${because.source}`) },
  };
}

/** For a server with a wrong response. */
export function wrong(says: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return { fromTheStart: { exitCode: 1, says }, midway: { exitCode: 1, says } };
}

/**
 * For a server with the same wrong response to all credentials. From the start, the kit treats it as another service.
 */
export function wrongForAll(says: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return {
    fromTheStart: {
      exitCode: 2,
      says: /^baseUrl: .* returns the same response with and without credentials .*another service/,
    },
    midway: wrong(says).midway,
  };
}

/** For a server with responses that cannot be judged. */
export function unusable(says: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return { fromTheStart: { exitCode: 3, says }, midway: { exitCode: 3, says } };
}
