import { expect, test } from 'vitest';
import { LockOwner } from '../../../engine/scheduling/lock-owner.ts';
import { sendAction } from '../../../helpers/api/operations.ts';
import { scripted } from '../support/contexts.ts';

test('a change that waits for the invoices does not hold the balances', async () => {
  const { ctx, asks } = scripted(() => ({ status: 200 }));
  const { balanceLock, invoiceLock } = ctx.run;
  let release = () => {};
  const list = invoiceLock.exclusive(
    new LockOwner(),
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  const submitted = sendAction(ctx, 'submit', 'inv-1', { as: ctx.credentials('seller') });
  await new Promise((resolve) => setImmediate(resolve));
  await balanceLock.exclusive(new LockOwner(), async () => expect(asks).toEqual([]));
  release();
  await Promise.all([list, submitted]);
  expect(asks).toHaveLength(1);
});
