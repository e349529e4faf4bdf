import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules, type RuleChange } from '../../../reference/overrides/override-rules.ts';
import { RejectionError } from '../../../reference/service/rejection.ts';
import { startReference } from '../../../reference/service/start.ts';
import type { InvoiceStatus } from '../../../reference/service/store.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const FINAL: ReadonlySet<InvoiceStatus> = new Set(['SETTLED', 'CANCELLED']);

/** At most so many open invoices of a seller. */
function invoiceQuota(most: number, status: number): RuleChange {
  return overrideRules((honest) => ({
    issueInvoice: (call, input, number) => {
      const own = [...call.world.invoices.values()].filter((each) => each.sellerOrganizationId === input.sellerId);
      if (own.filter((each) => !FINAL.has(each.status)).length >= most)
        throw new RejectionError(status, 'QUOTA01', 'Too many open invoices');
      return honest.issueInvoice(call, input, number);
    },
  }));
}

/** `most` open disputes at a time. */
function disputeLimit(most: number, status = 412): RuleChange {
  return overrideRules((honest) => ({
    transition: (call, invoice, action) => {
      const open = [...call.world.invoices.values()].filter(({ status }) => status === 'DISPUTED').length;
      const next = honest.transition(call, invoice, action);
      if (action === 'dispute' && open >= most) throw new RejectionError(status, 'DISP01', 'Too many open disputes');
      return next;
    },
  }));
}

async function run(rules: RuleChange, only: string[]) {
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const found = await judged({ ...service.target, allow: {} }, { only });
  const blocked = found.report?.checks.filter(({ verdict }) => verdict === 'blocked') ?? [];
  const causes = new Set(blocked.map(({ blockedBy, reason }) => `${blockedBy}: ${reason}`));
  return { ...found, causes: [...causes] };
}

describe('a quota of open invoices', () => {
  test.each([403, 409, 412])('that is reached midway (%i) is one cause, with what to do', async (status) => {
    const found = await run(invoiceQuota(20, status), ['CREATE-11', 'CREATE-13', 'IDEM-01', 'LIFE-01', 'LIFE-04']);
    expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
    expect(found.causes).toEqual([
      expect.stringMatching(
        new RegExp(
          `^target: the server accepted POST /api/v1/invoices earlier in this run and rejects it now: ${status} .*QUOTA01.* limit the number of invoices: raise this limit .*conformance cleanup.*--shard`,
        ),
      ),
    ]);
  });
});

describe('a maximum of open disputes', () => {
  test.each([409, 412])('that the run itself reaches (%i) is named', async (status) => {
    const found = await run(disputeLimit(2, status), ['LIFE-01', 'LIFE-04']);
    expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
    expect(found.causes).toEqual([
      expect.stringMatching(
        /^target: the server accepted the dispute action earlier in this run and rejects it now .*DISP01.* maximum of DISPUTED invoices: raise it for the sandbox; otherwise these checks cannot be judged/,
      ),
    ]);
  });

  test('is not assumed for a 409 if another invoice can be disputed', async () => {
    const locked = new Set<string>();
    const rules = overrideRules((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status === 'SUBMITTED') locked.add(invoice.id);
        const next = honest.transition(call, invoice, action);
        if (action === 'dispute' && locked.has(invoice.id))
          throw new RejectionError(409, 'DISP02', 'The invoice is locked');
        return next;
      },
    }));
    const found = await run(rules, ['LIFE-01']);
    expect(found.exitCode, found.said).toBe(1);
    expect(found.said).toContain('DISP02');
  });

  test('that earlier runs have reached is named', async () => {
    const found = await run(disputeLimit(1), ['LIFE-01', 'LIFE-04']);
    expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
    expect(found.causes).toEqual([
      expect.stringMatching(
        /^target: a rule of the server rejects the dispute action in SUBMITTED, .*DISP01.* in the dashboard what earlier runs left/,
      ),
    ]);
  });
});
