import { setTimeout as pause } from 'node:timers/promises';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { addFunds } from '../../rules/money/funds.ts';
import type { Call } from '../../service/call.ts';
import { DEFAULT_CURRENCY, toCents } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import {
  changeReplay,
  changeReplayKey,
  expireReplays,
  RACE_WINDOW_MS,
  REPLAY_EXPIRY_MS,
  repeatOnReplay,
  requestIdWithEnvironment,
} from '../support/replays.ts';

/** Returns the amount of a withdrawal to the balance. */
function giveBack({ world: environment, organizationId, body }: Call): void {
  addFunds(environment, organizationId, DEFAULT_CURRENCY, toCents(String(body.amount)));
}

/** Carries out all concurrent withdrawals with one requestId; `second` is the effect of each but the first. */
const racingWithdrawals = (second: (call: Call) => void): RuleChange =>
  overrideRules((base) => ({
    replay: async (call, key, perform) => {
      if (call.route.name !== 'withdraw' || key === undefined) return base.replay(call, key, perform);
      const { world: environment, organizationId } = call;
      const stored = environment.replays.get(key);
      if (stored) return stored.answer;
      await pause(RACE_WINDOW_MS);
      const response = await perform();
      if (environment.replays.has(key)) second(call);
      else if (response.status < 400) environment.replays.set(key, { organizationId, answer: response });
      return response;
    },
  }));

const FEE_CENTS = 50n;

const chargeFee = overrideRules((base) => ({
  withdraw: (call, input) => {
    const withdrawal = base.withdraw(call, input);
    addFunds(call.world, call.organizationId, DEFAULT_CURRENCY, -FEE_CENTS);
    return withdrawal;
  },
}));

export const idempotencyTreasuryFaults: readonly Fault[] = [
  {
    id: 'idem-small-withdrawal-not-stored',
    requirement: 'IDEM-04',
    defect: 'The requestId of a withdrawal below one unit is not stored.',
    caughtBy: ['IDEM-04.original-response'],
    rules: changeReplayKey('withdraw', (requestId, { body }) => (Number(body.amount) < 1 ? undefined : requestId)),
  },
  {
    id: 'idem-large-withdrawal-not-stored',
    requirement: 'IDEM-04',
    defect: 'The requestId of a withdrawal of a thousand or more, which needs an approval, is not stored.',
    caughtBy: ['IDEM-04.large'],
    rules: changeReplayKey('withdraw', (requestId, { body }) => (Number(body.amount) >= 1000 ? undefined : requestId)),
  },
  {
    id: 'idem-withdrawal-by-header',
    requirement: 'IDEM-04',
    defect: 'The headers are part of the stored withdrawal.',
    caughtBy: ['IDEM-04.original-response'],
    rules: changeReplayKey('withdraw', requestIdWithEnvironment),
  },
  {
    id: 'idem-balance-by-header',
    requirement: 'IDEM-05',
    defect: 'The headers are part of the stored balance request.',
    caughtBy: ['IDEM-05.original-response'],
    rules: changeReplayKey('balance', requestIdWithEnvironment),
  },
  {
    id: 'idem-balance-by-header-without-withdrawals',
    requirement: 'IDEM-05',
    defect: 'The headers are part of the stored balance request, on a server where only payments change the balance.',
    caughtBy: ['IDEM-05.original-response'],
    rules: (base) => ({
      ...changeReplayKey('balance', requestIdWithEnvironment)(base),
      withdraw: () => {
        throw rejections.notEnoughFunds();
      },
    }),
  },
  {
    id: 'idem-withdraw-race',
    requirement: 'IDEM-04',
    defect: 'A withdrawal checks its requestId, pays, and then stores it: concurrent replays are all paid.',
    caughtBy: ['IDEM-04.simultaneous'],
    rules: racingWithdrawals(() => {}),
  },
  {
    id: 'idem-withdraw-race-with-lost-updates',
    requirement: 'IDEM-04',
    defect: 'Concurrent withdrawals with one requestId are all paid, and all write the same new balance.',
    caughtBy: ['IDEM-04.simultaneous'],
    rules: racingWithdrawals(giveBack),
  },
  {
    id: 'idem-withdraw-replay-pays-back',
    requirement: 'IDEM-04',
    defect: 'An existing withdrawal is taken for a failed one: its replay pays the amount back.',
    caughtBy: ['IDEM-04.one-effect'],
    rules: changeReplay('withdraw', (response, call) => {
      giveBack(call);
      return response;
    }),
  },
  {
    id: 'idem-withdraw-key-with-amount',
    requirement: 'IDEM-04',
    defect: 'The record of a withdrawal includes its amount: the same requestId with another amount pays again.',
    caughtBy: ['IDEM-04.other-amount'],
    rules: changeReplayKey('withdraw', (requestId, { body }) =>
      requestId === undefined ? undefined : JSON.stringify(body),
    ),
  },
  {
    id: 'idem-withdrawal-new-id',
    requirement: 'IDEM-04',
    defect: 'A replayed withdrawal pays nothing but returns an id of its own.',
    caughtBy: ['IDEM-04.original-response'],
    rules: changeReplay('withdraw', (response, { rules }) => ({
      ...response,
      body: { ...(response.body as object), id: rules.newId() },
    })),
  },
  {
    id: 'idem-withdrawal-twice',
    requirement: 'IDEM-04',
    defect: 'A replayed withdrawal returns the original response but pays again.',
    caughtBy: ['IDEM-04.one-effect'],
    rules: repeatOnReplay('withdraw'),
  },
  {
    id: 'idem-withdrawal-with-fee-twice',
    requirement: 'IDEM-04',
    defect: 'A withdrawal also costs a fee, and its replay pays and charges once more.',
    caughtBy: ['IDEM-04.one-effect'],
    rules: (base) => repeatOnReplay('withdraw')(chargeFee(base)),
  },
  {
    id: 'idem-withdrawal-expires',
    requirement: 'IDEM-04',
    defect: 'The record of a withdrawal expires after a moment, and a later replay pays again.',
    caughtBy: ['IDEM-04.late'],
    alsoRun: ['IDEM-04.original-response', 'HOOK-05.third-organization'],
    rules: expireReplays('withdraw', REPLAY_EXPIRY_MS),
  },
  {
    id: 'idem-withdrawal-rejects-request-id',
    requirement: 'IDEM-04',
    defect: 'The schema of the withdrawal has no requestId and rejects it.',
    caughtBy: ['IDEM-04.original-response'],
    rules: overrideRules((base) => ({
      validateWithdrawal: (call) => {
        if (call.body.requestId !== undefined) throw rejections.invalidRequest('requestId: unknown');
        return base.validateWithdrawal(call);
      },
    })),
  },
  {
    id: 'idem-balance-not-replayed',
    requirement: 'IDEM-05',
    defect: 'The balance ignores requestId and returns a new time.',
    caughtBy: ['IDEM-05.original-response'],
    rules: (base) =>
      changeReplayKey(
        'balance',
        () => undefined,
      )({
        ...base,
        renderBalance: (call, cents) => {
          const response = base.renderBalance(call, cents);
          return { ...response, body: { ...(response.body as object), asOf: performance.now() } };
        },
      }),
  },
  {
    id: 'idem-balance-rejects-request-id',
    requirement: 'IDEM-05',
    defect: 'The balance accepts no body and rejects a requestId.',
    caughtBy: ['IDEM-05.original-response'],
    rules: overrideRules((base) => ({
      validateBalance: (call) => {
        if (call.body.requestId !== undefined) throw rejections.invalidRequest('no body expected');
        return base.validateBalance(call);
      },
    })),
  },
];
