import { describe, expect, test, vi } from 'vitest';
import { judgeServer } from '../../cli/prove/judge-server.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { overrideRules, type RuleChange } from '../../reference/overrides/override-rules.ts';
import type { Invoice } from '../../reference/service/store.ts';
import { delayAndLock } from '../../reference/variations/lifecycle/late-effects.ts';
import { staleReads, staleSecondReads } from '../../reference/variations/service/replicas.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { isRed } from '../../specs/verdicts.ts';

// Several at once, because each of them often waits.
vi.setConfig({ maxConcurrency: 4, testTimeout: 180_000 });

/** The proof allows 1,500 ms. */
const LATE_MS = 2600;
const FIELD = 'limits.settleWithinMs of the target file';

const WALKS: CheckId[] = ['LIFE-01.random-sequence', 'LIFE-02.random-sequence', 'LIFE-10.random-sequence'];

/** Servers whose changes show later than limits.settleWithinMs, and the checks that could report it as a breach. */
const late: [string, RuleChange, CheckId[]][] = [
  [
    'a settlement',
    delayAndLock(LATE_MS, 'settle'),
    ['LIFE-04.settle', 'LIFE-02.once-disputed', 'LIFE-02.no-delayed-effect', ...WALKS],
  ],
  ['an approval', delayAndLock(LATE_MS, 'approve'), ['LIFE-04.approve', 'LIFE-02.approved-cancel', ...WALKS]],
  ['a submission', delayAndLock(LATE_MS, 'submit'), ['LIFE-04.submit', 'LIFE-02.submitted-delete', ...WALKS]],
  ['a dispute', delayAndLock(LATE_MS, 'dispute'), ['LIFE-04.dispute', ...WALKS]],
  ['a resolution', delayAndLock(LATE_MS, 'resolve'), WALKS],
  ['a cancellation', delayAndLock(LATE_MS, 'cancel'), ['LIFE-04.cancel', ...WALKS]],
  ['a deletion', delayAndLock(LATE_MS, 'delete'), ['LIFE-04.delete', ...WALKS]],
  [
    'every read',
    staleReads(LATE_MS, () => true),
    ['AUTH-07.approve', 'CREATE-11.currency', 'CREATE-14.listed', 'ISO-04.read'],
  ],
  [
    'every list',
    staleReads(LATE_MS, ({ route }) => route.name === 'list'),
    ['LIST-09.own-invoice-listed', 'LIST-09.resolved', 'CREATE-14.generated'],
  ],
];

describe.concurrent('limits.settleWithinMs blocks, and nothing fails, if it is too short for', () => {
  test.each(late)('%s', async (_, rules, checks) => {
    const judged = await judgeServer({ rules }, checks);
    expect(judged.filter(({ verdict }) => !['pass', 'not-applicable', 'blocked'].includes(verdict))).toEqual([]);
    const blocked = judged.filter(({ verdict }) => verdict === 'blocked');
    expect(blocked.length).toBeGreaterThan(0);
    expect(blocked.filter(({ blockedBy }) => blockedBy !== FIELD)).toEqual([]);
  });
});

test('an accepted action that never takes effect differs from a late one', async () => {
  const rules = overrideRules(() => ({ applyEffect: () => {} }));
  const judged = await judgeServer({ rules }, ['LIFE-04.submit', 'LIFE-02.submitted-delete']);
  expect(Object.fromEntries(judged.map((each) => [each.id, each]))).toMatchObject({
    'LIFE-02.submitted-delete': { verdict: 'blocked', blockedBy: 'LIFE-04.submit' },
    'LIFE-04.submit': { verdict: 'warn' },
  });
});

test('a submission that never takes effect does not look like one that is accepted twice', async () => {
  const fault = allFaults.find(({ id }) => id === 'life-submit-has-no-effect');
  const judged = await judgeServer(fault ?? {}, ['LIFE-01.draft-submit', 'LIFE-02.submitted-submit', 'LIFE-02.small']);
  expect(judged.filter(isRed).map(({ id }) => id)).toEqual(['LIFE-01.draft-submit']);
});

describe('a stale read', () => {
  test('may show a deleted draft once more', async () => {
    const deleted = new Map<string, { invoice: Invoice; reads: number }>();
    const rules = overrideRules((honest) => ({
      changeInvoice: (call, invoice, next, input) => {
        if (next === 'DELETED') deleted.set(invoice.id, { invoice: { ...invoice }, reads: 0 });
        honest.changeInvoice(call, invoice, next, input);
      },
      findInvoice: (call, id) => {
        const gone = call.request.method === 'GET' ? deleted.get(id) : undefined;
        if (!gone) return honest.findInvoice(call, id);
        gone.reads += 1;
        return gone.reads === 2 ? gone.invoice : honest.findInvoice(call, id);
      },
    }));
    const [judged] = await judgeServer({ rules }, ['IDEM-01.after-delete']);
    expect(judged).toMatchObject({ verdict: 'pass' });
  });

  test('may lack a draft whose deletion cancels it', async () => {
    const deleted = new Map<string, number>();
    const rules = overrideRules((honest) => ({
      changeInvoice: (call, invoice, next, input) => {
        if (next === 'DELETED') deleted.set(invoice.id, 0);
        honest.changeInvoice(call, invoice, next === 'DELETED' ? 'CANCELLED' : next, input);
      },
      findInvoice: (call, id) => {
        const reads = call.request.method === 'GET' ? deleted.get(id) : undefined;
        if (reads !== undefined) deleted.set(id, reads + 1);
        return honest.findInvoice(call, reads === 0 ? 'not yet here' : id);
      },
    }));
    const [judged] = await judgeServer({ rules }, ['IDEM-01.after-delete']);
    expect(judged).toMatchObject({ verdict: 'pass' });
  });

  test.each([100, 1000])('by %i ms in every second request fails nothing', async (milliseconds) => {
    const judged = await judgeServer({ rules: staleSecondReads(milliseconds) });
    expect(judged.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')).toEqual([]);
  });
});
