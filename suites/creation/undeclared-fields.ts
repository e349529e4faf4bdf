import { invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { CHECKED_WITH_ALL_FIELDS, invalidBodyTextCheck } from '../../helpers/creation/field-checks.ts';
import {
  enumeratedValues,
  expectFamilyRejected,
  generatedRejectionCheck,
} from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { answeredOf, sendLargeCreations } from '../../helpers/creation/large-requests.ts';
import {
  expectCreationRejected,
  expectNoInvoiceCreated,
  expectNoInvoiceCreatedLater,
} from '../../helpers/creation/rejected-creation.ts';
import { renamedOptionalFields } from '../../helpers/creation/renamed-fields.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import { optionalFields } from '../../helpers/fixtures/created-invoice.ts';
import { findInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const NESTING_DEPTH = 2000;

function undeclaredFieldCheck(id: CheckId, fields: Record<string, unknown>): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, {
      addDefect: (valid) => ({ ...valid, ...fields }),
      statuses: [400],
      ...(CHECKED_WITH_ALL_FIELDS.includes(id) && { whole: true }),
    }),
  );
}

/** Fields that similar APIs declare, and a later version of this contract might. */
const COMMON_FIELDS: readonly [string, unknown][] = [
  ['lineItems', [{ description: 'conformance', amount: '1.00' }]],
  ['items', []],
  ['invoicenumber', 'INV-CONFORMANCE-1'],
  ['number', 'INV-CONFORMANCE-1'],
  ['connectionId', '00000000-0000-4000-8000-000000000001'],
  ['environment', 'SANDBOX'],
  ['metadata', { source: 'conformance' }],
  ['notes', 'conformance'],
  ['reference', 'conformance'],
  ['taxAmount', '0.00'],
  ['paymentTerms', 30],
  ['draft', true],
  ['status', 'DRAFT'],
  ['amount ', '1.00'],
];

/** A number that the platform has assigned, and one of the same form that it may assign later. */
async function platformInvoiceNumbers(ctx: CheckContext): Promise<string[]> {
  const { id, created } = await createInvoice(ctx);
  const given = invoiceIn(created)?.invoiceNumber ?? (await findInvoice(ctx, id)).record?.invoiceNumber;
  if (typeof given !== 'string') return [];
  const later = given.replace(/\d+(?=\D*$)/, (digits) => `9${digits.slice(1)}`);
  return [...new Set([given, later])];
}

export const undeclaredFieldsChecks: readonly Check[] = [
  check('CREATE-01.deep', ['connection'], (ctx) =>
    expectCreationRejected(ctx, {
      addDefect: (valid) =>
        JSON.stringify({ ...valid, conformanceProbe: 0 }).replace(
          '"conformanceProbe":0',
          `"conformanceProbe":${'['.repeat(NESTING_DEPTH)}${']'.repeat(NESTING_DEPTH)}`,
        ),
      // The contract sets no maximum length of a body.
      statuses: [400, 413],
    }),
  ),

  check('CREATE-01.large', ['connection'], async (ctx) => {
    const invalid = (await sendLargeCreations(ctx)).filter((each) => each.invalid);
    const answered = answeredOf(ctx, invalid);
    // A server may reject the size before it reads the body, so every rejection is allowed.
    for (const { what, response } of answered) {
      const because = `the server accepted ${what} with ${response.status}`;
      expectThat(ctx, !isSuccess(response), response, 'a rejection with 400 or 413', because);
    }
    const rejections = answered.map(({ response }) => response);
    const bodies = answered.map(({ body }) => body);
    await expectNoInvoiceCreated(ctx, rejections, bodies);
  }),

  // Late, because a queue may still create the invoice of a rejected request.
  checkInPhase('late', 'CREATE-01.nothing-created-later', ['connection'], (ctx) => expectNoInvoiceCreatedLater(ctx)),

  generatedRejectionCheck('CREATE-01.generated', families.undeclaredFields),

  generatedRejectionCheck('CREATE-01.unusual-names', families.unusualFieldNames),

  check('CREATE-01.invoice-number', ['connection'], async (ctx) => {
    const numbers = [
      'INV-CONFORMANCE-1',
      '',
      null,
      7,
      { value: 'INV-CONFORMANCE-1' },
      ...(await platformInvoiceNumbers(ctx)),
    ];
    for (const invoiceNumber of numbers) {
      await expectCreationRejected(ctx, { addDefect: (valid) => ({ ...valid, invoiceNumber }), statuses: [400] });
    }
    // As the first member, and together with all optional fields.
    const addDefect = (valid: InvoiceBody) => ({ invoiceNumber: 'INV-CONFORMANCE-1', ...valid });
    await expectCreationRejected(ctx, { addDefect, statuses: [400], whole: true });
  }),

  undeclaredFieldCheck('CREATE-01.unknown', { conformanceProbe: 'undeclared' }),

  undeclaredFieldCheck('CREATE-01.status', { status: 'APPROVED' }),

  undeclaredFieldCheck('CREATE-01.id', { id: '00000000-0000-4000-8000-000000000001' }),

  undeclaredFieldCheck('CREATE-01.created-at', { createdAt: '2020-01-01T00:00:00Z' }),

  undeclaredFieldCheck('CREATE-01.null-value', { conformanceProbe: null }),

  check('CREATE-01.empty-values', ['connection'], async (ctx) => {
    const tried = [false, 0, '', [], {}].map((conformanceProbe) =>
      expectCreationRejected(ctx, { addDefect: (valid) => ({ ...valid, conformanceProbe }), statuses: [400] }),
    );
    await Promise.all(tried);
  }),

  generatedRejectionCheck('CREATE-01.common-names', {
    ...enumeratedValues<object>([
      ...COMMON_FIELDS.map((each) => Object.fromEntries([each])),
      Object.fromEntries(COMMON_FIELDS),
    ]),
    addDefect: (valid, more) => ({ ...valid, ...more }),
  }),

  check('CREATE-01.other-names', ['connection'], async (ctx) =>
    expectFamilyRejected(ctx, renamedOptionalFields(await optionalFields(ctx))),
  ),

  undeclaredFieldCheck('CREATE-01.snake-case', { request_id: 'conformance' }),

  undeclaredFieldCheck('CREATE-01.constructor', { constructor: 'undeclared' }),

  check('CREATE-01.organization-ids', ['connection'], async (ctx) => {
    // Each with the value that the created record would have.
    const tried = [
      (valid: InvoiceBody) => ({ ...valid, buyerOrganizationId: valid.buyerId }),
      (valid: InvoiceBody) => ({ ...valid, sellerOrganizationId: valid.sellerId }),
    ].map((addDefect) => expectCreationRejected(ctx, { addDefect, statuses: [400] }));
    await Promise.all(tried);
  }),

  check('CREATE-01.other-case', ['connection'], (ctx) =>
    expectCreationRejected(ctx, { addDefect: (valid) => ({ ...valid, Amount: valid.amount }), statuses: [400] }),
  ),

  // Written as text: an object literal would set the prototype instead of a member.
  invalidBodyTextCheck('CREATE-01.proto', (text) => text.replace('{', '{"__proto__":{"amount":"1.00"},')),
];
