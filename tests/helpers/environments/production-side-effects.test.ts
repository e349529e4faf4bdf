import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { expectProductionUnaffected } from '../../../helpers/environments/production-side-effects.ts';
import { readProductionBalance } from '../../../helpers/treasury/balances/production-balance.ts';
import { scripted } from '../support/contexts.ts';

const key = (name: string) => ({ key: `svc_sand_${name}`, secret: `secret-of-the-${name}` });
const actors = {
  seller: key('seller'),
  buyer: key('buyer'),
  production: { key: 'svc_prod_seller', secret: 'secret-of-production' },
};
const operations = {
  read: { method: 'GET', path: '/invoices/{id}' },
  cancel: { method: 'POST', path: '/invoices/{id}/cancel' },
  treasuryBalance: { method: 'GET', path: '/balance' },
};

/** A service whose new invoices are SUBMITTED. `moved` returns the production balance. */
function service(moved: (asked: { cancelled: number; looks: number }) => object) {
  let made = 0;
  const states = new Map<string, string>();
  const asked = { cancelled: 0, looks: 0 };
  const { ctx } = scripted(
    ({ operation, path, actor, body }: ApiRequest) => {
      if (operation === 'create') {
        made += 1;
        states.set(`i${made}`, 'SUBMITTED');
        return { status: 201, json: { id: `i${made}`, status: 'SUBMITTED', ...(body as object) } };
      }
      const id = path.split('/').find((part) => states.has(part)) ?? '';
      if (operation === 'cancel') {
        asked.cancelled += 1;
        states.set(id, 'CANCELLED');
      }
      if (actor === 'production') asked.looks += 1;
      if (actor === 'production') return { status: 200, json: moved(asked) };
      return { status: 200, json: { id, status: states.get(id) } };
    },
    { actors, operations },
  );
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return { ctx, asked };
}

describe('the production balance', () => {
  test('is not examined further if it is unchanged', async () => {
    const { ctx, asked } = service(() => ({ available: '7.00' }));
    await expectProductionUnaffected(ctx, await readProductionBalance(ctx));
    expect(asked).toEqual({ cancelled: 0, looks: 2 });
  });

  test('is a breach if it changes with every action of one kind and never in between', async () => {
    const { ctx, asked } = service(({ cancelled }) => ({ available: 100 - cancelled }));
    const before = await readProductionBalance(ctx);
    asked.cancelled = 1;
    await expect(expectProductionUnaffected(ctx, before)).rejects.toThrow(
      /changed after the cancel action on an invoice in the sandbox, but was stable right before .* confirmed in 3 attempts/,
    );
  });

  test('may change spontaneously', async () => {
    const { ctx, asked } = service(({ looks }) => ({ available: 100 - looks, asOf: Date.now() }));
    await expectProductionUnaffected(ctx, await readProductionBalance(ctx));
    expect(asked.cancelled).toBe(0);
  });

  test('may change once for another reason', async () => {
    let later = 0;
    const { ctx } = service(({ looks }) => {
      if (looks > 1) later = 5;
      return { available: 100 - later };
    });
    await expect(expectProductionUnaffected(ctx, await readProductionBalance(ctx))).resolves.toBeUndefined();
  });
});
