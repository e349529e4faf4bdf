import { bodyMember } from '../helpers/answers.ts';
import { type Check, check } from '../helpers/check.ts';
import { accepted, expectThat } from '../helpers/expect.ts';
import { notApplicable } from '../helpers/not-applicable.ts';
import { treasury } from '../helpers/operations.ts';

const BEYOND_ANY_FUNDS = '9999999999999.99';

export const treasurySuite: readonly Check[] = [
  check('TREAS-01.beyond-funds', ['seller', 'treasuryWithdraw'], async (lab) => {
    const answer = await treasury(lab, 'treasuryWithdraw', {}, BEYOND_ANY_FUNDS);
    lab.observe('treasury-withdraw-answer', answer.status);
    if (accepted(answer)) notApplicable('the sandbox treasury pays any sum');
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
