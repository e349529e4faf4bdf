import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules } from '../../reference/overrides/override-rules.ts';
import { startReference } from '../../reference/service/start.ts';
import { judged, LONGEST_MS } from './support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

/** Longer than the test may take. */
const SETTLE_WITHIN_MS = 5 * LONGEST_MS;
const FOREIGN_AMOUNT = '3.33';

test('a payment of others during the first withdrawal does not cost the time of a late balance', async () => {
  let isFirst = true;
  const rules = overrideRules((base) => ({
    withdraw: (call, input) => {
      const withdrawal = base.withdraw(call, input);
      if (isFirst) base.withdraw(call, { amount: FOREIGN_AMOUNT });
      isFirst = false;
      return withdrawal;
    },
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const limits = { ...service.target.limits, settleWithinMs: SETTLE_WITHIN_MS };
  const found = await judged({ ...service.target, limits, allow: {} }, { only: ['IDEM-04.no-second-effect'] });
  expect(found.exitCode, found.said).toBe(0);
});
