import { describe, expect, test, vi } from 'vitest';
import { Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { newCheckExecution } from '../../../engine/run/check-definition.ts';
import { CheckContext } from '../../../helpers/context/check.ts';
import { afterCreations, aroundCreations, whileUnchanged } from '../../../helpers/lists/snapshot.ts';
import { answerOf, answerTo, type Reply, scripted } from '../support/contexts.ts';

/** A server that creates and lists invoices, or rejects creations. */
function sandbox(creation: 'accepted' | 'refused' = 'accepted') {
  const made: object[] = [];
  return scripted(({ operation, body }): Reply => {
    if (operation === 'list') return { status: 200, json: { items: made, total: made.length, totalPages: 1, page: 0 } };
    if (creation === 'refused') return { status: 500 };
    const record = {
      ...(body as object),
      id: `inv-${made.length}`,
      invoiceNumber: `INV-${made.length}`,
      status: 'DRAFT',
    };
    made.push(record);
    return { status: 201, json: record };
  });
}

const created = (asks: { operation: string }[]) => asks.filter(({ operation }) => operation === 'create').length;

describe('a snapshot', () => {
  test('creates its invoices once for all checks that read before and after', async () => {
    const { ctx, asks } = sandbox();
    const seen: [number, number][] = [];
    const look = () =>
      aroundCreations(ctx, {
        before: async () => created(asks),
        after: async (made, before) => void seen.push([before, made.length]),
      });
    await Promise.all([look(), look(), look()]);
    expect(seen).toEqual([
      [0, 7],
      [0, 7],
      [0, 7],
    ]);
    expect(created(asks)).toBe(7);
  });

  test('creates none for checks that only read', async () => {
    const { ctx, asks } = sandbox();
    await whileUnchanged(ctx, async () => {});
    expect(asks).toEqual([]);
  });

  test('gives each check its own end', async () => {
    const { ctx } = sandbox();
    const ends = await Promise.allSettled([
      afterCreations(ctx, async () => {}),
      afterCreations(ctx, () => Promise.reject(new Error('broken'))),
      aroundCreations(ctx, {
        before: () => Promise.reject(new NotApplicable('not here')),
        after: () => Promise.reject(new Error('nothing comes after that')),
      }),
    ]);
    expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason.message) : end.status))).toEqual([
      'fulfilled',
      'broken',
      'not here',
    ]);
  });

  test('is repeated after a possible breach, with a due date of its own', async () => {
    const { ctx } = sandbox();
    const dates = new Set<string>();
    await afterCreations(ctx, async (made) => {
      dates.add(String(made[0]?.body.dueDate));
      if (dates.size < 2) throw new Breach({ reason: 'broken', expected: '', actual: '', exchanges: [] });
    });
    expect(dates.size).toBe(2);
  });

  test('lets a failed check leave its section, so that it repeats in a section of its own', async () => {
    const { ctx: slow } = sandbox();
    const failing = new CheckContext(slow.run, newCheckExecution('LIST-08.walk'));
    const isInside = () => slow.run.invoiceLock.isHeldBy(failing.lockOwner);
    const seen: boolean[] = [];
    await Promise.all([
      whileUnchanged(slow, () => vi.waitFor(() => expect([isInside(), seen.length]).toEqual([false, 1]))),
      whileUnchanged(failing, async () => {
        seen.push(isInside());
        if (seen.length < 2) throw new Breach({ reason: 'broken', expected: '', actual: '', exchanges: [] });
      }),
    ]);
    expect(seen).toEqual([true, true]);
  });

  test('proves nothing if others change the total during the comparisons', async () => {
    let total = 40;
    const { ctx } = scripted((): Reply => ({ status: 200, json: { items: [], total, totalPages: 1, page: 0 } }));
    let attempts = 0;
    const compared = whileUnchanged(ctx, async () => {
      attempts += 1;
      if (attempts > 1) total += 1;
      throw new Breach({ reason: 'broken', expected: '', actual: '', exchanges: [] });
    });
    await expect(compared).rejects.toThrow('the total changes while the kit changes no invoice (it was 40, 41)');
  });

  test('blocks all checks that need invoices if none can be created', async () => {
    const { ctx } = sandbox('refused');
    const ends = await Promise.allSettled([afterCreations(ctx, async () => {}), afterCreations(ctx, async () => {})]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('with repeated creations is unreliable for all checks', async () => {
    const { ctx: host } = sandbox();
    const guest = new CheckContext(host.run, newCheckExecution('LIST-08.walk'));
    guest.addEvidence([{ ...answerTo(answerOf(201).request, { status: 201 }, 'x9'), mayHaveDuplicatedMutation: true }]);
    expect(guest.execution).toMatchObject({ exchanges: ['x9'], mayHaveDuplicatedMutation: true });
  });
});
