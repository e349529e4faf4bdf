import { expect, test } from 'vitest';
import { probeOperation } from '../../../helpers/controls/permission-trial.ts';
import { scripted } from '../support/contexts.ts';

const operations = {
  treasuryWithdraw: { method: 'POST', path: '/withdraw', body: { amount: '{amount}', requestId: '{requestId}' } },
};

/** A server that rejects every request with a code of a missing permission. */
const forbidding = () =>
  scripted(() => ({ status: 403, json: { error: 'Forbidden', code: 'PERM001' } }), { operations });

test.each(['seller', null] as const)(
  'a withdrawal is tried once more to find out whether %s lost it',
  async (actor) => {
    const { ctx, asks } = forbidding();
    expect(await probeOperation(ctx, { actor, operation: 'treasuryWithdraw' })).toMatchObject({ status: 403 });
    expect(asks).toMatchObject([{ operation: 'treasuryWithdraw', actor: 'seller' }]);
  },
);

test('no withdrawal is tried with the key of another actor', async () => {
  const { ctx, asks } = forbidding();
  expect(await probeOperation(ctx, { actor: 'production', operation: 'treasuryWithdraw' })).toBeNull();
  expect(asks).toEqual([]);
});
