import { postInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, excerpt, invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { fieldIs, statusBelow } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { bodyMark, hasOtherMark } from '../../helpers/context/invoice-history.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { expectRejectedOrKept } from '../../helpers/creation/field-checks.ts';
import { minimalBody } from '../../helpers/creation/kept-fields.ts';
import { sendLongCreation } from '../../helpers/creation/large-requests.ts';
import { descriptionTexts, isEquivalentText, isUnchangedText } from '../../helpers/data/description-text.ts';
import { type InvoiceBody, validBody } from '../../helpers/data/invoice-body.ts';
import { expectCreated, isCreationAccepted } from '../../helpers/fixtures/created-invoice.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { findCreatedInvoice, findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { expectListedAsSent } from '../../helpers/invoices/listed-as-sent.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Expects each returned description to equal the sent one. A server need not return descriptions. */
async function expectDescriptionKept(ctx: CheckContext, body: InvoiceBody, created: ApiResponse): Promise<void> {
  await resolveCreatedInvoice(ctx, body, created);
  const { record, response } = await findCreatedInvoice(ctx, body);
  for (const [shown, seen] of [[invoiceIn(created), created] as const, [record, response] as const]) {
    const given = shown?.description;
    if (typeof given !== 'string' || given === body.description) continue;
    const expected = `the description of ${body.description.length} characters, as sent`;
    throw breach(
      ctx,
      seen,
      expected,
      `the description has ${given.length} characters: ${JSON.stringify(excerpt(seen, given, 80))}`,
    );
  }
}

function keptDescriptionCheck(id: CheckId, textOf: (valid: InvoiceBody) => string): Check {
  return check(id, ['connection'], async (ctx) => {
    const valid = validBody(ctx);
    const body = { ...valid, description: textOf(valid) };
    await runCreationControl(ctx);
    const response = await postInvoice(ctx, body);
    await expectCreated(ctx, response, 'a created invoice, because a description is free text');
    await expectDescriptionKept(ctx, body, response);
  });
}

/** The contract gives no maximum length: throws NotApplicable when the server also rejects plain letters of as many bytes. */
async function skipIfDescriptionTooLong(ctx: CheckContext, description: string, response: ApiResponse): Promise<void> {
  if (response.status !== 400) return;
  const length = Buffer.byteLength(description);
  const plain = { ...validBody(ctx), description: 'x'.repeat(length) };
  if (!(await isCreationAccepted(ctx, plain)))
    notApplicable(`the server also rejects a description of ${length} plain letters`);
}

function returnedDescriptionCheck(id: CheckId, text: string, isKept = isEquivalentText): Check {
  return check(id, ['connection'], async (ctx) => {
    await runCreationControl(ctx);
    const valid = validBody(ctx);
    // The body's own mark tells this invoice from one of another run with the same seed.
    const description = `${text} ${bodyMark(valid)}`;
    const body = { ...valid, description };
    const response = await postInvoice(ctx, body);
    await skipIfDescriptionTooLong(ctx, description, response);
    await expectCreated(ctx, response, 'a created invoice, because a description is free text');
    const { record, response: seen } = await findCreatedInvoice(ctx, body);
    await resolveCreatedInvoice(ctx, body, response);
    for (const shown of [invoiceIn(response), record]) {
      const texts = descriptionTexts(shown?.description);
      ctx.observe('description-returned', texts.length > 0);
      const because = `the description is ${JSON.stringify(shown?.description)}`;
      if (texts.length > 0 && !texts.some((text) => isKept(text, description)))
        throw breach(ctx, seen, `description ${JSON.stringify(description)}`, because, [response]);
    }
  });
}

/** Texts that a faulty server treats as no value. */
const FALSY_TEXTS = ['0', 'null', 'false'];

/** Words and paths that a faulty filter takes for an attack, and texts that a faulty server takes for placeholders or a formula. */
const INJECTION_LIKE_TEXTS = [
  'Please select a union flag',
  'Drop it off, delete from order, ../terms',
  '=50 %discount, 5 %s, 100 %i {{name}}',
];

/** Texts that a faulty parser reads as a time or a number and writes in another form. */
const VALUE_LIKE_TEXTS = ['2031-03-05T00:00:00+02:00', '0070.50'];

/** Expects a created invoice and, if `returned` says that the server returns descriptions, the unchanged text. */
async function expectFreeTextKept(ctx: CheckContext, description: string, returned: boolean): Promise<void> {
  const body = { ...validBody(ctx), description };
  const response = await postInvoice(ctx, body);
  // The contract gives no minimum length.
  if (response.status === 400 && FALSY_TEXTS.includes(description)) return;
  await expectCreated(ctx, response, 'a created invoice, because a description is free text');
  const { record, response: seen } = await findSettledInvoice(ctx, await resolveCreatedInvoice(ctx, body, response));
  const kept = !returned || !record || record.description === description;
  const because = `the description is ${JSON.stringify(record?.description)}`;
  expectThat(
    ctx,
    kept,
    seen,
    `description ${JSON.stringify(description)}`,
    because,
    fieldIs(seen, 'description', description),
  );
}

function expectBelow500(ctx: CheckContext, response: ApiResponse): void {
  const because = `the server returned ${response.status}`;
  expectThat(ctx, response.status < 500, response, 'accepted, or rejected as too long', because, statusBelow(500));
}

async function deleteCreated(ctx: CheckContext, id: string): Promise<void> {
  if (isSuccess(await performAction(ctx, 'delete', id))) ctx.run.leftovers.recordDeleted(id);
}

export const descriptionChecks: readonly Check[] = [
  check('CREATE-16.long', ['connection'], async (ctx) => {
    const valid = validBody(ctx);
    const body = { ...valid, description: `${valid.description} ${'long text '.repeat(500)}end` };
    await expectRejectedOrKept(ctx, body, (response) => expectDescriptionKept(ctx, body, response));
  }),

  // Late and deleted afterwards, because a list shows the whole text to the checks that read it.
  checkInPhase('late', 'CREATE-16.very-long', ['connection'], async (ctx) => {
    const valid = validBody(ctx);
    const body = { ...valid, description: `${`${valid.description} `.padEnd(99_997, 'long text ')}end` };
    await runCreationControl(ctx);
    const response = await sendLongCreation(ctx, 'a description of 100000 characters', body);
    if (!isSuccess(response)) return expectBelow500(ctx, response);
    const { id, state } = await resolveCreatedInvoice(ctx, body, response);
    try {
      await expectDescriptionKept(ctx, body, response);
    } finally {
      if (state === 'DRAFT' && ctx.target.operations.delete) await deleteCreated(ctx, id);
    }
  }),

  returnedDescriptionCheck('CREATE-16.unicode', 'Grüße, 请付款, שלום, مرحبا, 🧾👩‍💻 e\u0301'),

  returnedDescriptionCheck('CREATE-16.quotes', `"q" 'a' R&D \\ / {"j": 1} %20;`),

  check('CREATE-16.left-out', ['connection'], async (ctx) => {
    const before = await createInvoice(ctx);
    const body = minimalBody(ctx) as InvoiceBody;
    const response = await postInvoice(ctx, body);
    await expectCreated(ctx, response, 'a created invoice');
    const invoice = await resolveCreatedInvoice(ctx, body, response);
    const { record, response: seen } = await findSettledInvoice(ctx, invoice);
    for (const description of [invoiceIn(response)?.description, record?.description]) {
      const because = `the description is ${JSON.stringify(description)}`;
      const evidence = [before.created, response];
      if (hasOtherMark(description, body))
        throw breach(ctx, seen, 'an invoice without the description of another invoice', because, evidence);
    }
    await expectListedAsSent(ctx, invoice, 'the invoice without a description in the list');
  }),

  check('CREATE-16.reserved-words', ['connection'], async (ctx) => {
    const usual = await createInvoice(ctx);
    const { record } = await findSettledInvoice(ctx, usual);
    const returned = record?.description === usual.body.description;
    await Promise.all(
      [...FALSY_TEXTS, ...INJECTION_LIKE_TEXTS, ...VALUE_LIKE_TEXTS].map((text) =>
        expectFreeTextKept(ctx, text, returned),
      ),
    );
  }),

  keptDescriptionCheck('CREATE-19.lines', (valid) => `${bodyMark(valid)}\nnext\n\n\tline`),

  keptDescriptionCheck('CREATE-19.surrounding-spaces', ({ description }) => `  ${description}  `),

  returnedDescriptionCheck('CREATE-19.markup', 'a < b, <b>bold</b> and &amp;', isUnchangedText),
];
