import { postInvoice } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import type { FieldName } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { minimalBody } from '../../helpers/creation/kept-fields.ts';
import { expectCreationRejected } from '../../helpers/creation/rejected-creation.ts';
import { renamedRequiredFields } from '../../helpers/creation/renamed-fields.ts';
import { HUGE_AMOUNT, LARGE_AMOUNT, LOW_AMOUNT, MIN_AMOUNT } from '../../helpers/data/amounts.ts';
import { type InvoiceBody, validBody } from '../../helpers/data/invoice-body.ts';
import { defaultCurrency, expectCreated, isCreationAccepted } from '../../helpers/fixtures/created-invoice.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

function missingFieldCheck(id: CheckId, field: FieldName): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, {
      addDefect: ({ [field]: _, ...rest }) => rest,
      defect: field,
      statuses: [400],
      code: 'INV002',
      whole: true,
    }),
  );
}

function acceptedCreationCheck(id: CheckId, bodyOf: (ctx: CheckContext) => Promise<Partial<InvoiceBody>>): Check {
  return check(id, ['connection'], async (ctx) => {
    const body = await bodyOf(ctx);
    const response = await postInvoice(ctx, body);
    ctx.observe('create-status', response.status);
    await expectCreated(ctx, response, 'a created invoice');
    await resolveCreatedInvoice(ctx, body as InvoiceBody, response);
  });
}

/** Expects a creation without optional fields to succeed. Returns false when the server rejects the amount with them too. */
async function expectRequiredFieldsSuffice(ctx: CheckContext, amount: string): Promise<boolean> {
  const body = { ...minimalBody(ctx), amount } as InvoiceBody;
  const response = await postInvoice(ctx, body);
  if (!isSuccess(response) && !(await isCreationAccepted(ctx, { ...validBody(ctx), amount }))) return false;
  await expectCreated(ctx, response, `a created invoice with amount ${amount}`);
  await resolveCreatedInvoice(ctx, body, response);
  return true;
}

/** In characters. Short, because the contract gives no maximum. */
const MAX_DESCRIPTION_LENGTH = 40;

export const requiredFieldsChecks: readonly Check[] = [
  generatedRejectionCheck('CREATE-02.generated', families.missingFields),

  // The body lacks a required field and has an undeclared one. The contract leaves open which code comes first.
  generatedRejectionCheck('CREATE-02.other-names', renamedRequiredFields),

  missingFieldCheck('CREATE-02.seller-id', 'sellerId'),

  missingFieldCheck('CREATE-02.buyer-id', 'buyerId'),

  missingFieldCheck('CREATE-02.amount', 'amount'),

  missingFieldCheck('CREATE-02.due-date', 'dueDate'),

  check('CREATE-02.empty-object', ['connection'], async (ctx) => {
    await runCreationControl(ctx);
    expectRejected(ctx, await postInvoice(ctx, {}), [400], 'INV002');
  }),

  acceptedCreationCheck('CREATE-13.required-only', async (ctx) => minimalBody(ctx)),

  check('CREATE-13.required-only-amounts', ['connection'], async (ctx) => {
    const accepted = await Promise.all(
      [MIN_AMOUNT, LOW_AMOUNT, LARGE_AMOUNT, HUGE_AMOUNT].map((amount) => expectRequiredFieldsSuffice(ctx, amount)),
    );
    if (!accepted.includes(true))
      notApplicable('the server accepts none of the tried amounts, even with a description');
  }),

  acceptedCreationCheck('CREATE-13.all-declared', async (ctx) => ({
    ...validBody(ctx),
    currency: await defaultCurrency(ctx),
    requestId: ctx.createRequestId(),
  })),

  acceptedCreationCheck('CREATE-13.description', async (ctx) => ({
    ...minimalBody(ctx),
    description: ctx.faker.commerce.productName().slice(0, MAX_DESCRIPTION_LENGTH),
  })),

  acceptedCreationCheck('CREATE-13.currency', async (ctx) => ({
    ...minimalBody(ctx),
    currency: await defaultCurrency(ctx),
  })),

  acceptedCreationCheck('CREATE-13.request-id', async (ctx) => ({
    ...minimalBody(ctx),
    requestId: ctx.createRequestId(),
  })),
];
