import { postInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, invoiceIn, isSuccess, type JsonObject } from '../../helpers/api/responses.ts';
import { breach, expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { placeInInvoice } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { skipUnlessTotalStable } from '../../helpers/assert/stable-total.ts';
import { type Check, type CheckContext, check, checkInPhase, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import {
  createCurrencyInvoices,
  createWholeYenInvoice,
  expectAmountReplayed,
  expectCurrencyAmountsKept,
  isSampledCurrency,
} from '../../helpers/creation/currency-amounts.ts';
import { expectAmountsKeptByTransitions } from '../../helpers/creation/currency-lifecycle.ts';
import {
  expectRejectedOrKept,
  invalidFieldCheck,
  invalidValuesCheck,
  rawValueCheck,
} from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { expectKeptIfAccepted } from '../../helpers/creation/kept-fields.ts';
import { formatAmount } from '../../helpers/data/amounts.ts';
import { acceptedRangesOf, type InvoiceBody, validBody } from '../../helpers/data/invoice-body.ts';
import { expectFieldsPreserved } from '../../helpers/fixtures/created-invoice.ts';
import { confirmBreachExclusively } from '../../helpers/invoices/exclusive-section.ts';
import { waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { readPage, readTotal } from '../../helpers/invoices/list-page.ts';
import type { CheckId, ObservationId } from '../../specs/generated/ids.ts';

/** For amounts whose form the contract does not specify: a server may reject them or keep their value. */
function amountByValueCheck(id: CheckId, observed: ObservationId | null, amounts: readonly string[]): Check {
  return check(id, ['connection'], async (ctx) => {
    for (const amount of amounts) {
      const body = { ...validBody(ctx), amount };
      const { status } = await expectRejectedOrKept(ctx, body, async (response) => {
        await resolveCreatedInvoice(ctx, body, response);
        const shown = invoiceIn(response)?.amount ?? amount;
        const because = `the amount is ${JSON.stringify(shown)}`;
        expectThat(ctx, Number(shown) === Number(amount), response, `an amount equal to ${amount}`, because, {
          body: `$status >= 400 or (first(.. | objects | select(has("amount"))).amount | tonumber) == ${Number(amount)}`,
          fields: placeInInvoice(response, 'amount'),
        });
      });
      if (observed) ctx.observe(observed, `${amount}: ${status}`);
    }
  });
}

function invalidAmountCheck(id: CheckId, value: unknown | ((valid: InvoiceBody) => unknown)): Check {
  return invalidFieldCheck(id, 'amount', value, 'INV002');
}

/** A double cannot count the first amount in cents, nor the second in units. */
const AMOUNTS_BEYOND_DOUBLE = ['90071992547409.93', '9007199254740993.01'];

/** `above`: cents above the smallest amount of the run's invoices. `small`: amounts that may be too small for an invoice. */
function returnedAmountsCheck(id: CheckId, above: readonly number[], small: readonly string[] = []): Check {
  return check(id, ['connection'], async (ctx) => {
    const { leastCents } = acceptedRangesOf(ctx.run);
    for (const cents of above) {
      const amount = formatAmount(leastCents + cents);
      await expectFieldsPreserved(ctx, await createInvoice(ctx, { amount }), { amount });
    }
    for (const amount of small) await expectKeptIfAccepted(ctx, { amount }, ['amount']);
  });
}

/** Amounts that a faulty server cuts off at the thousands, or stores in too few bits. */
const LARGE_AMOUNTS = ['328.00', '1234.56', '100000.55', '1000000.01', '12345678.90', '123456789.01', '2147483648.07'];

/** Invalid bodies, with the check that judges each. */
function judgedInvalidBodies(ctx: CheckContext): (readonly [CheckId, object])[] {
  const valid = () => validBody(ctx);
  const without = (field: 'amount' | 'buyerId' | 'dueDate') => ({ ...valid(), [field]: undefined });
  return [
    ['CREATE-02.amount', without('amount')],
    ['CREATE-02.buyer-id', without('buyerId')],
    ['CREATE-02.due-date', without('dueDate')],
    ['CREATE-03.text', { ...valid(), amount: 'twelve' }],
    ['CREATE-04.negative', { ...valid(), amount: `-${valid().amount}` }],
    ['CREATE-05.currency-number', { ...valid(), currency: 42 }],
    ['CREATE-07.text', { ...valid(), dueDate: 'tomorrow' }],
    ['CREATE-01.invoice-number', { ...valid(), invoiceNumber: '1' }],
  ];
}

async function skipUnlessAllRejected(
  ctx: CheckContext,
  bodies: readonly (readonly [CheckId, object])[],
): Promise<void> {
  const responses = await Promise.all(bodies.map(([, body]) => postInvoice(ctx, body)));
  const [judgedBy] = bodies.flatMap(([id], at) => (isSuccess(responses[at] as ApiResponse) ? [id] : []));
  if (judgedBy) notApplicable('the server accepted an invalid creation', { judgedBy });
}

export const amountChecks: readonly Check[] = [
  checkInPhase(FIRST_IN_MAIN, 'CREATE-03.total-unchanged', ['connection'], (ctx) =>
    confirmBreachExclusively(ctx, async (ctx) => {
      const before = await readPage(ctx, { page: 0, limit: 1 });
      const bodies = judgedInvalidBodies(ctx);
      await skipUnlessAllRejected(ctx, bodies);
      const after = await readPage(ctx, { page: 0, limit: 1 });
      if (after.total > before.total) await skipUnlessTotalStable(ctx, () => readTotal(ctx));
      // An earlier deletion may take effect meanwhile, so a smaller total is allowed.
      const kept = after.total <= before.total;
      const expected = `total ${before.total}, as before the rejected creations`;
      const because = `total is ${after.total} after ${bodies.length} rejected creations`;
      expectThat(ctx, kept, after.response, expected, because);
    }),
  ),

  rawValueCheck('CREATE-03.huge-number', 'amount', '1e400'),

  generatedRejectionCheck('CREATE-03.generated', families.malformedAmounts),

  generatedRejectionCheck('CREATE-03.other-forms', families.alternativeAmountFormats),

  invalidAmountCheck('CREATE-03.number', ({ amount }: InvoiceBody) => Number(amount)),

  invalidAmountCheck('CREATE-03.integer', 25),

  invalidAmountCheck('CREATE-03.null', null),

  invalidAmountCheck('CREATE-03.boolean', true),

  invalidAmountCheck('CREATE-03.array', ({ amount }: InvoiceBody) => [amount]),

  invalidAmountCheck('CREATE-03.object', ({ amount }: InvoiceBody) => ({ value: amount })),

  invalidAmountCheck('CREATE-03.empty', ''),

  invalidAmountCheck('CREATE-03.blank', ' '),

  invalidAmountCheck('CREATE-03.text', 'twelve'),

  invalidAmountCheck('CREATE-03.trailing-text', ({ amount }: InvoiceBody) => `${amount}abc`),

  invalidAmountCheck('CREATE-03.comma', '12,50'),

  invalidAmountCheck('CREATE-03.thousands', '1,250.00'),

  invalidAmountCheck('CREATE-03.two-points', '1.250.00'),

  invalidAmountCheck('CREATE-03.nan', 'NaN'),

  invalidAmountCheck('CREATE-03.infinity', 'Infinity'),

  invalidAmountCheck('CREATE-03.hexadecimal', '0x1F'),

  // The integer part of the last two values is zero, so a sign check of that part alone misses them.
  invalidValuesCheck('CREATE-04.negative', 'amount', ({ amount }) => [`-${amount}`, '-0.50', '-0.01'], 'INV002'),

  invalidAmountCheck('CREATE-04.surrounding-spaces', ({ amount }: InvoiceBody) => ` ${amount} `),

  invalidAmountCheck('CREATE-04.newline', ({ amount }: InvoiceBody) => `${amount}\n`),

  invalidAmountCheck('CREATE-04.exponent', '1e2'),

  invalidAmountCheck('CREATE-04.plus', ({ amount }: InvoiceBody) => `+${amount}`),

  invalidValuesCheck(
    'CREATE-04.non-ascii-digits',
    'amount',
    () => ['\u0662\u0665.\u0660\u0660', '\uff12\uff15.00'],
    'INV002',
  ),

  check('CREATE-04.three-digits', ['connection'], async (ctx) => {
    await runCreationControl(ctx);
    for (const more of ['5', '0001']) {
      const valid = validBody(ctx);
      const body = { ...valid, amount: `${valid.amount}${more}` };
      const response = await postInvoice(ctx, body);
      if (!isSuccess(response)) {
        expectRejected(ctx, response, [400], 'INV002');
        continue;
      }
      const invoice = await resolveCreatedInvoice(ctx, body, response);
      const isKept = (found: JsonObject | null) => Number(found?.amount) === Number(body.amount);
      const {
        record,
        isMet: kept,
        response: seen,
      } = await waitForInvoice(ctx, invoice.id, isKept, 'reads what was sent');
      const because = `the server accepted it and kept the amount as ${JSON.stringify(record?.amount)}`;
      if (!kept)
        throw breach(ctx, seen, `a rejection with 400 INV002, or the amount ${body.amount}`, because, [response]);
    }
  }),

  check('CREATE-15.smallest', ['connection'], async (ctx) => {
    const body = { ...validBody(ctx), amount: '0.01' };
    await expectRejectedOrKept(ctx, body, async (response) =>
      expectFieldsPreserved(ctx, await resolveCreatedInvoice(ctx, body, response), { amount: body.amount }),
    );
  }),

  amountByValueCheck('CREATE-15.zero', 'zero-amount', ['0.00']),

  // CREATE-04 judges whether the server rejects it.
  amountByValueCheck('CREATE-15.negative', null, ['-25.00']),

  amountByValueCheck('CREATE-15.short-forms', 'amount-without-fraction', ['25', '25.5']),

  returnedAmountsCheck('CREATE-15.trailing-zero', [10, 500]),

  // A binary fraction cannot represent these amounts.
  returnedAmountsCheck('CREATE-15.cents', [113, 341], ['4.35', '1.15', '35.41']),

  check('CREATE-15.large', ['connection'], async (ctx) => {
    await runCreationControl(ctx);
    for (const amount of AMOUNTS_BEYOND_DOUBLE) {
      const body = { ...validBody(ctx), amount };
      const response = await postInvoice(ctx, body);
      const rejected = response.status === 400 || response.status === 412;
      if (isSuccess(response))
        await expectFieldsPreserved(ctx, await resolveCreatedInvoice(ctx, body, response), { amount });
      else
        expectThat(
          ctx,
          rejected,
          response,
          'a rejection with 400 INV002, or the same amount',
          `the server returned ${response.status}`,
        );
    }
  }),

  // The contract gives every amount two fraction digits, regardless of the currency.
  check('CREATE-15.other-currencies', ['connection'], async (ctx) => {
    const [made, wholeYen] = await Promise.all([createCurrencyInvoices(ctx), createWholeYenInvoice(ctx)]);
    await expectCurrencyAmountsKept(ctx, [...made, ...wholeYen]);
  }),

  check('CREATE-15.currency-lifecycle', ['connection'], async (ctx) => {
    const made = await createCurrencyInvoices(ctx);
    await Promise.all(made.filter(isSampledCurrency).map((each) => expectAmountReplayed(ctx, each)));
    if (!(await expectAmountsKeptByTransitions(ctx, made)))
      notApplicable('the server accepts no action on an invoice in another currency');
  }),

  check('CREATE-15.thousands', ['connection'], async (ctx) => {
    const responses = await Promise.all(
      LARGE_AMOUNTS.map((amount) => expectKeptIfAccepted(ctx, { amount }, ['amount'], { isDeletedAfterwards: true })),
    );
    if (!responses.some(isSuccess)) notApplicable(`the server accepts none of the amounts ${LARGE_AMOUNTS.join(', ')}`);
  }),
];
