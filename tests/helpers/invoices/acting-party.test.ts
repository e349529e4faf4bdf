import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { otherPartyCredentials, partyFor, performAction } from '../../../helpers/invoices/acting-party.ts';
import { scripted } from '../support/contexts.ts';

/** A server that accepts some parties and rejects the others with a status. */
function allowing(allowed: readonly string[], status: number, changes: object = {}) {
  return scripted(({ actor }) => ({ status: actor && allowed.includes(actor) ? 200 : status }), changes);
}

const who = (asks: readonly { actor: string | null }[]) => asks.map(({ actor }) => actor);

test('a temporary rejection is retried a little later, at most three times', async () => {
  const busy = { status: 409, json: { code: 'INV_BUSY' } };
  let left = 2;
  const passing = scripted(() => (left-- > 0 ? busy : { status: 200 }));
  expect((await performAction(passing.ctx, 'approve', 'inv-1')).status).toBe(200);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { ctx, asks } = scripted(() => busy);
  const counts: number[] = [];
  for (let times = 0; times < 4; times += 1) {
    const before = asks.length;
    const response = performAction(ctx, 'approve', 'inv-1');
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await response).status).toBe(409);
    counts.push(asks.length - before);
  }
  // Both parties are tried each time.
  expect(counts).toEqual([8, 8, 8, 2]);
});

describe('an action is performed', () => {
  test('by the usual party', async () => {
    const { ctx, asks } = allowing(['seller', 'buyer'], 403);
    for (const action of ['submit', 'delete', 'cancel', 'resolve', 'approve', 'dispute', 'settle'] as const)
      expect((await performAction(ctx, action, 'inv-1')).status).toBe(200);
    expect(who(asks)).toEqual(['seller', 'seller', 'seller', 'seller', 'buyer', 'buyer', 'buyer']);
  });

  test('by the party that the target file binds', () => {
    const operations = { approve: { method: 'POST', path: '/invoices/{id}', actor: 'seller' } };
    expect(partyFor(allowing([], 403, { operations }).ctx, 'approve')).toBe('seller');
  });

  test.each([403, 404, 409, 412])(
    'by the other party if the first one gets %i, and by it from then on',
    async (status) => {
      const { ctx, asks } = allowing(['seller'], status);
      expect((await performAction(ctx, 'approve', 'inv-1')).status).toBe(200);
      expect(partyFor(ctx, 'approve')).toBe('seller');
      expect(partyFor(ctx, 'settle')).toBe('buyer');
      await performAction(ctx, 'approve', 'inv-2');
      expect(who(asks)).toEqual(['buyer', 'seller', 'seller']);
    },
  );

  test('by the buyer if the seller may not', async () => {
    const { ctx } = allowing(['buyer'], 403);
    await performAction(ctx, 'cancel', 'inv-1');
    expect(partyFor(ctx, 'cancel')).toBe('buyer');
  });

  test.each([400, 401, 500])('by no other party if the first one gets %i', async (status) => {
    const { ctx, asks } = allowing(['seller'], status);
    expect((await performAction(ctx, 'approve', 'inv-1')).status).toBe(status);
    expect(asks).toHaveLength(1);
  });

  test('by neither party: the response to the first one counts', async () => {
    const { ctx } = scripted(({ actor }) => ({ status: actor === 'buyer' ? 403 : 412 }));
    expect((await performAction(ctx, 'approve', 'inv-1')).status).toBe(403);
    expect(partyFor(ctx, 'approve')).toBe('buyer');
  });
});

test('only the accepted party is recorded', async () => {
  const recorded = async (seller: number, buyer: number) => {
    const { ctx } = scripted(({ actor }) => ({ status: actor === 'seller' ? seller : buyer }));
    const observe = vi.spyOn(ctx.run.observations, 'record');
    await performAction(ctx, 'approve', 'inv-1');
    return observe.mock.calls;
  };
  expect(await recorded(403, 200)).toEqual([['acting-party', 'approve: buyer']]);
  expect(await recorded(200, 403)).toEqual([['acting-party', 'approve: seller']]);
  expect(await recorded(200, 400)).toEqual([]);
  expect(await recorded(403, 403)).toEqual([]);
});

test('the other party comes from the target file', () => {
  const { ctx } = allowing([], 403);
  expect(otherPartyCredentials(ctx, 'seller')).toMatchObject({ actor: 'buyer' });
  expect(otherPartyCredentials(ctx, 'buyer')).toMatchObject({ actor: 'seller' });
  const actors = { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' } };
  expect(otherPartyCredentials(allowing([], 403, { actors }).ctx, 'seller')).toBeNull();
});
