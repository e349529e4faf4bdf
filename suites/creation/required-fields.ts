import { postInvoice } from '../../helpers/api/operations.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { runCreationControl } from '../../helpers/controls/controls.ts';
import type { FieldName } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { minimalBody } from '../../helpers/creation/kept-fields.ts';
import { expectCreationRejected } from '../../helpers/creation/rejected-creation.ts';
import { HUGE_AMOUNT, LARGE_AMOUNT, LOW_AMOUNT, MIN_AMOUNT } from '../../helpers/data/amounts.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { defaultCurrency, expectCreated, isCreationAccepted } from '../../helpers/fixtures/created-invoice.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

function missingFieldCheck(id: CheckId, field: FieldName): Check {
  return check(id, ['connection'], (lab) =>
    expectCreationRejected(lab, {
      spoil: ({ [field]: _, ...rest }) => rest,
      defect: field,
      statuses: [400],
      code: 'INV002',
      whole: true,
    }),
  );
}

function acceptedCreationCheck(id: CheckId, bodyOf: (lab: CheckContext) => Promise<Partial<InvoiceBody>>): Check {
  return check(id, ['connection'], async (lab) => {
    const body = await bodyOf(lab);
    const answer = await postInvoice(lab, body);
    lab.observe('create-status', answer.status);
    await expectCreated(lab, answer, 'a created invoice');
    await resolveCreatedInvoice(lab, body as InvoiceBody, answer);
  });
}

/** Whatever the sum, no optional field is needed. False where this sum is accepted with none of them. */
async function expectRequiredFieldsSuffice(lab: CheckContext, amount: string): Promise<boolean> {
  if (!(await isCreationAccepted(lab, { ...validBody(lab), amount }))) return false;
  const body = { ...minimalBody(lab), amount } as InvoiceBody;
  const answer = await postInvoice(lab, body);
  await expectCreated(lab, answer, `a created invoice of ${amount}`);
  await resolveCreatedInvoice(lab, body, answer);
  return true;
}

/** How long a free text may be is not shown. */
const MAX_DESCRIPTION_LENGTH = 40;

export const requiredFieldsChecks: readonly Check[] = [
  generatedRejectionCheck('CREATE-02.generated', families.missingFields),

  missingFieldCheck('CREATE-02.seller-id', 'sellerId'),

  missingFieldCheck('CREATE-02.buyer-id', 'buyerId'),

  missingFieldCheck('CREATE-02.amount', 'amount'),

  missingFieldCheck('CREATE-02.due-date', 'dueDate'),

  check('CREATE-02.empty-object', ['connection'], async (lab) => {
    await runCreationControl(lab);
    expectRejected(lab, await postInvoice(lab, {}), [400], 'INV002');
  }),

  acceptedCreationCheck('CREATE-13.required-only', async (lab) => minimalBody(lab)),

  check('CREATE-13.required-only-amounts', ['connection'], async (lab) => {
    const accepted = await Promise.all(
      [MIN_AMOUNT, LOW_AMOUNT, LARGE_AMOUNT, HUGE_AMOUNT].map((amount) => expectRequiredFieldsSuffice(lab, amount)),
    );
    if (!accepted.includes(true)) notApplicable('none of these sums is accepted with a description');
  }),

  acceptedCreationCheck('CREATE-13.all-declared', async (lab) => ({
    ...validBody(lab),
    currency: await defaultCurrency(lab),
    requestId: lab.createRequestId(),
  })),

  acceptedCreationCheck('CREATE-13.description', async (lab) => ({
    ...minimalBody(lab),
    description: lab.faker.commerce.productName().slice(0, MAX_DESCRIPTION_LENGTH),
  })),

  acceptedCreationCheck('CREATE-13.currency', async (lab) => ({
    ...minimalBody(lab),
    currency: await defaultCurrency(lab),
  })),

  acceptedCreationCheck('CREATE-13.request-id', async (lab) => ({
    ...minimalBody(lab),
    requestId: lab.createRequestId(),
  })),
];
