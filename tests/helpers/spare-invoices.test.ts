import { expect, test } from 'vitest';
import { type Invoice, reach } from '../../helpers/invoices.ts';
import type { Lab } from '../../helpers/lab.ts';
import { keepNoSpares, leaveOver, leftOver, toBeSettled } from '../../helpers/spare-invoices.ts';
import { keeping, scripted } from './labs.ts';

/** A server that keeps its invoices, and one that was approved and left over. */
async function oneLeftOver(): Promise<{ lab: Lab; states: Map<string, string>; invoice: Invoice }> {
  const { states, reply } = keeping();
  const { lab } = scripted(reply, { limits: { settleWithinMs: 0 } });
  const invoice = await reach(lab, 'APPROVED');
  leaveOver(lab, invoice);
  return { lab, states, invoice };
}

test('what is left over is taken once, and its creation shown', async () => {
  const { lab, invoice } = await oneLeftOver();
  lab.asking.exchanges.length = 0;
  expect((await toBeSettled(lab)).id).toBe(invoice.id);
  expect(lab.asking.exchanges).toContain(invoice.created.exchange);
  expect((await toBeSettled(lab)).id).not.toBe(invoice.id);
});

test('only what is APPROVED is left over', async () => {
  const { lab, invoice } = await oneLeftOver();
  await leftOver(lab);
  leaveOver(lab, { ...invoice, state: 'SETTLED' });
  expect(await leftOver(lab)).toBeNull();
});

test('nothing more is taken once one was not where it had been left', async () => {
  const { lab, states, invoice } = await oneLeftOver();
  states.set(invoice.id, 'SETTLED');
  expect(await leftOver(lab)).toBeNull();
  leaveOver(lab, await reach(lab, 'APPROVED'));
  expect(await leftOver(lab)).toBeNull();
});

test('nor once something odd was seen', async () => {
  const { lab } = await oneLeftOver();
  keepNoSpares(lab);
  expect(await leftOver(lab)).toBeNull();
});

test('who has asked for quiet takes none', async () => {
  const { lab } = await oneLeftOver();
  const taken = await lab.run.invoices.quiet(lab.asking.id, () => leftOver(lab));
  expect(taken).toBeNull();
  expect(await leftOver(lab)).not.toBeNull();
});
