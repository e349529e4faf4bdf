import { describe, test, vi } from 'vitest';
import { hostilities, meets } from '../support/hostile-run.ts';
import { LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ maxConcurrency: 14, testTimeout: 2 * LONGEST_MS });

/** At this request the preflight and some checks are complete. */
const MIDWAY = 50;

describe.concurrent('a server that in the middle of a run', () => {
  test.for(hostilities)('$what', async (hostility) => await meets(hostility, MIDWAY, hostility.midway));
});
