import { listInvoices } from '../../helpers/api/operations.ts';
import { expectAccepted } from '../../helpers/assert/expect.ts';
import { type Check, check } from '../../helpers/context/check.ts';

export const pathPrefixChecks: readonly Check[] = [
  check('VER-01.prefix', [], async (ctx) => {
    const response = await listInvoices(
      ctx,
      {},
      { as: ctx.credentials(ctx.target.actors.seller ? 'seller' : 'buyer') },
    );
    expectAccepted(ctx, response, 'the list under /api/v1');
  }),
];
