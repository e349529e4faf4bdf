import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { postInvoice, sendAction } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { idIsNot } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { expectOffered } from '../../helpers/controls/spontaneous-change.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { createOriginal } from '../../helpers/idempotency/replay.ts';
import { partyFor, retryWhileLocked } from '../../helpers/invoices/acting-party.ts';
import { waitUntilLeft } from '../../helpers/invoices/find-invoice.ts';
import { createInvoiceInState, recordInvoiceState, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { hasWithdrawals } from '../../helpers/treasury/concurrency/booked-payments.ts';
import { expectBooked } from '../../helpers/treasury/concurrency/booking-problems.ts';
import {
  skipUnlessAmountShown,
  withdrawalWithSimilarIds,
} from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Two creations with similar requestIds, which an inexact comparison treats as equal, create two invoices. */
function distinctCreationsCheck(id: CheckId, alike: (requestId: string) => readonly [string, string]): Check {
  return check(id, ['connection'], async (ctx) => {
    const [one, two] = alike(ctx.createRequestId());
    const first = await createOriginal(ctx, one);
    const body = { ...validBody(ctx), requestId: two };
    const response = await postInvoice(ctx, body);
    await expectCreated(ctx, response, `a creation with requestId ${two}, after one with ${one}`);
    const second = await resolveCreatedInvoice(ctx, body, response);
    expectThat(
      ctx,
      second.id !== first.invoice.id,
      response,
      `a new invoice for requestId ${two}`,
      `the response shows invoice ${first.invoice.id} of requestId ${one}`,
      idIsNot(response, first.invoice.id),
    );
  });
}

const REQUEST_ID_LENGTHS = [300, 255, 200, 100] as const;

/** In characters: longer than most database columns for a requestId. */
const LONG_REQUEST_ID_LENGTH = 100;

/** Like `distinctCreationsCheck` for the submissions of two drafts: the second one must leave DRAFT. */
function distinctSubmissionsCheck(id: CheckId, alike: (requestId: string) => readonly [string, string]): Check {
  return check(id, ['connection', 'submit'], async (ctx) => {
    if (!(await runActionControl(ctx, 'submit'))) notApplicable('no invoice was ever in state DRAFT');
    const ids = alike(ctx.createRequestId());
    const as = ctx.credentials(partyFor(ctx, 'submit'));
    for (const [at, requestId] of ids.entries()) {
      const invoice = await createInvoiceInState(ctx, 'DRAFT');
      const response = await retryWhileLocked(() => sendAction(ctx, 'submit', invoice.id, { as, requestId }));
      // The contract sets no maximum length for a requestId.
      if (response.status === 400 && requestId.length === LONG_REQUEST_ID_LENGTH)
        notApplicable(`the server rejects a requestId of ${LONG_REQUEST_ID_LENGTH} characters`);
      await expectOffered(ctx, invoice, response, `a submission with requestId ${requestId}`);
      const { record, isMet } = await waitUntilLeft(ctx, invoice.id, { from: 'DRAFT', by: 'submit' });
      if (!isMet && at === 0) notApplicable('a single submission leaves the invoice in DRAFT on this server');
      const because = `the status is still ${String(record?.status)}; the requestIds of the two submissions were ${ids.join(' and ')}`;
      expectThat(ctx, isMet, response, `invoice ${invoice.id} no longer in DRAFT`, because);
      recordInvoiceState(ctx, { id: invoice.id, state: 'SUBMITTED' });
    }
  });
}

/** Each line holds requestIds that collations, lenient parsers or slugs treat as equal. */
const SIMILAR_REQUEST_IDS: readonly (readonly string[])[] = [
  // As a pattern of SQL, the second id matches the first one.
  ['a-b', 'a_b', 'a.b'],
  ['a  b', 'a b', 'a+b', 'a%20b'],
  ['1e3', '1000'],
  ['12-a', '12-b', '012-b'],
  ['resume', 'résumé'],
  ['2', '²'],
  ['名前', '住所'],
  ['a#b', 'a#c'],
  ['a:1', 'a:2'],
  ['a/1', 'b/1'],
];

/** Expects one invoice per requestId. Returns false if the server rejects a requestId, as the contract sets no format. */
async function expectDistinctInvoices(ctx: CheckContext, requestIds: readonly string[]): Promise<boolean> {
  const known = new Map<string, string>();
  for (const requestId of requestIds) {
    const body = { ...validBody(ctx), requestId };
    const response = await postInvoice(ctx, body);
    if (response.status === 400) return false;
    await expectCreated(ctx, response, `a creation with requestId ${requestId}`);
    const { id } = await resolveCreatedInvoice(ctx, body, response);
    const other = known.get(id);
    const because = `the response shows invoice ${id} of requestId ${other}`;
    expectThat(ctx, other === undefined, response, `a new invoice for requestId ${requestId}`, because);
    known.set(id, requestId);
  }
  return true;
}

/** For requestIds of a format that a server may reject. */
function distinctIfAcceptedCheck(id: CheckId, alike: (requestId: string) => readonly string[]): Check {
  return check(id, ['connection'], async (ctx) => {
    if (!(await expectDistinctInvoices(ctx, alike(ctx.createRequestId()))))
      notApplicable('the server rejects requestIds of this format');
  });
}

/** 18 digits: more than a double can represent exactly. */
function randomDigits(): string {
  return `${randomInt(1e8, 1e9)}${randomInt(1e8, 1e9)}`;
}

export const requestIdIdentityChecks: readonly Check[] = [
  checkInPhase(
    FIRST_IN_MAIN,
    'IDEM-06.withdraw-simultaneous',
    ['seller', 'treasuryWithdraw', 'treasuryBalance'],
    (ctx) =>
      expectBooked(ctx, {
        problems: ['withdrawal lost'],
        expected: 'every withdrawn amount deducted from the balance',
        payments: ({ withdrawals }) => (withdrawals.length > 1 ? withdrawals : []),
        isShown: hasWithdrawals,
      }),
  ),

  check('IDEM-06.withdraw-similar', ['seller', 'treasuryWithdraw'], async (ctx) => {
    const { requestId, alike, first, sum } = await withdrawalWithSimilarIds(ctx);
    skipUnlessAmountShown(first, sum);
    for (const other of alike) {
      const extra = { requestId: other };
      const second = await sendTreasuryRequest(
        ctx,
        'treasuryWithdraw',
        extra,
        withdrawalAmountFor(ctx, 'repeated, other').text,
      );
      const because = `the server returned the response for requestId ${requestId}`;
      const differs = !isDeepStrictEqual(first.json, second.json);
      expectThat(ctx, differs, second, `a new withdrawal for requestId ${other}`, because);
    }
  }),

  check('IDEM-06.similar-request-ids', ['connection'], async (ctx) => {
    // The distinct part comes first, because the end of the requestId differs only between groups.
    const stem = ctx.createRequestId();
    const groups = SIMILAR_REQUEST_IDS.map((group, at) =>
      expectDistinctInvoices(
        ctx,
        group.map((end) => `${end}~${stem}-${at}`),
      ),
    );
    if (!(await Promise.all(groups)).includes(true)) notApplicable('the server rejects requestIds of this format');
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

  // Uses the longest requestIds that the server accepts. They differ in their last character.
  check('IDEM-06.very-long', ['connection'], async (ctx) => {
    for (const length of REQUEST_ID_LENGTHS) {
      const stem = ctx.createRequestId().padEnd(length - 1, '-');
      const body = { ...validBody(ctx), requestId: `${stem}1` };
      const first = await postInvoice(ctx, body);
      if (first.status === 400) continue;
      await expectCreated(ctx, first, `a creation with a requestId of ${length} characters`);
      const other = { ...validBody(ctx), requestId: `${stem}2` };
      const second = await postInvoice(ctx, other);
      await expectCreated(ctx, second, `a creation with another requestId of ${length} characters`);
      const [made, more] = [
        await resolveCreatedInvoice(ctx, body, first),
        await resolveCreatedInvoice(ctx, other, second),
      ];
      const because = `the response shows invoice ${made.id}, whose requestId differs in the last character`;
      return expectThat(ctx, made.id !== more.id, second, 'a new invoice', because);
    }
    notApplicable(`the server rejects requestIds of ${REQUEST_ID_LENGTHS.at(-1)} characters and more`);
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

  check('IDEM-13.trailing-space', ['connection'], async (ctx) => {
    const first = await createOriginal(ctx);
    const body = { ...validBody(ctx), requestId: `${first.body.requestId} ` };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response))
      notApplicable(`the server rejects a requestId with a trailing space (${response.status})`);
    const second = await resolveCreatedInvoice(ctx, body, response);
    const because = `the response shows invoice ${first.invoice.id} of the requestId without the trailing space`;
    expectThat(
      ctx,
      second.id !== first.invoice.id,
      response,
      'a new invoice',
      because,
      idIsNot(response, first.invoice.id),
    );
  }),
];
