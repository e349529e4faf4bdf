import { expect } from 'vitest';
import { always } from '../responses/constant.ts';
import { cutShort } from '../responses/cut-short.ts';
import { floods } from '../responses/floods.ts';
import type { Hostility, Outcome } from '../responses/hostile-response.ts';
import { notHttp } from '../responses/not-http.ts';
import { silence } from '../responses/silence.ts';
import { strangeJson } from '../responses/strange-json.ts';
import { startFront } from './hostile-proxy.ts';
import { having, judged, LONGEST_MS } from './judged-run.ts';

export const hostilities: readonly Hostility[] = [
  // The slowest first.
  ...always,
  ...silence,
  ...floods,
  ...cutShort,
  ...notHttp,
  ...strangeJson,
];

/** Runs the kit against a service that is hostile from the request with this number on, and expects the outcome. */
export async function meets({ strike, requestTimeoutMs }: Hostility, first: number, outcome: Outcome): Promise<void> {
  const front = await startFront({ strikes: (count) => (count >= first ? strike : null) });
  try {
    const started = performance.now();
    const run = await judged(front.target(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }));
    expect(performance.now() - started).toBeLessThan(LONGEST_MS);
    expect(run.said).toMatch(outcome.says);
    const allowed = [outcome.exitCode].flat();
    expect(allowed, run.said).toContain(run.exitCode);
    expect(run.report === null).toBe(allowed.includes(2));
    expect(having(run, 'error')).toEqual([]);
    if (!allowed.includes(1)) expect(having(run, 'fail')).toEqual([]);
    if (first > 1) expect(having(run, 'pass')).not.toEqual([]);
  } finally {
    await front.close();
  }
}
