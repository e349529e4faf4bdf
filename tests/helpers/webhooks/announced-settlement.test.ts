import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LockOwner } from '../../../engine/scheduling/lock-owner.ts';
import { createSharedSettlement } from '../../../helpers/webhooks/announced-settlement.ts';
import { keeping, scripted } from '../support/contexts.ts';

/** Longer than a settlement waits for further subscribers. */
const BALANCE_CHECK_MS = 600;

test('the requests during a settlement are sent when it is, not while it waits for a check of the balances', async () => {
  const { ctx, asks } = scripted(keeping().reply);
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  let isCompared = false;
  const comparison = ctx.run.balanceLock.withoutOtherPayments(new LockOwner(), async () => {
    await pause(BALANCE_CHECK_MS);
    isCompared = true;
  });
  const seen: boolean[] = [];
  await createSharedSettlement(ctx, async () => seen.push(isCompared));
  await comparison;
  expect(asks.map(({ operation }) => operation)).toContain('settle');
  expect(seen).toEqual([true]);
});
