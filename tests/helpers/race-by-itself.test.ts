import { expect, test } from 'vitest';
import type { Ask } from '../../engine/answer.ts';
import { Breach, NotApplicable } from '../../engine/outcome.ts';
import { expectOneOrder } from '../../helpers/race.ts';
import { type Reply, scripted } from './labs.ts';

/** Invoices whose disputes show in the first look after them; after a volley they are CANCELLED before anybody can look. */
function disputes(laterLooks: string): (ask: Ask) => Reply {
  const invoices = new Map<string, { status: string; looks: number; asked: number }>();
  const shown = (id: string, status: string): Reply => ({
    status: 200,
    json: { id, invoiceNumber: `INV-${id}`, status, amount: '1.00', dueDate: '2027-01-31' },
  });
  return ({ operation, path }) => {
    if (operation === 'create') {
      const id = `inv-${invoices.size + 1}`;
      invoices.set(id, { status: 'DRAFT', looks: 0, asked: 0 });
      return { ...shown(id, 'DRAFT'), status: 201 };
    }
    const id = path.split('/').at(-1) as string;
    const invoice = invoices.get(id);
    if (!invoice) return { status: 404 };
    if (operation === 'read') {
      if (invoice.status !== 'DISPUTED') return shown(id, invoice.status);
      invoice.looks += 1;
      return shown(id, invoice.asked > 1 ? 'CANCELLED' : invoice.looks > 1 ? laterLooks : 'DISPUTED');
    }
    if (operation === 'submit') invoice.status = 'SUBMITTED';
    else {
      invoice.asked += 1;
      if (invoice.asked > 1) return { status: 412, json: { code: 'INV004' } };
      invoice.status = operation === 'cancel' ? 'CANCELLED' : 'DISPUTED';
    }
    return shown(id, invoice.status);
  };
}

test('a dispute that runs out by itself is no matter of the race', async () => {
  const { lab } = scripted(disputes('CANCELLED'));
  await expect(expectOneOrder(lab, 'SUBMITTED', ['dispute', 'cancel'])).rejects.toThrow(NotApplicable);
});

test('an end that nothing explains is a breach where a dispute stays a dispute', async () => {
  const { lab } = scripted(disputes('DISPUTED'));
  await expect(expectOneOrder(lab, 'SUBMITTED', ['dispute', 'cancel'])).rejects.toThrow(Breach);
});
