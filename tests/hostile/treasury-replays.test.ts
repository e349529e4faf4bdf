import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules } from '../../reference/overrides/override-rules.ts';
import { startReference } from '../../reference/service/start.ts';
import { judged, LONGEST_MS } from './support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

test('a third withdrawal with one requestId that pays again is not only called concurrent', async () => {
  const counts = new Map<string, number>();
  const rules = overrideRules((honest) => ({
    replay: async (call, key, perform) => {
      const response = await honest.replay(call, key, perform);
      const count = (counts.get(String(key)) ?? 0) + 1;
      counts.set(String(key), count);
      if (call.route.name === 'withdraw' && key !== undefined && count > 2) await perform();
      return response;
    },
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const found = await judged({ ...service.target, allow: {} }, { only: ['IDEM-04.simultaneous'] });
  expect(found.exitCode, found.said).toBe(1);
  expect(found.report?.checks[0]?.reason).toContain('8 withdrawals, concurrent or one after another, of ');
});
