import { expect, onTestFinished, test, vi } from 'vitest';
import { LockOwner } from '../../../engine/scheduling/lock-owner.ts';
import { postInvoice } from '../../../helpers/api/operations.ts';
import { skipIfInsufficientFunds } from '../../../helpers/api/responses.ts';
import { answerOf, type Reply, scripted } from '../support/contexts.ts';

test('only 412 TREAS007 means insufficient funds', () => {
  expect(() => skipIfInsufficientFunds(answerOf(412, { code: 'TREAS007' }))).toThrow('insufficient funds');
  expect(() => skipIfInsufficientFunds(answerOf(412, { code: 'INV004' }))).not.toThrow();
  expect(() => skipIfInsufficientFunds(answerOf(409, { code: 'TREAS007' }))).not.toThrow();
});

const taken: Reply = { status: 409, json: { error: 'exists', code: 'INV003' } };

test.each<[string, Reply[], number, number]>([
  ['with a duplicate number is repeated', [taken, taken, { status: 201 }], 201, 3],
  ['that is accepted is sent once', [{ status: 201 }], 201, 1],
  ['with another conflict is sent once', [{ status: 409, json: { code: 'LOCK001' } }], 409, 1],
  ['with another status is sent once', [{ status: 400, json: { code: 'INV003' } }], 400, 1],
])('a creation %s', async (_, replies, status, times) => {
  const { ctx, asks } = scripted(() => replies.shift() ?? taken);
  expect((await postInvoice(ctx, {})).status).toBe(status);
  expect(asks).toHaveLength(times);
});

test('a creation is given up if its number is always a duplicate', async () => {
  const { ctx, asks } = scripted(() => taken);
  expect((await postInvoice(ctx, {})).status).toBe(409);
  expect(asks).toHaveLength(7);
});

test('a creation with a duplicate number in every concurrent attempt is sent alone', async () => {
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => chance.mockRestore());
  let others = 1;
  const { ctx, asks } = scripted(() => (others > 0 ? taken : { status: 201 }));
  let end = () => {};
  const other = ctx.run.invoiceLock.shared(
    new LockOwner(),
    () =>
      new Promise<void>((resolve) => {
        end = () => {
          others = 0;
          resolve();
        };
      }),
  );
  const made = postInvoice(ctx, {});
  await vi.waitFor(() => expect(asks).toHaveLength(3));
  // The concurrent attempts wait for nothing else.
  await expect(vi.waitFor(() => expect(asks).toHaveLength(4), 200)).rejects.toThrow();
  end();
  await other;
  expect((await made).status).toBe(201);
  expect(asks.map(({ isOnlyCreation }) => isOnlyCreation)).toEqual([undefined, undefined, undefined, true]);
});

test('a creation of a check that holds the lock may meet others of the check', async () => {
  const { ctx, asks } = scripted(() => taken);
  await ctx.run.invoiceLock.exclusive(ctx.lockOwner, () => postInvoice(ctx, {}));
  expect(asks.some(({ isOnlyCreation }) => isOnlyCreation)).toBe(false);
});
