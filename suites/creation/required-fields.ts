import { postInvoice } from '../../helpers/api/operations.ts';
import { expectRefused } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { creationWorks } from '../../helpers/controls/controls.ts';
import type { FieldName } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { requiredOnly } from '../../helpers/creation/kept-fields.ts';
import { expectCreationRefused } from '../../helpers/creation/rejected-creation.ts';
import { HUGE_SUM, LARGE_SUM, LEAST_SUM, LITTLE_SUM } from '../../helpers/data/amounts.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { defaultCurrency, expectCreated, isCreated } from '../../helpers/fixtures/created-invoice.ts';
import { invoiceOf } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

function missingFieldCheck(id: CheckId, field: FieldName): Check {
  return check(id, ['connection'], (lab) =>
    expectCreationRefused(lab, {
      spoil: ({ [field]: _, ...rest }) => rest,
      defect: field,
      statuses: [400],
      code: 'INV002',
      whole: true,
    }),
  );
}

function acceptedWith(id: CheckId, bodyOf: (lab: Lab) => Promise<Partial<InvoiceBody>>): Check {
  return check(id, ['connection'], async (lab) => {
    const body = await bodyOf(lab);
    const answer = await postInvoice(lab, body);
    lab.observe('create-status', answer.status);
    await expectCreated(lab, answer, 'a created invoice');
    await invoiceOf(lab, body as InvoiceBody, answer);
  });
}

/** Whatever the sum, no optional field is needed. False where this sum is accepted with none of them. */
async function neededAlone(lab: Lab, amount: string): Promise<boolean> {
  if (!(await isCreated(lab, { ...validBody(lab), amount }))) return false;
  const body = { ...requiredOnly(lab), amount } as InvoiceBody;
  const answer = await postInvoice(lab, body);
  await expectCreated(lab, answer, `a created invoice of ${amount}`);
  await invoiceOf(lab, body, answer);
  return true;
}

/** How long a free text may be is not shown. */
const SHORT_TEXT = 40;

export const requiredFieldsChecks: readonly Check[] = [
  generatedRejectionCheck('CREATE-02.generated', families.missingFields),

  missingFieldCheck('CREATE-02.seller-id', 'sellerId'),

  missingFieldCheck('CREATE-02.buyer-id', 'buyerId'),

  missingFieldCheck('CREATE-02.amount', 'amount'),

  missingFieldCheck('CREATE-02.due-date', 'dueDate'),

  check('CREATE-02.empty-object', ['connection'], async (lab) => {
    await creationWorks(lab);
    expectRefused(lab, await postInvoice(lab, {}), [400], 'INV002');
  }),

  acceptedWith('CREATE-13.required-only', async (lab) => requiredOnly(lab)),

  check('CREATE-13.required-only-amounts', ['connection'], async (lab) => {
    const accepted = await Promise.all(
      [LEAST_SUM, LITTLE_SUM, LARGE_SUM, HUGE_SUM].map((amount) => neededAlone(lab, amount)),
    );
    if (!accepted.includes(true)) notApplicable('none of these sums is accepted with a description');
  }),

  acceptedWith('CREATE-13.all-declared', async (lab) => ({
    ...validBody(lab),
    currency: await defaultCurrency(lab),
    requestId: lab.requestId(),
  })),

  acceptedWith('CREATE-13.description', async (lab) => ({
    ...requiredOnly(lab),
    description: lab.faker.commerce.productName().slice(0, SHORT_TEXT),
  })),

  acceptedWith('CREATE-13.currency', async (lab) => ({ ...requiredOnly(lab), currency: await defaultCurrency(lab) })),

  acceptedWith('CREATE-13.request-id', async (lab) => ({ ...requiredOnly(lab), requestId: lab.requestId() })),
];
