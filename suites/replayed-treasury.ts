import { isDeepStrictEqual } from 'node:util';
import { accepted } from '../helpers/accepted.ts';
import { asAmount } from '../helpers/amounts.ts';
import { type Answer, bodyMember, inWords } from '../helpers/answers.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import { ownEnvironment } from '../helpers/environment.ts';
import { breach, expectAccepted, expectThat } from '../helpers/expect.ts';
import { afterEffectMs, amountsOf, largeSumWithin, placeLoweredBy, SHOWS_WITHIN_MS } from '../helpers/funds.ts';
import { operationsTo, reach, whereReachable } from '../helpers/invoices.ts';
import type { Lab } from '../helpers/lab.ts';
import { notApplicable } from '../helpers/not-judged.ts';
import { type ActExtra, takesRequestId, treasurer, treasury, withdrawTogether } from '../helpers/operations.ts';
import { persistently } from '../helpers/persistently.ts';
import { expectOriginal, expectRemembered } from '../helpers/replay.ts';
import { ownSum, type Sum } from '../helpers/sums.ts';

/** Withdrawals that arrive at the same moment. */
const VOLLEY = 20;

const WITHDRAWAL_TRIES = 3;

const SMALL_SUM = '0.30';

async function withdrawn(lab: Lab, amount: string) {
  for (let tries = 1; ; tries += 1) {
    const extra = { requestId: lab.requestId() };
    const first = await treasury(lab, 'treasuryWithdraw', extra, amount);
    if (accepted(first)) {
      return {
        first,
        again: (replaying: Lab, more: ActExtra = {}) =>
          treasury(replaying, 'treasuryWithdraw', { ...extra, ...more }, amount),
      };
    }
    // The control: whether it is the requestId that is refused, or the withdrawal.
    const without = await treasury(lab, 'treasuryWithdraw', {}, amount);
    if (!accepted(without)) return notApplicable(`a withdrawal of ${amount} is refused: ${inWords(first)}`);
    // The first may have met another withdrawal under way.
    if (tries === WITHDRAWAL_TRIES)
      throw breach(lab, first, 'a withdrawal accepted with a requestId as without', 'it is refused', [without]);
  }
}

/** A withdrawal whose answer tells the sum: nothing else tells one withdrawal from another. Throws NotApplicable otherwise. */
async function telling(lab: Lab, requestId: string, sum: string): Promise<Answer> {
  const answer = await treasury(lab, 'treasuryWithdraw', { requestId }, sum);
  if (!accepted(answer)) notApplicable(`a withdrawal is refused: ${inWords(answer)}`);
  if (!answer.text.includes(sum)) notApplicable('the answer does not tell the sum that was withdrawn');
  return answer;
}

const earlyWithdrawal = (lab: Lab) => lab.run.once('early withdrawal', () => withdrawn(lab, ownSum(lab, 'early').text));

const only = (place: string, amounts: Map<string, number>) => new Map([...amounts].filter(([each]) => each === place));

/** Tried again, with other sums: others may move a balance by the same sum, but hardly every time. */
async function judgingFunds(lab: Lab, experiment: (tries: number) => Promise<void>): Promise<void> {
  await persistently((tries) => lab.run.funds.quietFor(lab.asking.id, () => experiment(tries)));
}

/** Where a replay names the withdrawal, the same one each time, all answers to one requestId name that one. */
async function expectOneId(lab: Lab, answers: readonly Answer[], replay: () => Promise<Answer>): Promise<void> {
  const ids = new Set<unknown>(answers.map((answer) => bodyMember(answer, 'id')).filter((id) => id !== undefined));
  if (ids.size < 2) return;
  const replays = [await replay(), await replay()].map((answer) => bodyMember(answer, 'id'));
  if (replays[0] !== replays[1] || !ids.has(replays[0])) return;
  const [first, ...rest] = answers as [Answer, ...Answer[]];
  throw breach(lab, first, `one withdrawal, ${String(replays[0])}, of one requestId`, `there are ${ids.size}`, rest);
}

/** Throws NotApplicable where what was withdrawn comes back without any replay. */
async function expectNotGivenBack(lab: Lab, { cents, text }: Sum): Promise<void> {
  const before = amountsOf(await treasury(lab, 'treasuryBalance'));
  await withdrawn(lab, text);
  const fell = await placeLoweredBy(lab, before, cents, SHOWS_WITHIN_MS);
  if (!fell) return;
  const left = only(fell.place, amountsOf(fell.answer));
  const back = await placeLoweredBy(lab, left, cents, SHOWS_WITHIN_MS, { least: -1, most: -1 });
  if (back) notApplicable('what was withdrawn is given back a moment later');
}

