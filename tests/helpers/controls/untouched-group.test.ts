import { expect, test } from 'vitest';
import { haveKeptState, UntouchedGroup, waitForSpontaneousChange } from '../../../helpers/controls/untouched-group.ts';
import type { Invoice } from '../../../helpers/invoices/invoices.ts';
import { answerOf, scripted } from '../support/contexts.ts';

const invoice = (id: string): Invoice =>
  ({ id, body: {}, state: 'SUBMITTED', created: answerOf(201) }) as unknown as Invoice;

/** A server whose invoices show a status, and the ids that have been read. */
function readable(statusOf: (id: string) => string) {
  const reads: string[] = [];
  const { ctx } = scripted(({ path }) => {
    const id = path.split('/').at(-1) ?? '';
    reads.push(id);
    const status = statusOf(id);
    return { status: 200, json: { id, invoiceNumber: id, status, amount: '1.00', dueDate: '2027-01-31' } };
  });
  return { ctx, reads };
}

test('callers that ask for nearly the same time share one look at the group', async () => {
  const { ctx, reads } = readable(() => 'SUBMITTED');
  const group = new UntouchedGroup([invoice('a'), invoice('b')]);
  const kept = [300, 400, 500].map((ms) => haveKeptState(ctx, group, 'SUBMITTED', ms));
  expect(await Promise.all(kept)).toEqual([true, true, true]);
  expect(reads).toEqual(['a', 'b']);
});

test('what an earlier look has shown costs one read, which still shows a change of all invoices', async () => {
  let status = 'SUBMITTED';
  const { ctx, reads } = readable(() => status);
  const group = new UntouchedGroup([invoice('a'), invoice('b')]);
  await haveKeptState(ctx, group, 'SUBMITTED', 300);
  expect(await haveKeptState(ctx, group, 'SUBMITTED', 200)).toBe(true);
  expect(reads).toEqual(['a', 'b', 'a']);
  status = 'SETTLED';
  expect(await haveKeptState(ctx, group, 'SUBMITTED', 200)).toBe(false);
});

test('a group in which one invoice has changed has not kept its state', async () => {
  const { ctx } = readable((id) => (id === 'b' ? 'SETTLED' : 'SUBMITTED'));
  const group = new UntouchedGroup([invoice('a'), invoice('b')]);
  expect(await haveKeptState(ctx, group, 'SUBMITTED', 10)).toBe(false);
  expect(await haveKeptState(ctx, group, 'SUBMITTED', 10)).toBe(false);
});

test('an invoice is read a few times until its time is over', async () => {
  const { ctx, reads } = readable(() => 'SUBMITTED');
  expect(await waitForSpontaneousChange(ctx, 'a', 'SUBMITTED', 80)).toBeNull();
  expect(reads).toHaveLength(4);
  const changed = readable(() => 'SETTLED');
  expect(await waitForSpontaneousChange(changed.ctx, 'a', 'SUBMITTED', 400)).toBe('SETTLED');
  expect(changed.reads).toHaveLength(1);
});
