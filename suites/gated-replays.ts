import { isDeepStrictEqual } from 'node:util';
import { environment, ownEnvironment } from '../helpers/api/environment-header.ts';
import { type Credentials, waysToFail } from '../helpers/api/invalid-credentials.ts';
import { type Extra, takesRequestId, treasurer, treasury } from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import type { Answer } from '../helpers/api/responses.ts';
import { breach, expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { type Check, check } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { ownSum } from '../helpers/data/withdrawal-amounts.ts';
import { expectOriginal } from '../helpers/idempotency/replay.ts';
import { type Submission, submitted } from '../helpers/idempotency/replayable-submission.ts';
import { repeatedWithdrawal } from '../helpers/treasury/withdrawals/repeated-withdrawal.ts';

/** The submission that is only asked for again. */
const once = (lab: Lab): Promise<Submission> => lab.run.once('submission replayed at gates', () => submitted(lab));

type Again = Submission['again'];

/** What was answered once: a submission, and of the treasury what accepts a requestId here. */
async function replays(lab: Lab): Promise<Again[]> {
  const { again } = await once(lab);
  return [again, ...(await treasuryReplays(lab))];
}

async function treasuryReplays(lab: Lab): Promise<Again[]> {
  return await lab.run.once('treasury replayed at gates', async () => {
    const { text } = ownSum(lab, 'replayed at gates');
    const asked = TREASURY.filter((operation) => takesRequestId(lab, operation)).map(async (operation) => {
      const repeated = operation === 'treasuryWithdraw' ? await repeatedWithdrawal(lab) : null;
      if (repeated) return [repeated.again];
      const requestId = lab.requestId();
      const again: Again = (asking, extra) => treasury(asking, operation, { ...extra, requestId }, text);
      return accepted(await again(lab)) ? [again] : [];
    });
    return (await Promise.all(asked)).flat();
  });
}

const TREASURY = ['treasuryWithdraw', 'treasuryBalance'] as const;

/** Asks for it again in ways that must not get it. */
async function expectAll(lab: Lab, extras: readonly Extra[], judge: (answer: Answer) => void): Promise<void> {
  for (const again of await replays(lab)) {
    for (const extra of extras) judge(await again(lab, extra));
  }
}

/** What was answered once is no answer to who may not ask. */
export const gatedReplays: readonly Check[] = [
  check('AUTH-07.replayed', ['connection', 'submit'], (lab) => {
    const failures: Credentials[] = (['secret-wrong', 'both-missing'] as const).map((way) => waysToFail[way](lab));
    return expectAll(
      lab,
      [...failures, ...lab.known('revoked').map((name) => lab.who(name))].map((as) => ({ as })),
      (answer) => expectRefused(lab, answer, [401]),
    );
  }),

  check('ENV-01.replayed', ['connection', 'submit'], (lab) =>
    expectAll(lab, [{ headers: environment('STAGING') }], (answer) =>
      expectRefused(lab, answer, [400], 'GW_UNKNOWN_ENVIRONMENT'),
    ),
  ),

  check('PERM-03.replayed', ['connection', 'submit', 'readOnly'], async (lab) => {
    const { again } = await once(lab);
    expectRefused(lab, await again(lab, { as: lab.who('readOnly') }), [403]);
  }),

  check('IDEM-03.environment', ['connection', 'submit'], async (lab) => {
    const { first, again } = await once(lab);
    expectOriginal(lab, first, await again(lab, { headers: ownEnvironment }));
  }),

  check('IDEM-07.submission', ['connection', 'submit', 'outsider'], async (lab) => {
    const { first, again } = await once(lab);
    const theirs = await again(lab, { as: lab.who('outsider') });
    const because = 'another organization gets the original answer';
    if (accepted(theirs)) throw breach(lab, theirs, "no answer about another organization's invoice", because, [first]);
  }),

  check('IDEM-07.balance', ['connection', 'seller', 'buyer', 'treasuryBalance'], async (lab) => {
    if (!takesRequestId(lab, 'treasuryBalance')) {
      notApplicable('the balance is a GET here: it takes no body and so no requestId');
    }
    const requestId = lab.requestId();
    const as = lab.who(treasurer(lab, 'treasuryBalance') === 'buyer' ? 'seller' : 'buyer');
    const first = await treasury(lab, 'treasuryBalance', { requestId });
    const own = await treasury(lab, 'treasuryBalance', { as });
    if (!accepted(first) || !accepted(own)) notApplicable('not both organizations get a balance');
    if (isDeepStrictEqual(first.json, own.json)) notApplicable('both balances look the same');
    const theirs = await treasury(lab, 'treasuryBalance', { as, requestId });
    const because = "it is the other organization's original answer";
    expectThat(lab, !isDeepStrictEqual(theirs.json, first.json), theirs, 'a balance of its own', because);
  }),
];
