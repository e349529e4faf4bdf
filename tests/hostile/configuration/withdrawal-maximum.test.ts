import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules } from '../../../reference/overrides/override-rules.ts';
import { toCents } from '../../../reference/service/money.ts';
import { RejectionError } from '../../../reference/service/rejection.ts';
import { startReference } from '../../../reference/service/start.ts';
import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const BEYOND_FUNDS = 'TREAS-01.beyond-funds';

/** A server with a maximum per withdrawal and a code of its own for it, which the contract allows. */
async function run(mostCents: bigint, withdrawAtMost: string, hasBalance = true) {
  const rules = overrideRules((honest) => ({
    withdraw: (call, input) => {
      if (toCents(input.amount) > mostCents) throw new RejectionError(412, 'PAYOUT02', 'above the maximum');
      return honest.withdraw(call, input);
    },
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const { treasuryBalance, ...others } = service.target.operations;
  const operations = hasBalance ? { treasuryBalance, ...others } : others;
  const limits = { ...service.target.limits, withdrawAtMost };
  return await judged({ ...service.target, allow: {}, operations, limits } as BoundTargetInput, {
    only: [BEYOND_FUNDS, 'TREAS-01.one-cent-more', 'AUTH-01'],
  });
}

describe('a server with a maximum per withdrawal', () => {
  test('is not failed, and no limit need be raised, if the maximum is below the limit of the target file', async () => {
    const found = await run(500n, '1000.00');
    expect([found.exitCode, having(found, 'blocked')], found.said).toEqual([0, []]);
    expect(found.report?.checks.find(({ id }) => id === BEYOND_FUNDS)?.reason).toMatch(
      /^the server rejects a payment that the balance covers in the same way: 412 .*PAYOUT02/,
    );
  });

  test('blocks with a limit that helps, and says what follows, if the maximum is above it', async () => {
    const found = await run(50_000n, '1000.00');
    expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
    const check = found.report?.checks.find(({ id }) => id === BEYOND_FUNDS);
    expect(check).toMatchObject({
      blockedBy: 'limits.withdrawAtMost of the target file',
      reason: expect.stringMatching(
        /a code other than TREAS007 \(412 .*PAYOUT02.* maximum per withdrawal; .* 400\.00 returns 201\. Raise limits\.withdrawAtMost to "\d+\.\d\d", .* rejects it and keeps the money/,
      ),
    });
    const [, needed = ''] = /Raise limits\.withdrawAtMost to "(\S+)"/.exec(check?.reason ?? '') ?? [];
    const raised = await run(50_000n, needed);
    expect([raised.exitCode, having(raised, 'blocked')], raised.said).toEqual([0, []]);
  });

  test('is not failed where the target file binds no balance', async () => {
    const found = await run(500n, '1000.00', false);
    expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
    expect(found.report?.checks.find(({ id }) => id === BEYOND_FUNDS)).toMatchObject({
      blockedBy: 'operations.treasuryBalance of the target file',
      reason: expect.stringMatching(/ maximum per withdrawal; .* bind operations\.treasuryBalance/),
    });
  });
});
