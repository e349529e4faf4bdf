import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { postInvoice, sendAction, sendTreasuryRequest } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { runActionControl } from '../../helpers/controls/controls.ts';
import { expectOffered } from '../../helpers/controls/spontaneous-change.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { createOriginal } from '../../helpers/idempotency/replay.ts';
import { partyFor, retryWhileLocked } from '../../helpers/invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoiceInState, recordInvoiceState, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import {
  skipUnlessAmountShown,
  withdrawalWithSimilarIds,
} from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Two requestIds that a careless comparison takes for one. */
function distinctCreationsCheck(id: CheckId, alike: (requestId: string) => readonly [string, string]): Check {
  return check(id, ['connection'], async (lab) => {
    const [one, two] = alike(lab.createRequestId());
    const first = await createOriginal(lab, one);
    const body = { ...validBody(lab), requestId: two };
    const answer = await postInvoice(lab, body);
    await expectCreated(lab, answer, `a creation with requestId ${two}, after one with ${one}`);
    const second = await resolveCreatedInvoice(lab, body, answer);
    expectThat(
      lab,
      second.id !== first.invoice.id,
      answer,
      `an invoice of its own for requestId ${two}`,
      `it is invoice ${first.invoice.id} of requestId ${one}`,
    );
  });
}

const REQUEST_ID_LENGTHS = [300, 100] as const;

/** Longer than most columns for a createRequestId. */
const LONG_REQUEST_ID_LENGTH = 100;

/** The same for submissions of two drafts: the second one must leave DRAFT. */
function distinctSubmissionsCheck(id: CheckId, alike: (requestId: string) => readonly [string, string]): Check {
  return check(id, ['connection', 'submit'], async (lab) => {
    if (!(await runActionControl(lab, 'submit'))) notApplicable('no invoice is ever a DRAFT');
    const ids = alike(lab.createRequestId());
    const as = lab.credentials(partyFor(lab, 'submit'));
    for (const [at, requestId] of ids.entries()) {
      const invoice = await createInvoiceInState(lab, 'DRAFT');
      const answer = await retryWhileLocked(() => sendAction(lab, 'submit', invoice.id, { as, requestId }));
      // How long one may be is not shown.
      if (answer.status === 400 && requestId.length === LONG_REQUEST_ID_LENGTH)
        notApplicable(`a requestId of ${LONG_REQUEST_ID_LENGTH} characters is refused`);
      await expectOffered(lab, invoice, answer, `a submission with requestId ${requestId}`);
      const { record, held } = await waitForInvoice(lab, invoice.id, hasLeftState('DRAFT'));
      if (!held && at === 0) notApplicable('one submission alone does not take an invoice out of DRAFT here');
      const because = `it is still ${String(record?.status)}; the requestIds of two submissions were ${ids.join(' and ')}`;
      expectThat(lab, held, answer, `invoice ${invoice.id} no DRAFT any more`, because);
      recordInvoiceState(lab, { id: invoice.id, state: 'SUBMITTED' });
    }
  });
}

/** What databases, tidy parsers and slugs take for the same: those of one line. */
const SIMILAR_REQUEST_IDS: readonly (readonly string[])[] = [
  ['a_b', 'a-b', 'a.b'],
  ['007', '7'],
  ['a  b', 'a b', 'a+b', 'a%20b'],
  ['1e3', '1000'],
  ['12-a', '12-b'],
  ['resume', 'résumé'],
  ['2', '²'],
  ['名前', '住所'],
  ['a%b', 'a%c'],
  ['a#b', 'a#c'],
  ['a:1', 'a:2'],
  ['a/1', 'b/1'],
];

/** One invoice for each of these requestIds. False where the server refuses one of them: of which form one may be is not shown. */
async function expectDistinctInvoices(lab: CheckContext, requestIds: readonly string[]): Promise<boolean> {
  const known = new Map<string, string>();
  for (const requestId of requestIds) {
    const body = { ...validBody(lab), requestId };
    const answer = await postInvoice(lab, body);
    if (answer.status === 400) return false;
    await expectCreated(lab, answer, `a creation with requestId ${requestId}`);
    const { id } = await resolveCreatedInvoice(lab, body, answer);
    const other = known.get(id);
    const because = `it is invoice ${id} of requestId ${other}`;
    expectThat(lab, other === undefined, answer, `an invoice of its own for requestId ${requestId}`, because);
    known.set(id, requestId);
  }
  return true;
}

/** RequestIds of a form that a server may refuse. */
function distinctIfAcceptedCheck(id: CheckId, alike: (requestId: string) => readonly string[]): Check {
  return check(id, ['connection'], async (lab) => {
    if (!(await expectDistinctInvoices(lab, alike(lab.createRequestId()))))
      notApplicable('such requestIds are refused');
  });
}

