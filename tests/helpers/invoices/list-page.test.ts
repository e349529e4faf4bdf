import { describe, expect, test, vi } from 'vitest';
import { Breach } from '../../../engine/model/outcomes.ts';
import { recordCreatedRecord } from '../../../helpers/context/invoice-history.ts';
import { confirmBreachExclusively } from '../../../helpers/invoices/exclusive-section.ts';
import type { Invoice } from '../../../helpers/invoices/invoices.ts';
import { expectOrder, parsePage, readDeepPage, readPage } from '../../../helpers/invoices/list-page.ts';
import { expectInvoicesOnPages, expectNoRepeatedRecord } from '../../../helpers/lists/page-walk.ts';
import { answerOf, labOf, scripted } from '../support/contexts.ts';

const LIST = 'LIST-01.items';

function paged(pages: readonly (readonly string[])[], totalPages = pages.length) {
  return scripted(({ path }) => {
    const page = Number(new URL(path, 'http://here').searchParams.get('page'));
    const items = (pages[page] ?? []).map((id) => ({ id }));
    return { status: 200, json: { items, total: 9, totalPages, page, limit: 2 } };
  });
}

const wanted = (...ids: string[]) => ids.map((id) => ({ id }) as Invoice);

describe('a page of the list', () => {
  test('is described by the envelope', async () => {
    const page = await readPage(paged([['a', 'b'], ['c']]).ctx, { page: 1 });
    expect(page).toMatchObject({ records: [{ id: 'c' }], total: 9, totalPages: 2, page: 1, limit: 2 });
    expect(parsePage(answerOf(200, {})).total).toBeNaN();
  });

  test('blocks if it is not available', async () => {
    const { ctx } = scripted(() => ({ status: 400 }));
    await expect(readPage(ctx, { page: 1 })).rejects.toMatchObject({ blockedBy: LIST });
  });

  test('may be rejected far back, but not at the beginning', async () => {
    const { ctx } = scripted(() => ({ status: 400 }));
    expect(await readDeepPage(ctx, { page: 1 })).toBeNull();
    await expect(readDeepPage(ctx, { page: 0 })).rejects.toMatchObject({ blockedBy: LIST });
    await expect(readDeepPage(scripted(() => ({ status: 404 })).ctx, { page: 1 })).rejects.toMatchObject({
      blockedBy: LIST,
    });
    expect(await readDeepPage(paged([['a'], ['b']]).ctx, { page: 1 })).toMatchObject({ records: [{ id: 'b' }] });
  });
});

describe('a walk through the pages', () => {
  test('ends when everything was found', async () => {
    const { ctx, asks } = paged([['a', 'b'], ['c'], ['d']]);
    await expectInvoicesOnPages(ctx, { limit: 2 }, wanted('c', 'a'));
    expect(asks.map(({ path }) => path)).toEqual([
      '/api/v1/invoices?limit=2&page=0',
      '/api/v1/invoices?limit=2&page=1',
    ]);
  });

  test('ends with the last page, and after sixteen', async () => {
    const ended = paged([['a'], ['b'], ['c']], 2);
    await expect(expectInvoicesOnPages(ended.ctx, { limit: 2 }, wanted('c'))).rejects.toThrow('do not contain c');
    expect(ended.asks).toHaveLength(2);
    const endless = paged(
      Array.from({ length: 20 }, (_, at) => [`i${at}`]),
      99,
    );
    await expect(expectInvoicesOnPages(endless.ctx, { limit: 1 }, wanted('c', 'd'))).rejects.toThrow(
      'do not contain c, d',
    );
    expect(endless.asks).toHaveLength(16);
  });

  test('is broken by a repeated record', async () => {
    const { ctx } = paged([['a', 'b'], ['b']]);
    await expect(expectInvoicesOnPages(ctx, { limit: 2 }, wanted('c'))).rejects.toThrow(
      'invoice b was already on page 0',
    );
    await expect(expectNoRepeatedRecord(ctx, { limit: 2 }, 2)).rejects.toThrow('invoice b was already on page 0');
  });

  test('sends nothing if nothing is searched for', async () => {
    const { ctx, asks } = paged([['a']]);
    await expectInvoicesOnPages(ctx, { limit: 2 }, []);
    expect(asks).toEqual([]);
  });

  test('that searches only for repetitions ends after a number of pages, or with the last', async () => {
    const many = paged([['a'], ['b'], ['c'], ['a']]);
    await expectNoRepeatedRecord(many.ctx, { limit: 1 }, 3);
    expect(many.asks).toHaveLength(3);
    const few = paged([['a'], ['b'], ['a']], 2);
    await expectNoRepeatedRecord(few.ctx, { limit: 1 }, 3);
    expect(few.asks).toHaveLength(2);
  });
});

