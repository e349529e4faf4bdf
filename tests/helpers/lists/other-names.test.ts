import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { expectNamedPageServed, listWithPageSizes } from '../../../helpers/lists/queries/other-names.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const TOTAL = 80;
const DECLARED = ['page', 'limit', 'sortBy', 'sortOrder'];

/** A list of 80 records, newest first. `change` applies the undeclared parameters of a request. */
function list(change: (query: URLSearchParams) => { page?: number; served?: number; total?: number } = () => ({})) {
  return ({ path }: ApiRequest): Reply => {
    const query = new URL(path, 'http://127.0.0.1').searchParams;
    const { page = Number(query.get('page') ?? 0), served, total = TOTAL } = change(query);
    const limit = Number(query.get('limit') ?? 20);
    const first = (served ?? page) * limit;
    const items = Array.from({ length: limit }, (_, at) => ({ id: `inv-${first + at}`, createdAt: `t${first + at}` }));
    return { status: 200, json: { items, total, totalPages: Math.ceil(total / limit), page, limit } };
  };
}

const rejecting = (ask: ApiRequest): Reply => {
  const query = new URL(ask.path, 'http://127.0.0.1').searchParams;
  return [...query.keys()].every((name) => DECLARED.includes(name)) ? list()(ask) : { status: 400, json: {} };
};

describe('the page that an undeclared parameter leads to', () => {
  test.each([
    ['ignores it', list()],
    ['rejects it', rejecting],
    ['names the other page', list((query) => (query.has('offset') ? { page: 9 } : {}))],
    ['has a filter of this name', list((query) => (query.has('start') ? { served: 2, total: 30 } : {}))],
  ])('is not judged if the server %s', async (_, reply) => {
    await expect(expectNamedPageServed(scripted(reply).ctx)).resolves.toBeUndefined();
  });

  test('is the page that the envelope names', async () => {
    const shifted = list((query) => (query.has('offset') ? { served: 9 } : {}));
    await expect(expectNamedPageServed(scripted(shifted).ctx)).rejects.toThrow(
      'the envelope says page 0, and its first record has createdAt t45; page 0 without undeclared parameters begins with t0',
    );
  });

  test('is also found by a server that rejects the other parameters', async () => {
    const strict = (ask: ApiRequest): Reply => {
      const query = new URL(ask.path, 'http://127.0.0.1').searchParams;
      const others = [...query.keys()].filter((name) => !DECLARED.includes(name) && name !== 'skip');
      return others.length > 0
        ? { status: 400, json: {} }
        : list((each) => (each.has('skip') ? { served: 9 } : {}))(ask);
    };
    await expect(expectNamedPageServed(scripted(strict).ctx)).rejects.toThrow('the envelope says page 0');
  });
});

test('a server that rejects all names together gets the most common names alone', async () => {
  const { ctx, asks } = scripted(rejecting);
  expect(await listWithPageSizes(ctx)).toEqual([]);
  expect(asks.some(({ path }) => path.endsWith('?page=0&per_page=500'))).toBe(true);
  const lenient = scripted(list());
  expect(await listWithPageSizes(lenient.ctx)).toHaveLength(5);
  expect(lenient.asks).toHaveLength(5);
});
