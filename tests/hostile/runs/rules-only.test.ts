import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { allRules } from '../../../suites/every-exchange/all-rules.ts';
import { startFront } from '../support/hostile-proxy.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

describe('exchange rules that are selected alone', () => {
  test('are judged on the responses to other checks, which get no verdict', async () => {
    const front = await startFront();
    onTestFinished(() => front.close());
    const only = allRules.map(({ id }) => id);
    const run = await judged(front.target(), { only, isSelection: true });
    expect(having(run, 'blocked'), run.said).toEqual([]);
    expect(run.exitCode).toBe(0);
    expect(having(run, 'pass').length).toBeGreaterThan(only.length / 2);
    expect(run.report?.checks.map(({ id }) => id).sort()).toEqual([...only].sort());
  });

  test('fail if one of those responses breaks them', async () => {
    const front = await startFront({
      changes: (response) => {
        const body = Buffer.from(response.body.toString().replaceAll('"DRAFT"', '"draft"'));
        return { ...response, body };
      },
    });
    onTestFinished(() => front.close());
    const run = await judged(front.target(), { only: ['REC-03'], isSelection: true });
    expect(having(run, 'fail'), run.said).toEqual(['REC-03.status']);
    expect(run.exitCode).toBe(1);
  });
});
