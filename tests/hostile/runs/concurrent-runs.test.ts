import { expect, onTestFinished, test, vi } from 'vitest';
import { startReference } from '../../../reference/service/start.ts';
import { judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

test('two concurrent runs against one sandbox do not disturb each other', async () => {
  const service = await startReference();
  onTestFinished(() => service.close());
  // A reset would end the keys of the other run.
  const limits = { ...service.target.limits, requestTimeoutMs: 60_000 };
  const target = { ...service.target, allow: { reset: false }, limits };
  const runs = await Promise.all([judged(target, { only: ['*'] }), judged(target, { only: ['*'] })]);
  for (const { report, exitCode } of runs) {
    const odd = report?.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(odd?.map(({ id, verdict, reason }) => `${verdict} ${id} ${reason}`)).toEqual([]);
    expect([exitCode, report?.verdict]).toEqual([0, 'conformant']);
  }
});
