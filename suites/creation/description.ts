import { postInvoice } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { excerpt, invoiceIn } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { bodyMark, hasOtherMark } from '../../helpers/context/run-mark.ts';
import { runCreationControl } from '../../helpers/controls/controls.ts';
import { expectRejectedOrKept } from '../../helpers/creation/field-checks.ts';
import { minimalBody } from '../../helpers/creation/kept-fields.ts';
import { descriptionTexts, isEquivalentText, isUnchangedText } from '../../helpers/data/description-text.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { expectCreated, isCreationAccepted } from '../../helpers/fixtures/created-invoice.ts';
import { findCreatedInvoice, findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** A description comes back as it was sent wherever it is returned at all. */
async function expectDescriptionKept(lab: CheckContext, body: InvoiceBody, created: ApiResponse): Promise<void> {
  await resolveCreatedInvoice(lab, body, created);
  const { record, response: answer } = await findCreatedInvoice(lab, body);
  for (const [shown, seen] of [[invoiceIn(created), created] as const, [record, answer] as const]) {
    const told = shown?.description;
    if (typeof told !== 'string' || told === body.description) continue;
    const expected = `description of ${body.description.length} characters as it was sent`;
    throw breach(
      lab,
      seen,
      expected,
      `${told.length} characters came back: ${JSON.stringify(excerpt(seen, told, 80))}`,
    );
  }
}

function keptDescriptionCheck(id: CheckId, textOf: (valid: InvoiceBody) => string): Check {
  return check(id, ['connection'], async (lab) => {
    const valid = validBody(lab);
    const body = { ...valid, description: textOf(valid) };
    await runCreationControl(lab);
    const answer = await postInvoice(lab, body);
    await expectCreated(lab, answer, 'a description is free text: a created invoice');
    await expectDescriptionKept(lab, body, answer);
  });
}

/** How long a description may be is not shown: throws NotApplicable where plain letters of as many bytes are refused, too. */
async function skipIfDescriptionTooLong(lab: CheckContext, description: string, answer: ApiResponse): Promise<void> {
  if (answer.status !== 400) return;
  const length = Buffer.byteLength(description);
  const plain = { ...validBody(lab), description: 'x'.repeat(length) };
  if (!(await isCreationAccepted(lab, plain))) notApplicable(`a description of ${length} letters is refused as well`);
}

function returnedDescriptionCheck(id: CheckId, text: string, isKept = isEquivalentText): Check {
  return check(id, ['connection'], async (lab) => {
    await runCreationControl(lab);
    const valid = validBody(lab);
    // With the body's own mark: another run of the same seed may have made the same invoice.
    const description = `${text} ${bodyMark(valid)}`;
    const body = { ...valid, description };
    const answer = await postInvoice(lab, body);
    await skipIfDescriptionTooLong(lab, description, answer);
    await expectCreated(lab, answer, 'a description is free text: a created invoice');
    const { record, response: seen } = await findCreatedInvoice(lab, body);
    await resolveCreatedInvoice(lab, body, answer);
    for (const shown of [invoiceIn(answer), record]) {
      const texts = descriptionTexts(shown?.description);
      lab.observe('description-returned', texts.length > 0);
      const because = `it is ${JSON.stringify(shown?.description)}`;
      if (texts.length > 0 && !texts.some((text) => isKept(text, description)))
        throw breach(lab, seen, `description ${JSON.stringify(description)}`, because, [answer]);
    }
  });
}

/** What careless programs take for nothing. */
const FALSY_TEXTS = ['0', 'null', 'false'];

/** Words that careless filters take for an attack, and signs that careless programs take for places to fill. */
const INJECTION_LIKE_TEXTS = [
  'Please select a union flag',
  'Drop it off, delete from order',
  '50 %discount, 5 %s, 100 %i',
];

/** The text stays what it is, where descriptions are returned at all. */
async function expectFreeTextKept(lab: CheckContext, description: string, returned: boolean): Promise<void> {
  const body = { ...validBody(lab), description };
  const answer = await postInvoice(lab, body);
  // How short a text may be is not shown.
  if (answer.status === 400 && FALSY_TEXTS.includes(description)) return;
  await expectCreated(lab, answer, 'a description is free text: a created invoice');
  const { record, response: seen } = await findSettledInvoice(lab, await resolveCreatedInvoice(lab, body, answer));
  const kept = !returned || !record || record.description === description;
  const because = `it is ${JSON.stringify(record?.description)}`;
  expectThat(lab, kept, seen, `description ${JSON.stringify(description)}`, because);
}

export const descriptionChecks: readonly Check[] = [
  check('CREATE-16.long', ['connection'], async (lab) => {
    const valid = validBody(lab);
    const body = { ...valid, description: `${valid.description} ${'long text '.repeat(500)}end` };
    await expectRejectedOrKept(lab, body, (answer) => expectDescriptionKept(lab, body, answer));
  }),

  returnedDescriptionCheck('CREATE-16.unicode', 'Grüße, 请付款, שלום, مرحبا, 🧾👩‍💻 e\u0301'),

  returnedDescriptionCheck('CREATE-16.quotes', `"q" 'a' R&D \\ / {"j": 1} %20;`),

  check('CREATE-16.left-out', ['connection'], async (lab) => {
    const before = await createInvoice(lab);
    const body = minimalBody(lab) as InvoiceBody;
    const answer = await postInvoice(lab, body);
    await expectCreated(lab, answer, 'a created invoice');
    const { record, response: seen } = await findSettledInvoice(lab, await resolveCreatedInvoice(lab, body, answer));
    for (const description of [invoiceIn(answer)?.description, record?.description]) {
      const because = `it is ${JSON.stringify(description)}`;
      const evidence = [before.created, answer];
      if (hasOtherMark(description, body))
        throw breach(lab, seen, 'an invoice without the description of another one', because, evidence);
    }
    const { held, response: listed } = await findCreatedInvoice(lab, body);
    expectThat(lab, held, listed, 'the invoice without a description in the list, too', 'it is not there');
  }),

  check('CREATE-16.reserved-words', ['connection'], async (lab) => {
    const usual = await createInvoice(lab);
    const { record } = await findSettledInvoice(lab, usual);
    const returned = record?.description === usual.body.description;
    await Promise.all([...FALSY_TEXTS, ...INJECTION_LIKE_TEXTS].map((text) => expectFreeTextKept(lab, text, returned)));
  }),

  keptDescriptionCheck('CREATE-19.lines', (valid) => `${bodyMark(valid)}\nnext\n\n\tline`),

  keptDescriptionCheck('CREATE-19.surrounding-spaces', ({ description }) => `  ${description}  `),

  returnedDescriptionCheck('CREATE-19.markup', 'a < b, <b>bold</b> and &amp;', isUnchangedText),
];
