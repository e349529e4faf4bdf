import { describe, expect, test } from 'vitest';
import { createOriginal, expectOriginalResponse } from '../../../helpers/idempotency/replay.ts';
import { answerOf, labOf, scripted } from '../support/contexts.ts';

const record = { id: 'inv-1', invoiceNumber: 'INV-1', status: 'DRAFT', amount: '1.00', dueDate: '2027-01-31' };

function replayed(then: [number, unknown], now: [number, unknown]): () => void {
  return () => expectOriginalResponse(labOf(), answerOf(...then), answerOf(...now));
}

describe('a replay is the original', () => {
  test.each([
    ['the same record', record, { ...record }],
    ['the same record in a changed envelope', { data: record, at: 1 }, { data: record, at: 2 }],
    ['the same body without an invoice', { withdrawalId: 'w-1' }, { withdrawalId: 'w-1' }],
    [
      'other values in members about the exchange',
      { id: 'w-1', timestamp: 1, traceId: 'a' },
      { id: 'w-1', timestamp: 2 },
    ],
    [
      'other members about the exchange',
      { id: 'w-1', 'x-request-id': 1, _meta: {} },
      { id: 'w-1', servedAt: 1, correlation_id: 2 },
    ],
    ['no body', undefined, undefined],
    ['null', null, null],
    ['a list', [1], [1]],
  ])('with %s', (_, then, now) => {
    expect(replayed([201, then], [201, now])).not.toThrow();
  });

  test.each([
    ['another record', record, { ...record, id: 'inv-2' }],
    ['a record with one more member', record, { ...record, replayed: true }],
    ['another body without an invoice', { withdrawalId: 'w-1' }, { withdrawalId: 'w-2' }],
    ['another value in a member with a similar name', { timestamps: 1 }, { timestamps: 2 }],
    ['another value in a member whose name ends in meta', { my_meta: 1 }, { my_meta: 2 }],
    ['another list', [{ meta: 1 }], [{ meta: 2 }]],
    ['null in place of a body', {}, null],
  ])('but not with %s', (_, then, now) => {
    expect(replayed([201, then], [201, now])).toThrow('the response to the replay differs');
  });

  test('but not with another status', () => {
    expect(replayed([201, record], [200, record])).toThrow('the replay returned 200');
  });

  test.each([
    'meta',
    'timestamp',
    'servedAt',
    'responded_at',
    'respondedAt',
    'spanId',
    'requestId',
    'request-id',
    'xRequestId',
  ])('with any member %s', (name) => {
    expect(replayed([201, { id: 'w-1', [name]: 1 }], [201, { id: 'w-1', [name]: 2 }])).not.toThrow();
  });

  test.each([200, 201])('if the original is shown in addition (%i)', (status) => {
    const [first, other] = [
      answerOf(201, record),
      { ...answerOf(status, { ...record, amount: '2.00' }), exchange: 'x2' },
    ];
    expect(() => expectOriginalResponse(labOf(), first, other)).toThrow(
      expect.objectContaining({ exchanges: ['x2', 'x1'] }),
    );
  });
});

describe('a creation to be repeated', () => {
  test('has the requestId and is recognised by its invoice', async () => {
    const { ctx, asks } = scripted(() => ({ status: 201, json: record }));
    const first = await createOriginal(ctx, 'r-1');
    expect(first.invoice).toMatchObject({ id: 'inv-1', state: 'DRAFT' });
    expect(asks).toMatchObject([{ operation: 'create', body: { requestId: 'r-1' } }]);
    expect((await createOriginal(ctx)).body.requestId).not.toBe((await createOriginal(ctx)).body.requestId);
  });

  test('blocks if it is rejected', async () => {
    const { ctx } = scripted(() => ({ status: 400 }));
    await expect(createOriginal(ctx)).rejects.toMatchObject({ blockedBy: 'CREATE-13.request-id' });
  });
});
