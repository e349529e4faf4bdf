import { expect, test } from 'vitest';
import { emptiedSandboxReason } from '../../../helpers/controls/emptied-sandbox.ts';
import { labOf, type Reply, scripted } from '../support/contexts.ts';

const MADE = [
  { id: 'inv-1', state: 'DRAFT' },
  { id: 'inv-2', state: 'DRAFT' },
];

/** A run whose preflight created two invoices, on a server with the given reads and lists. */
async function because(reads: (id: string) => Reply, listed: Reply) {
  const { ctx } = scripted(
    ({ operation, path }) => (operation === 'read' ? reads(path) : listed),
    {},
    { trialInvoices: MADE },
  );
  return await emptiedSandboxReason(ctx);
}

const gone: Reply = { status: 404, json: { code: 'INV001' } };
const record = { id: 'inv-2', invoiceNumber: 'INV-2', status: 'DRAFT', amount: '12.00', dueDate: '2027-01-31' };
const there: Reply = { status: 200, json: record };
const items = (...ids: string[]): Reply => ({ status: 200, json: { items: ids.map((id) => ({ id })) } });

test('a sandbox was emptied if no invoice from before the first check is read or listed', async () => {
  expect(await because(() => gone, items('inv-3'))).toMatch(
    /^invoice inv-1, .*: somebody emptied the sandbox during the run; run again while no other user resets it$/,
  );
});

test('a sandbox was not emptied if an invoice is read or listed, or if the list fails', async () => {
  expect(await because((path) => (path.endsWith('inv-2') ? there : gone), items())).toBeNull();
  expect(await because(() => gone, items('inv-3', 'inv-2'))).toBeNull();
  expect(await because(() => gone, { status: 500 })).toBeNull();
});

test('a sandbox was not emptied if only a list can be read', async () => {
  const { ctx } = scripted(() => items(), { operations: {} }, { trialInvoices: MADE });
  expect(await emptiedSandboxReason(ctx)).toBeNull();
});

test('a sandbox was not emptied if nothing was created, or if the run has removed it', async () => {
  expect(await emptiedSandboxReason(labOf())).toBeNull();
  const { ctx } = scripted(() => gone, {}, { trialInvoices: MADE });
  for (const { id } of MADE) ctx.run.leftovers.recordDeleted(id);
  expect(await emptiedSandboxReason(ctx)).toBeNull();
});
