import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Cascade, CascadeRow } from '../../cli/prove/cascade/cascade.ts';
import { cascadeTable } from '../../cli/prove/cascade/cascade-table.ts';
import { withTable } from '../../scripts/measure/cascade-table.ts';

const row = (fault: string, beside: string[], timeRatio: number): CascadeRow => ({
  fault,
  own: ['LIST-01'],
  beside,
  said: [],
  durationMs: 1000,
  requests: 4900,
  timeRatio,
});

const measured: Cascade = {
  schemaVersion: 1,
  median: 1,
  p90: 2,
  most: 3,
  honest: { durationMs: 1000, requests: 4880 },
  slowestRatio: 2.5,
  faults: [row('a-wide', ['LIST-02', 'LIST-03'], 1), row('a-slow', [], 2.5)],
};

describe('the cascade table', () => {
  test('names the faults that turn other requirements red, and the slowest faults', () => {
    const table = cascadeTable(measured);
    expect(table).toContain('median 1, 90th percentile 2, maximum 3. The slowest takes 2.5 times');
    expect(table).toContain('| `a-wide` | LIST-01 | LIST-02, LIST-03 |');
    expect(table).not.toContain('| `a-slow` | LIST-01 |');
    expect(table.indexOf('`a-slow` | 2.50')).toBeLessThan(table.indexOf('`a-wide` | 1.00'));
  });

  test('replaces the one in docs/proof.md', () => {
    const page = readFileSync(new URL('../../docs/proof.md', import.meta.url), 'utf8');
    const written = withTable(page, cascadeTable(measured));
    expect(written).toContain('`a-wide`');
    expect(withTable(written, cascadeTable(measured))).toBe(written);
  });
});