/** More digits than a double holds, as a counter of nanoseconds has them. */
function randomDigits(): string {
  return `${randomInt(1e8, 1e9)}${randomInt(1e8, 1e9)}`;
}

export const requestIdIdentityChecks: readonly Check[] = [
  check('IDEM-06.withdraw-similar', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { requestId, alike, first, sum } = await withdrawalWithSimilarIds(lab);
    skipUnlessAmountShown(first, sum);
    for (const other of alike) {
      const extra = { requestId: other };
      const second = await sendTreasuryRequest(
        lab,
        'treasuryWithdraw',
        extra,
        withdrawalAmountFor(lab, 'repeated, other').text,
      );
      const because = `it is the answer to requestId ${requestId}`;
      const differs = !isDeepStrictEqual(first.json, second.json);
      expectThat(lab, differs, second, `a withdrawal of its own for ${other}`, because);
    }
  }),

  check('IDEM-06.similar-request-ids', ['connection'], async (lab) => {
    // Apart from the others in its beginning: what only the first digits, or none of them, tell apart is another one.
    const stem = lab.createRequestId();
    const groups = SIMILAR_REQUEST_IDS.map((group, at) =>
      expectDistinctInvoices(
        lab,
        group.map((end) => `${end}~${stem}-${at}`),
      ),
    );
    if (!(await Promise.all(groups)).includes(true)) notApplicable('such requestIds are refused');
  }),

  distinctCreationsCheck('IDEM-06.letter-case', (requestId) => [`${requestId}-abc`, `${requestId}-ABC`]),

  distinctCreationsCheck('IDEM-06.non-hex-letters', (requestId) => [`${requestId}-ghk`, `${requestId}-xyz`]),

  distinctCreationsCheck('IDEM-06.punctuation', (requestId) => [`${requestId}-ab`, `${requestId}-a-b`]),

  distinctSubmissionsCheck('IDEM-06.submit-letter-case', (requestId) => [`${requestId}-abc`, `${requestId}-ABC`]),

  distinctSubmissionsCheck('IDEM-06.submit-last-character', (requestId) => [
    `${requestId.padEnd(35, '-')}1`,
    `${requestId.padEnd(35, '-')}2`,
  ]),

  distinctSubmissionsCheck('IDEM-06.submit-very-long', (requestId) => [
    `${requestId.padEnd(LONG_REQUEST_ID_LENGTH - 1, '-')}1`,
    `${requestId.padEnd(LONG_REQUEST_ID_LENGTH - 1, '-')}2`,
  ]),

  // Long requestIds that differ at their end, as long as this server takes them.
  check('IDEM-06.very-long', ['connection'], async (lab) => {
    for (const length of REQUEST_ID_LENGTHS) {
      const stem = lab.createRequestId().padEnd(length - 1, '-');
      const body = { ...validBody(lab), requestId: `${stem}1` };
      const first = await postInvoice(lab, body);
      if (first.status === 400) continue;
      await expectCreated(lab, first, `a creation with a requestId of ${length} characters`);
      const other = { ...validBody(lab), requestId: `${stem}2` };
      const second = await postInvoice(lab, other);
      await expectCreated(lab, second, `a creation with another requestId of ${length} characters`);
      const [made, more] = [
        await resolveCreatedInvoice(lab, body, first),
        await resolveCreatedInvoice(lab, other, second),
      ];
      const because = `it is invoice ${made.id} of the requestId that differs in its last character`;
      return expectThat(lab, made.id !== more.id, second, 'an invoice of its own', because);
    }
    notApplicable(`requestIds of ${REQUEST_ID_LENGTHS.join(' and ')} characters are refused`);
  }),

  distinctIfAcceptedCheck('IDEM-06.middle', (requestId) =>
    ['1', '2'].map((one) => [requestId.padEnd(30, '-'), one, requestId.padStart(30, '-')].join('')),
  ),

  distinctIfAcceptedCheck('IDEM-06.digits', () => {
    const digits = randomDigits();
    return [`${digits}1`, `${digits}2`];
  }),

  distinctCreationsCheck('IDEM-06.longer', (requestId) => [requestId, `${requestId}0`]),

  distinctCreationsCheck('IDEM-06.last-character', (requestId) => [
    `${requestId.padEnd(35, '-')}1`,
    `${requestId.padEnd(35, '-')}2`,
  ]),

  check('IDEM-13.trailing-space', ['connection'], async (lab) => {
    const first = await createOriginal(lab);
    const body = { ...validBody(lab), requestId: `${first.body.requestId} ` };
    const answer = await postInvoice(lab, body);
    if (!isSuccess(answer)) notApplicable(`a requestId that ends in a blank is refused (${answer.status})`);
    const second = await resolveCreatedInvoice(lab, body, answer);
    const because = `it is invoice ${first.invoice.id} of the requestId without the blank`;
    expectThat(lab, second.id !== first.invoice.id, answer, 'an invoice of its own', because);
  }),
];
