import { describe, test, vi } from 'vitest';
import { hostilities, meets } from '../support/hostile-run.ts';
import { LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ maxConcurrency: 12, testTimeout: 2 * LONGEST_MS });

describe.concurrent('a server that from the start', () => {
  test.for(hostilities)('$what', async (hostility) => await meets(hostility, 1, hostility.fromTheStart));
});