describe('the order of records', () => {
  const ordered = (direction: 'asc' | 'desc', ...amounts: number[]) => {
    const page = parsePage(answerOf(200, { items: amounts.map((amount) => ({ amount })) }));
    return () => expectOrder(labOf(), page, 'amount', direction, ({ amount }) => Number(amount));
  };

  test('is correct for equal neighbours, one record and none', () => {
    for (const amounts of [[1, 1, 2, 5], [1], []]) {
      expect(ordered('asc', ...amounts)).not.toThrow();
      expect(ordered('desc', ...amounts.toReversed())).not.toThrow();
    }
  });

  test('is broken by any two neighbours', () => {
    expect(ordered('asc', 1, 2, 1)).toThrow('amount 2 comes before 1 (items[1] and items[2])');
    expect(ordered('desc', 1, 2)).toThrow('amount 1 comes before 2 (items[0] and items[1])');
  });
});

describe('an experiment about a list', () => {
  const broken = new Breach({ reason: 'it is broken', expected: '', actual: '', exchanges: [] });

  test('is repeated after a breach, which other users may have caused', async () => {
    const seen: number[] = [];
    await confirmBreachExclusively(labOf(), async (_, { number }) => {
      seen.push(number);
      if (number < 3) throw broken;
    });
    expect(seen).toEqual([1, 2, 3]);
  });

  test('is broken after three breaches', async () => {
    let times = 0;
    const experiment = async () => {
      times += 1;
      throw broken;
    };
    await expect(confirmBreachExclusively(labOf(), experiment)).rejects.toThrow(
      'it is broken; confirmed in 3 attempts, because a concurrent creation',
    );
    expect(times).toBe(3);
  });

  test('is tried only first and last after another was broken every time', async () => {
    const ctx = labOf();
    const seen: number[] = [];
    const experiment = async (_: unknown, { number }: { number: number }) => {
      seen.push(number);
      throw broken;
    };
    await expect(confirmBreachExclusively(ctx, experiment)).rejects.toThrow('confirmed in 3 attempts');
    await expect(confirmBreachExclusively(ctx, experiment)).rejects.toThrow('confirmed in 2 attempts');
    expect(seen).toEqual([1, 2, 3, 1, 3]);
  });

  test('is not repeated if it depends on a broken exchange rule', async () => {
    const ctx = labOf();
    vi.spyOn(ctx.run.preconditions, 'restsOnBrokenRule').mockImplementation((_, exchanges) => exchanges.includes('x7'));
    let times = 0;
    const of = (exchange: string) => async () => {
      times += 1;
      throw new Breach({ reason: 'it is broken', expected: '', actual: '', exchanges: [exchange] });
    };
    await expect(confirmBreachExclusively(ctx, of('x7'))).rejects.toThrow('it is broken');
    expect(times).toBe(1);
  });

  test('is not repeated after anything else', async () => {
    let times = 0;
    const experiment = async () => {
      times += 1;
      throw new Error('the kit broke');
    };
    await expect(confirmBreachExclusively(labOf(), experiment)).rejects.toThrow('the kit broke');
    expect(times).toBe(1);
  });
});

test('an order that a changed value breaks names the change first', () => {
  const ctx = labOf();
  const records = [
    { id: 'a', status: 'DRAFT', dueDate: '2026-12-28' },
    { id: 'b', status: 'SETTLED', dueDate: '2026-12-29' },
  ];
  const reasonWith = (dueDate: string) => {
    recordCreatedRecord(ctx, 'a', { record: { dueDate }, created: answerOf(201) });
    const page = parsePage(answerOf(200, { items: records }));
    try {
      expectOrder(ctx, page, 'dueDate', 'desc', (record) => Date.parse(String(record.dueDate)));
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(reasonWith('2026-12-30')).toMatch(
    /^the DRAFT invoice a was created with dueDate 2026-12-30 and now has 2026-12-28, which breaks REC-10 first: dueDate 2026-12-28 comes before/,
  );
  expect(reasonWith('2026-12-28')).toMatch(/^dueDate 2026-12-28 comes before/);
});