function onlyNotApplicable(error: unknown): void {
  if ((error as Error).name !== 'NotApplicable') throw error;
}

export const replayedTreasury: readonly Check[] = [
  check('IDEM-04.answer', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { first, again } = await earlyWithdrawal(lab);
    expectOriginal(lab, first, await again(lab));
    // Nor is it another request for naming the environment that the key is of.
    expectOriginal(lab, first, await again(lab, { headers: ownEnvironment }));
    // So little that nobody looks at it twice.
    const extra = { requestId: lab.requestId() };
    const small = await treasury(lab, 'treasuryWithdraw', extra, SMALL_SUM);
    if (accepted(small)) expectOriginal(lab, small, await treasury(lab, 'treasuryWithdraw', extra, SMALL_SUM));
  }),

  check('IDEM-04.large', ['seller', 'treasuryWithdraw', 'treasuryBalance'], async (lab) => {
    const large = largeSumWithin(await treasury(lab, 'treasuryBalance'));
    if (large === null) return notApplicable('there are no funds for a large withdrawal');
    const { first, again } = await withdrawn(lab, asAmount(large + ownSum(lab, 'large').cents));
    expectOriginal(lab, first, await again(lab));
  }),

  checkIn('late', 'IDEM-04.late', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { first, again } = await earlyWithdrawal(lab);
    expectRemembered(first);
    expectOriginal(lab, first, await again(lab));
  }),

  check('IDEM-06.withdraw-alike', ['seller', 'treasuryWithdraw'], async (lab) => {
    const requestId = lab.requestId();
    const pairs = [
      [`${requestId}-abc`, `${requestId}-ABC`],
      [`${requestId.padEnd(35, '-')}1`, `${requestId.padEnd(35, '-')}2`],
      [`${requestId.padEnd(59, '-')}1`, `${requestId.padEnd(59, '-')}2`],
      [`${requestId}-xy`, `${requestId}-x-y`],
    ] as const;
    const [sum, otherSum] = [ownSum(lab, 'alike').text, ownSum(lab, 'alike, other').text];
    for (const [one, two] of pairs) {
      const first = await telling(lab, one, sum);
      const second = await treasury(lab, 'treasuryWithdraw', { requestId: two }, otherSum);
      const because = `it is the answer to requestId ${one}`;
      expectThat(
        lab,
        !isDeepStrictEqual(first.json, second.json),
        second,
        `a withdrawal of its own for ${two}`,
        because,
      );
    }
  }),

  check('IDEM-07.withdrawal', ['seller', 'buyer', 'treasuryWithdraw'], async (lab) => {
    const own = treasurer(lab, 'treasuryWithdraw');
    const requestId = lab.requestId();
    const [sum, otherSum] = [ownSum(lab, 'of one').text, ownSum(lab, 'of another').text];
    const first = await telling(lab, requestId, sum);
    const names = lab.known('seller', 'buyer', 'outsider').filter((name) => name !== own);
    const answers: Answer[] = [];
    for (const name of names) {
      const theirs = await treasury(lab, 'treasuryWithdraw', { as: lab.who(name), requestId }, otherSum);
      answers.push(theirs);
      const same = accepted(theirs) && theirs.text.includes(sum) && !theirs.text.includes(otherSum);
      const because = `the ${name} gets the original answer of another organization`;
      if (same) throw breach(lab, theirs, 'an answer of its own', because, [first]);
    }
    if (!answers.some(accepted)) notApplicable('no other organization may withdraw');
  }),

  check('IDEM-04.one-effect', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    judgingFunds(lab, async (tries) => {
      const sum = ownSum(lab, 'one effect', tries);
      const before = await treasury(lab, 'treasuryBalance');
      lab.observe('treasury-balance-answer', before.status);
      const { again } = await withdrawn(lab, sum.text);
      const started = performance.now();
      const first = await placeLoweredBy(lab, amountsOf(before), sum.cents, SHOWS_WITHIN_MS);
      if (!first) notApplicable('the balance does not show withdrawals');
      const within = afterEffectMs(performance.now() - started);
      await again(lab);
      const left = only(first.place, amountsOf(first.answer));
      const second = await placeLoweredBy(lab, left, sum.cents, within, { least: -1, most: 1 });
      if (!second) return;
      if (second.times < 0) await expectNotGivenBack(lab, ownSum(lab, 'given back', tries));
      const because = `${second.place} ${second.times > 0 ? 'fell by' : 'rose by'} ${sum.text} with the replay`;
      throw breach(lab, second.answer, 'a balance lowered once', because, [first.answer]);
    }),
  ),

  check('IDEM-04.other-amount', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    judgingFunds(lab, async (tries) => {
      const requestId = lab.requestId();
      const [sum, otherSum] = [ownSum(lab, 'original', tries), ownSum(lab, 'other amount', tries)];
      const untouched = await treasury(lab, 'treasuryBalance');
      const first = await treasury(lab, 'treasuryWithdraw', { requestId }, sum.text);
      if (!accepted(first)) notApplicable(`a withdrawal of ${sum.text} is refused: ${inWords(first)}`);
      const started = performance.now();
      const before = await placeLoweredBy(lab, amountsOf(untouched), sum.cents, SHOWS_WITHIN_MS);
      if (!before) return notApplicable('the balance does not show withdrawals');
      const within = afterEffectMs(performance.now() - started);
      const other = await treasury(lab, 'treasuryWithdraw', { requestId }, otherSum.text);
      const fell = await placeLoweredBy(lab, amountsOf(before.answer), otherSum.cents, within);
      const because = `${fell?.place} fell by ${otherSum.text}, the sum of a repeated requestId`;
      if (fell) throw breach(lab, other, 'no withdrawal of a repeated requestId', because, [first, fell.answer]);
    }),
  ),

  check('IDEM-04.simultaneous', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    judgingFunds(lab, async (tries) => {
      const { cents, text } = ownSum(lab, 'simultaneous', tries);
      const before = amountsOf(await treasury(lab, 'treasuryBalance'));
      const requestId = lab.requestId();
      const answers = await withdrawTogether(lab, requestId, text, VOLLEY);
      const first = answers.find(accepted);
      if (!first) return notApplicable(`a withdrawal of ${text} is refused: ${inWords(answers[0] as Answer)}`);
      const started = performance.now();
      await expectOneId(lab, answers.filter(accepted), () => treasury(lab, 'treasuryWithdraw', { requestId }, text));
      const fell = await placeLoweredBy(lab, before, cents, SHOWS_WITHIN_MS, { least: 1, most: VOLLEY });
      if (!fell) return notApplicable('the balance does not show withdrawals');
      // The others may land after the first.
      const within = afterEffectMs(performance.now() - started);
      const again = () => placeLoweredBy(lab, only(fell.place, before), cents, within, { least: 2, most: VOLLEY });
      const more = fell.times > 1 ? fell : await again();
      const because = `${VOLLEY} withdrawals of ${text} with one requestId at the same moment lowered ${more?.place} more than once`;
      if (more) throw breach(lab, more.answer, `a balance lowered once, by ${text}`, because, [first]);
    }),
  ),

  check('IDEM-08.withdraw-no-request-id', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    judgingFunds(lab, async (tries) => {
      const { cents, text } = ownSum(lab, 'twice', tries);
      const before = amountsOf(await treasury(lab, 'treasuryBalance'));
      const answers = [
        await treasury(lab, 'treasuryWithdraw', {}, text),
        await treasury(lab, 'treasuryWithdraw', {}, text),
      ];
      if (!answers.every(accepted)) notApplicable(`not both withdrawals of ${text} are accepted`);
      const patience = Math.max(SHOWS_WITHIN_MS, lab.target.limits.settleWithinMs);
      if (await placeLoweredBy(lab, before, cents, patience, { least: 2, most: 2 })) return;
      const once = await placeLoweredBy(lab, before, cents, 0);
      if (!once) return notApplicable('the balance does not show withdrawals');
      const because = `both were accepted, and ${once.place} fell by ${text} once`;
      throw breach(lab, once.answer, `a balance lowered by ${text} twice`, because, answers);
    }),
  ),

  check('IDEM-05.answer', ['seller', 'treasuryBalance'], async (lab) => {
    if (!takesRequestId(lab, 'treasuryBalance')) {
      notApplicable('the balance is a GET here: it takes no body and so no requestId');
    }
    const extra = { requestId: lab.requestId() };
    const first = await treasury(lab, 'treasuryBalance', extra);
    if (!accepted(first) && !accepted(await treasury(lab, 'treasuryBalance')))
      notApplicable(`a balance is refused, with a requestId and without: ${inWords(first)}`);
    expectAccepted(lab, first, 'a balance request with a requestId');
    // A balance that has moved meanwhile tells a replay from a fresh answer.
    if (lab.target.operations.treasuryWithdraw)
      await withdrawn(lab, ownSum(lab, 'between replays').text).catch(onlyNotApplicable);
    // Where nothing is withdrawn, or nothing shows it, a payment may be seen.
    if (operationsTo('SETTLED').every((action) => lab.target.operations[action]))
      await whereReachable(() => reach(lab, 'SETTLED'));
    expectOriginal(lab, first, await treasury(lab, 'treasuryBalance', extra));
    expectOriginal(lab, first, await treasury(lab, 'treasuryBalance', { ...extra, headers: ownEnvironment }));
  }),
];
