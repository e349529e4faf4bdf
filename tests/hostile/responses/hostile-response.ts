import type { Strike } from '../support/hostile-proxy.ts';

/** What a run comes to that meets it. */
export interface Outcome {
  exitCode: number | readonly number[];
  /** A sentence that is said in the end. */
  says: RegExp;
}

/** One way for a server to be hostile, and what the kit is to make of it. */
export interface Hostility {
  what: string;
  strike: Strike;
  /** Milliseconds for an exchange; 15 seconds by default. */
  requestTimeoutMs?: number;
  /** When every request is struck. */
  fromTheStart: Outcome;
  /** When an honest service turns so in the middle of a run. */
  midway: Outcome;
}

/** No answer at all: nothing is judged, or nothing more. */
export function silent(because: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return {
    fromTheStart: {
      exitCode: 2,
      says: new RegExp(`^baseUrl: no response from http://127.0.0.1:\\d+: ${because.source}`),
    },
    midway: { exitCode: 3, says: new RegExp(`the target stopped responding at 20\\S+Z: ${because.source}`) },
  };
}

/** An answer, and a wrong one. */
export function wrong(says: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return { fromTheStart: { exitCode: 1, says }, midway: { exitCode: 1, says } };
}

/** A wrong answer that everybody gets, whatever the credentials: from the start it is another service's. */
export function wrongForAll(says: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return {
    fromTheStart: {
      exitCode: 2,
      says: /^baseUrl: .* returns the same response with and without credentials .*another service/,
    },
    midway: wrong(says).midway,
  };
}

/** An answer of which nothing can be judged. */
export function unusable(says: RegExp): Pick<Hostility, 'fromTheStart' | 'midway'> {
  return { fromTheStart: { exitCode: 3, says }, midway: { exitCode: 3, says } };
}
