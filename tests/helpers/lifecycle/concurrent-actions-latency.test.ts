import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { expectSerializable } from '../../../helpers/lifecycle/concurrent-actions.ts';
import type { InvoiceState } from '../../../specs/contract/lifecycle.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const LEADS: Partial<Record<string, InvoiceState>> = { submit: 'SUBMITTED', dispute: 'DISPUTED', cancel: 'CANCELLED' };

/** Accepts all concurrent resolutions, because it checks all of them before it carries out any. */
function resolutions(tookMs: number, told: (status: string) => object): (ask: ApiRequest) => Reply {
  const invoices = new Map<string, InvoiceState>();
  return ({ operation, path }) => {
    if (operation === 'create') {
      const id = `inv-${invoices.size + 1}`;
      invoices.set(id, 'DRAFT');
      return { status: 201, json: { id, invoiceNumber: id, status: 'DRAFT', amount: '1.00', dueDate: '2027-01-31' } };
    }
    const id = path.split('/').at(-1) as string;
    const status = invoices.get(id) as InvoiceState;
    if (operation === 'resolve') {
      if (status !== 'DISPUTED') return { status: 412, json: { code: 'INV004' } };
      queueMicrotask(() => invoices.set(id, 'CANCELLED'));
      return { status: 200, json: told('CANCELLED'), tookMs };
    }
    invoices.set(id, LEADS[operation] ?? status);
    const shown = { id, invoiceNumber: id, status: invoices.get(id), amount: '1.00', dueDate: '2027-01-31' };
    return { status: 200, json: shown, tookMs };
  };
}

const silent = () => ({ accepted: true });

test('two accepted actions are a breach if the next read shows the effect at once', async () => {
  const { ctx } = scripted(resolutions(0, silent));
  await expect(expectSerializable(ctx, 'DISPUTED', ['resolve'])).rejects.toThrow(Breach);
});

test('two accepted actions may have been queued if reads are late and responses show no effect', async () => {
  const { ctx } = scripted(resolutions(300, silent));
  const judged = expectSerializable(ctx, 'DISPUTED', ['resolve']);
  await expect(judged).rejects.toThrow(NotApplicable);
  await expect(judged).rejects.toThrow(
    'the response does not show whether an accepted resolve action takes effect at once',
  );
});

test('two accepted actions are a breach if their responses show the effect, even if reads are late', async () => {
  const { ctx } = scripted(resolutions(300, (status) => ({ status })));
  await expect(expectSerializable(ctx, 'DISPUTED', ['resolve'])).rejects.toThrow(Breach);
});
