import { expect, test } from 'vitest';
import { postInvoice } from '../../helpers/operations.ts';
import { type Reply, scripted } from './labs.ts';

const taken: Reply = { status: 409, json: { error: 'exists', code: 'INV003' } };

test.each<[string, Reply[], number, number]>([
  ['whose number was taken is made again', [taken, taken, { status: 201 }], 201, 3],
  ['that is accepted is made once', [{ status: 201 }], 201, 1],
  ['that is in conflict with something else is made once', [{ status: 409, json: { code: 'LOCK001' } }], 409, 1],
  ['with another status is made once', [{ status: 400, json: { code: 'INV003' } }], 400, 1],
])('a creation %s', async (_, replies, status, times) => {
  const { lab, asks } = scripted(() => replies.shift() ?? taken);
  expect((await postInvoice(lab, {})).status).toBe(status);
  expect(asks).toHaveLength(times);
});

test('a creation whose number is always taken is given up', async () => {
  const { lab, asks } = scripted(() => taken);
  expect((await postInvoice(lab, {})).status).toBe(409);
  expect(asks).toHaveLength(7);
});
