import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules } from '../../reference/overrides/override-rules.ts';
import type { Call } from '../../reference/service/call.ts';
import { startReference } from '../../reference/service/start.ts';
import { judged, LONGEST_MS } from './support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const LAG_MS = 1200;

test('a run does not empty an account whose balance shows settlements late', async () => {
  const hiddenCents = new Map<string, bigint>();
  const ownerOf = ({ environment, organizationId }: Call) => `${environment} ${organizationId}`;
  const withdrawn: number[] = [];
  const rules = overrideRules((base) => ({
    balance: (call) => base.balance(call) - (hiddenCents.get(ownerOf(call)) ?? 0n),
    settle: (call, invoice) => {
      const before = base.balance({ ...call, organizationId: invoice.sellerOrganizationId });
      base.settle(call, invoice);
      const seller = { ...call, organizationId: invoice.sellerOrganizationId };
      const moved = base.balance(seller) - before;
      const hide = (cents: bigint) =>
        hiddenCents.set(ownerOf(seller), (hiddenCents.get(ownerOf(seller)) ?? 0n) + cents);
      hide(moved);
      call.background.schedule(LAG_MS, () => hide(-moved));
    },
    withdraw: (call, input) => {
      const withdrawal = base.withdraw(call, input);
      withdrawn.push(Number(input.amount));
      return withdrawal;
    },
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const only = ['LIFE-01.approved-settle', 'IDEM-04.no-second-effect', 'TREAS-01.one-cent-more', 'LIFE-04.paid-once'];
  const found = await judged({ ...service.target, allow: {} }, { only });
  expect(found.exitCode, found.said).toBe(0);
  expect(withdrawn.length).toBeGreaterThan(0);
  expect(Math.max(...withdrawn)).toBeLessThan(1000);
});
