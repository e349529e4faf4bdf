import { expect, test, vi } from 'vitest';
import { judgeServer } from '../../cli/prove/judge-server.ts';
import { overrideRules, type RuleChange } from '../../reference/overrides/override-rules.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

vi.setConfig({ testTimeout: 180_000 });

/** The contract does not say which state an action leads to. Only LIFE-04, which is implied, may report these servers. */
async function verdictsOf(rules: RuleChange, ids: CheckId[]): Promise<Record<string, string>> {
  const judged = await judgeServer({ rules }, ids);
  return Object.fromEntries(
    judged.map(({ id, verdict, reason }) => [id, verdict === 'warn' ? String(reason) : verdict]),
  );
}

test('a submission that approves the invoice leaves most checks of APPROVED and SETTLED to judge', async () => {
  const rules = overrideRules((base) => ({
    transition: (call, invoice, action) => {
      const next = base.transition(call, invoice, action);
      return action === 'submit' ? 'APPROVED' : next;
    },
  }));
  await expect(
    verdictsOf(rules, [
      'LIFE-01.approved-settle',
      'LIFE-01.required-only',
      'LIFE-02.required-only',
      'LIFE-02.settled-settle',
      'LIFE-04.submit',
      'LIST-14.buyer-reads',
      'LIST-14.every-variant',
      'IDEM-01.after-transition',
      'IDEM-03.after-settlement',
      'REC-15.after-transition',
    ]),
  ).resolves.toEqual({
    'LIFE-01.approved-settle': 'pass',
    'LIFE-01.required-only': 'pass',
    'LIFE-02.required-only': 'pass',
    'LIFE-02.settled-settle': 'pass',
    'LIFE-04.submit': expect.stringContaining('the invoice is APPROVED'),
    'LIST-14.buyer-reads': 'pass',
    'LIST-14.every-variant': 'pass',
    'IDEM-01.after-transition': 'pass',
    'IDEM-03.after-settlement': 'pass',
    'REC-15.after-transition': 'pass',
  });
});

test('an approval that needs two requests leaves the checks of APPROVED and SETTLED to judge', async () => {
  const approved = new Set<string>();
  const rules = overrideRules((base) => ({
    transition: (call, invoice, action) => {
      const next = base.transition(call, invoice, action);
      if (action !== 'approve' || approved.has(invoice.id)) return next;
      approved.add(invoice.id);
      return invoice.status;
    },
  }));
  await expect(
    verdictsOf(rules, ['LIFE-01.approved-settle', 'LIFE-02.approved-cancel', 'LIFE-04.approve', 'LIFE-04.settle']),
  ).resolves.toEqual({
    'LIFE-01.approved-settle': 'pass',
    'LIFE-02.approved-cancel': 'pass',
    'LIFE-04.approve': expect.stringContaining('the invoice is SUBMITTED; it is APPROVED only after a second approve'),
    'LIFE-04.settle': 'pass',
  });
});
