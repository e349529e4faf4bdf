import { accepted } from '../helpers/accepted.ts';
import { type Answer, bodyMember, inWords } from '../helpers/answers.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import { breach, expectThat } from '../helpers/expect.ts';
import { amountsOf } from '../helpers/funds.ts';
import { operationsTo, reach } from '../helpers/invoices.ts';
import type { Lab } from '../helpers/lab.ts';
import { whileQuiet } from '../helpers/lists.ts';
import { notApplicable } from '../helpers/not-judged.ts';
import { binding, treasury } from '../helpers/operations.ts';

const BEYOND_ANY_FUNDS = '9999999999999.99';

/** A withdrawal was accepted that no treasury can cover: a breach where the balance went down for it. */
async function expectNoOverdraft(lab: Lab, before: Answer | null, withdrawal: Answer): Promise<void> {
  if (!before) return notApplicable('the withdrawal was accepted, and the balance is not bound');
  const then = amountsOf(before);
  const after = await treasury(lab, 'treasuryBalance');
  const fallen = [...amountsOf(after)].some(([place, now]) => now < (then.get(place) ?? now) && now < 0);
  const covered = [...then.values()].some((cents) => cents >= Number(BEYOND_ANY_FUNDS) * 100);
  if (!fallen || covered) return notApplicable('the sandbox only simulates withdrawals, or has the funds');
  throw breach(lab, withdrawal, '412 with code TREAS007', `accepted, and the balance is overdrawn: ${inWords(after)}`, [
    after,
  ]);
}

export const treasurySuite: readonly Check[] = [
  check('TREAS-01.beyond-funds', ['seller', 'treasuryWithdraw'], async (lab) => {
    const before = lab.target.operations.treasuryBalance ? await treasury(lab, 'treasuryBalance') : null;
    const answer = await treasury(lab, 'treasuryWithdraw', {}, BEYOND_ANY_FUNDS);
    lab.observe('treasury-withdraw-answer', answer.status);
    if (accepted(answer)) return await expectNoOverdraft(lab, before, answer);
    if (answer.status !== 412)
      notApplicable(
        `a withdrawal of ${BEYOND_ANY_FUNDS} is refused with ${answer.status}, for another reason than missing funds`,
      );
    expectThat(
      lab,
      bodyMember(answer, 'code') === 'TREAS007',
      answer,
      '412 with code TREAS007',
      `the code is ${JSON.stringify(bodyMember(answer, 'code'))}`,
    );
  }),

  checkIn('late', 'TREAS-01.no-trace', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    whileQuiet(lab, async () => {
      const before = amountsOf(await treasury(lab, 'treasuryBalance'));
      const answer = await treasury(lab, 'treasuryWithdraw', {}, BEYOND_ANY_FUNDS);
      if (answer.status !== 412) notApplicable(`a withdrawal beyond the funds is answered with ${answer.status}`);
      const after = await treasury(lab, 'treasuryBalance');
      const fallen = [...amountsOf(after)].find(([place, now]) => now < (before.get(place) ?? now));
      if (!fallen) return;
      const because = `${fallen[0]} has fallen from ${(before.get(fallen[0]) ?? 0) / 100} to ${fallen[1] / 100}`;
      throw breach(lab, after, 'the balance as before the refused withdrawal', because, [answer]);
    }),
  ),

  // Sums that nothing else of the run moves, so that a movement can be told from production's own traffic.
  check(
    'ORG-03.settlement',
    ['connection', 'production', 'treasuryBalance', ...operationsTo('SETTLED')],
    async (lab) => {
      const before = await productionFunds(lab);
      const { created } = await reach(lab, 'SETTLED', { amount: '73.31' });
      await expectUntouched(lab, before, 7_331, created);
    },
  ),

  check('ORG-03.withdrawal', ['seller', 'production', 'treasuryBalance', 'treasuryWithdraw'], async (lab) => {
    const before = await productionFunds(lab);
    const answer = await treasury(lab, 'treasuryWithdraw', {}, '1.93');
    if (!accepted(answer)) notApplicable(`a withdrawal is refused: ${inWords(answer)}`);
    await expectUntouched(lab, before, 193, answer);
  }),
];

async function productionFunds(lab: Lab): Promise<Answer> {
  const { method } = binding(lab, 'treasuryBalance');
  if (method !== 'GET')
    notApplicable(`the balance is a ${method}, and nothing but GET is sent with the production key`);
  const answer = await treasury(lab, 'treasuryBalance', { as: lab.who('production') });
  if (!accepted(answer)) notApplicable(`the production key gets no balance: ${inWords(answer)}`);
  return answer;
}

async function expectUntouched(lab: Lab, before: Answer, cents: number, cause: Answer): Promise<void> {
  const after = await productionFunds(lab);
  const then = amountsOf(before);
  const moved = [...amountsOf(after)].find(([place, now]) => Math.abs(now - (then.get(place) ?? now)) === cents);
  if (!moved) return;
  const because = `${moved[0]} of the production balance has moved by ${cents / 100}`;
  throw breach(lab, after, 'the production balance as before', because, [before, cause]);
}
