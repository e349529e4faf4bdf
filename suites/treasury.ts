import { type Answer, bodyMember, inWords } from '../helpers/answers.ts';
import { type Check, check } from '../helpers/check.ts';
import { accepted, expectThat } from '../helpers/expect.ts';
import { amountsOf } from '../helpers/funds.ts';
import type { Lab } from '../helpers/lab.ts';
import { notApplicable } from '../helpers/not-applicable.ts';
import { treasury } from '../helpers/operations.ts';

const BEYOND_ANY_FUNDS = '9999999999999.99';

/** A withdrawal was accepted that no treasury can cover, unless its balance is beyond that sum, or not told. */
async function expectFundsFor(lab: Lab, withdrawal: Answer): Promise<void> {
  if (!lab.target.operations.treasuryBalance)
    notApplicable('the withdrawal was accepted, and the balance is not bound');
  const balance = await treasury(lab, 'treasuryBalance');
  const cents = [...amountsOf(balance).values()];
  if (cents.length === 0) notApplicable('the withdrawal was accepted, and the balance tells no sum');
  const covered = cents.some((sum) => sum >= Number(BEYOND_ANY_FUNDS) * 100);
  expectThat(lab, covered, withdrawal, '412 with code TREAS007', `accepted, with a balance of ${inWords(balance)}`);
}

export const treasurySuite: readonly Check[] = [
  check('TREAS-01.beyond-funds', ['seller', 'treasuryWithdraw'], async (lab) => {
    const answer = await treasury(lab, 'treasuryWithdraw', {}, BEYOND_ANY_FUNDS);
    lab.observe('treasury-withdraw-answer', answer.status);
    if (accepted(answer)) return await expectFundsFor(lab, answer);
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
];
