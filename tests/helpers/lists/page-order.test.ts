import { expect, test } from 'vitest';
import { Breach } from '../../../engine/model/outcomes.ts';
import { expectLaterPageOlder } from '../../../helpers/lists/page-order.ts';
import { preconditionsOf } from '../../../specs/catalogue/preconditions.ts';
import { type Reply, scripted } from '../support/contexts.ts';

interface Listed {
  id: string;
  createdAt: string;
}

const dated = (second: number): Listed => ({
  id: `inv-${second}`,
  createdAt: new Date(Date.UTC(2026, 10, 21) + second * 1000).toISOString(),
});

/** Oldest first. */
const stored = (count: number): Listed[] => Array.from({ length: count }, (_, at) => dated(at));

const newestFirst = (records: readonly Listed[]): Listed[] =>
  records.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));

/** The error for a list whose pages of `limit` records a function returns; undefined if there is none. */
async function errorFor(total: number, page: (from: number, to: number) => Listed[], shown = (at: number) => at) {
  const { ctx } = scripted(({ path }): Reply => {
    const query = new URL(path, 'http://here').searchParams;
    const [at, limit] = [shown(Number(query.get('page'))), Number(query.get('limit'))];
    return { status: 200, json: { items: page(at * limit, (at + 1) * limit), total, page: at, limit } };
  });
  return await expectLaterPageOlder(ctx).catch((error: unknown) => error);
}

test('a list that is sorted before it is cut into pages is in order', async () => {
  expect(await errorFor(90, (from, to) => newestFirst(stored(90)).slice(from, to))).toBeUndefined();
});

test('a list whose pages are sorted one by one is not', async () => {
  const error = await errorFor(90, (from, to) => newestFirst(stored(90).slice(from, to)));
  expect(error).toBeInstanceOf(Breach);
  expect(String(error)).toContain('page 2 shows invoice inv-59');
});

test('pages that are counted from one are in order', async () => {
  const sorted = newestFirst(stored(90));
  expect(await errorFor(90, (from, to) => sorted.slice(from + 20, to + 20))).toBeUndefined();
  expect(await errorFor(90, (from, to) => sorted.slice(from - 20, to - 20))).toBeUndefined();
});

test('an earlier page in place of one past the end, and equal times, are accepted', async () => {
  const sorted = newestFirst(stored(35));
  const first = (from: number, to: number) => sorted.slice(from, to);
  expect(await errorFor(35, first, (at) => Math.min(at, 1))).toBeUndefined();
  expect(await errorFor(35, first, () => 0)).toBeUndefined();
  expect(await errorFor(90, () => Array.from({ length: 20 }, () => dated(1)))).toBeUndefined();
});

test('a list without order is blamed before the count of its pages', () => {
  const owners = preconditionsOf('LIST-04.first-is-zero').map(({ owner }) => owner);
  expect(owners).toContain('LIST-06.created-at-desc');
});
