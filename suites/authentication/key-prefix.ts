import { listInvoices } from '../../helpers/api/operations.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { listProduction } from '../../helpers/environments/production.ts';

export const keyPrefixChecks: readonly Check[] = [
  check('KEY-01.sandbox-prefix', [], async (ctx) => {
    for (const name of ['seller', 'buyer', 'outsider', 'readOnly'] as const) {
      const key = ctx.target.actors[name]?.key;
      if (key === undefined) continue;
      const response = await listInvoices(ctx, {}, { as: ctx.credentials(name) });
      const honest = response.status === 401 || key.startsWith('svc_sand_');
      expectThat(
        ctx,
        honest,
        response,
        'accepted sandbox keys begin with svc_sand_',
        `the key of ${name} has another prefix`,
      );
    }
  }),

  check('KEY-01.production-prefix', ['production'], async (ctx) => {
    const response = await listProduction(ctx);
    const honest = response.status === 401 || (ctx.target.actors.production?.key.startsWith('svc_prod_') ?? false);
    expectThat(
      ctx,
      honest,
      response,
      'accepted production keys begin with svc_prod_',
      'the production key has another prefix',
    );
  }),
];
