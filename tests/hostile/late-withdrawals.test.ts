import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules, type RuleChange } from '../../reference/overrides/override-rules.ts';
import { addFunds } from '../../reference/rules/money/funds.ts';
import type { Call } from '../../reference/service/call.ts';
import { DEFAULT_CURRENCY, toCents } from '../../reference/service/money.ts';
import { startReference } from '../../reference/service/start.ts';
import { having, judged, LONGEST_MS } from './support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const LAG_MS = 1800;
const ONE_CENT_MORE = 'TREAS-01.one-cent-more';
const WITHDRAWALS = ['IDEM-04.one-effect', 'IDEM-04.other-amount', 'IDEM-08.withdraw-no-request-id', ONE_CENT_MORE];

/** The balance shows a withdrawal late. `checksShown`: the server compares a withdrawal with what the balance shows. */
function shownLate({ checksShown = false } = {}): RuleChange {
  const hiddenCents = new Map<string, bigint>();
  const ownerOf = ({ environment, organizationId }: Call) => `${environment} ${organizationId}`;
  return overrideRules((base) => ({
    balance: (call) => base.balance(call) + (hiddenCents.get(ownerOf(call)) ?? 0n),
    withdraw: (call, input) => {
      const before = base.balance(call);
      const cents = toCents(input.amount);
      const isCovered = checksShown && before < cents && cents <= call.rules.balance(call);
      if (isCovered) addFunds(call.world, call.organizationId, DEFAULT_CURRENCY, cents);
      const withdrawal = base.withdraw(call, input);
      if (isCovered) addFunds(call.world, call.organizationId, DEFAULT_CURRENCY, -cents);
      const paid = before - base.balance(call);
      const hide = (cents: bigint) => hiddenCents.set(ownerOf(call), (hiddenCents.get(ownerOf(call)) ?? 0n) + cents);
      hide(paid);
      call.background.schedule(LAG_MS, () => hide(-paid));
      return withdrawal;
    },
  }));
}

const repeated = overrideRules((base) => ({
  replay: async (call, key, perform) => {
    let isFirst = false;
    const response = await base.replay(call, key, async () => {
      isFirst = true;
      return await perform();
    });
    if (!isFirst && call.route.name === 'withdraw') await perform();
    return response;
  },
}));

async function run(rules: RuleChange, only: readonly string[]) {
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const limits = { ...service.target.limits, settleWithinMs: 3000 };
  return await judged({ ...service.target, limits, allow: {} }, { only });
}

test('withdrawals are judged although the balance shows each one after more than a second and a half', async () => {
  const found = await run(shownLate(), WITHDRAWALS);
  expect([found.exitCode, having(found, 'pass').sort()], found.said).toEqual([0, WITHDRAWALS]);
});

test('a replay that withdraws again is found although the balance shows it late', async () => {
  const late = shownLate();
  const found = await run((base) => repeated(late(base)), ['IDEM-04.one-effect']);
  expect([found.exitCode, having(found, 'fail')], found.said).toEqual([1, ['IDEM-04.one-effect']]);
});

test('a server that compares withdrawals with late balances pays more than the funds', async () => {
  const found = await run(shownLate({ checksShown: true }), [ONE_CENT_MORE]);
  expect([found.exitCode, having(found, 'fail')], found.said).toEqual([1, [ONE_CENT_MORE]]);
  expect(found.report?.checks[0]?.reason).toContain('and the balance is -0.01');
});
