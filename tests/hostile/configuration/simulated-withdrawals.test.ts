import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules, type RuleChange } from '../../../reference/overrides/override-rules.ts';
import { toCents } from '../../../reference/service/money.ts';
import { startReference } from '../../../reference/service/start.ts';
import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const BY_BALANCE = ['IDEM-04.one-effect', 'IDEM-04.simultaneous'];

/** The behaviour of a path such as …/withdrawals/preview. */
const PREVIEWS = overrideRules((honest) => ({
  withdraw: ({ rules }, { amount }) => ({
    id: honest.newId(),
    cents: toCents(amount),
    createdAt: rules.now().toISOString(),
  }),
}));

const ANOTHER_ACCOUNT = overrideRules(() => ({ balance: () => 5_000_000n }));

/** Another client of the same sandbox receives money whenever this one withdraws. */
const OTHER_PAYMENTS = overrideRules((honest) => {
  let received = 0n;
  return {
    withdraw: (call, input) => {
      received += 10_000n;
      return honest.withdraw(call, input);
    },
    balance: (call) => honest.balance(call) + received,
  };
});

async function run(rules: RuleChange, withdrawal: object = {}) {
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const { operations, limits } = service.target;
  const target = {
    ...service.target,
    allow: {},
    limits: { ...limits, settleWithinMs: 1000 },
    operations: { ...operations, treasuryWithdraw: { ...operations.treasuryWithdraw, ...withdrawal } },
  } as BoundTargetInput;
  return await judged(target, { only: [...BY_BALANCE, 'AUTH-01'] });
}

test.each([
  ['a withdrawal without an effect', PREVIEWS],
  ['the balance of another account', ANOTHER_ACCOUNT],
])('%s blocks the checks of the balance, and both operations are named', async (_, rules) => {
  const found = await run(rules);
  expect([found.exitCode, having(found, 'blocked').sort()], found.said).toEqual([3, BY_BALANCE]);
  expect(found.report?.checks.find(({ id }) => id === BY_BALANCE[0])).toMatchObject({
    blockedBy: 'operations.treasuryWithdraw of the target file',
    reason: expect.stringMatching(
      /^operations\.treasuryWithdraw: POST \S+ accepted \d+\.\d\d \(201\), but no number in POST \S+ decreased within 1500 ms; correct .* operations\.treasuryBalance, .* or write simulated: true/,
    ),
  });
});

test('simulated withdrawals are not judged by the balance, and the verdict says so', async () => {
  const found = await run(PREVIEWS, { simulated: true });
  expect(having(found, 'not-applicable').sort(), found.said).toEqual(BY_BALANCE);
  expect(found.said).toContain('except treasuryWithdraw (simulated)');
  expect(found.exitCode).toBe(0);
});

test('simulated: true is wrong if the balance falls by a withdrawal', async () => {
  const found = await run(
    overrideRules(() => ({})),
    { simulated: true },
  );
  expect([found.exitCode, having(found, 'blocked').sort()], found.said).toEqual([3, BY_BALANCE]);
  expect(found.report?.checks.find(({ id }) => id === BY_BALANCE[0])).toMatchObject({
    blockedBy: 'operations.treasuryWithdraw of the target file',
    reason: expect.stringMatching(
      /, and the balance fell by it, but the target file declares simulated: true; remove it$/,
    ),
  });
});

/** The behaviour of a path such as …/treasury/deposit. */
const DEPOSITS = overrideRules((honest) => {
  let received = 0n;
  return {
    withdraw: (call, input) => {
      received += 2n * toCents(input.amount);
      return honest.withdraw(call, input);
    },
    balance: (call) => honest.balance(call) + received,
  };
});

test('a withdrawal by which the balance rises is named as a deposit', async () => {
  const found = await run(DEPOSITS);
  expect([found.exitCode, having(found, 'blocked').sort()], found.said).toEqual([3, BY_BALANCE]);
  const reasons = found.report?.checks.filter(({ verdict }) => verdict === 'blocked').map(({ reason }) => reason);
  expect(reasons?.join()).toMatch(/rose by it, as after a deposit; correct its path/);
});

test('a payment that arrives during a withdrawal is not blamed on the target file', async () => {
  const found = await run(OTHER_PAYMENTS);
  expect([found.exitCode, having(found, 'not-applicable').sort()], found.said).toEqual([0, BY_BALANCE]);
  expect(found.report?.checks.find(({ id }) => id === BY_BALANCE[0])?.reason).toBe(
    'another payment raised the balance during the withdrawal',
  );
});
