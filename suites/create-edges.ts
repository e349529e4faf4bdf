import type { Extra } from '../helpers/api/operations.ts';
import { postInvoice } from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import type { Answer } from '../helpers/api/responses.ts';
import { excerpt, invoiceIn } from '../helpers/api/responses.ts';
import { breach, expectThat } from '../helpers/assert/expect.ts';
import type { Check } from '../helpers/check.ts';
import { check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { markOf } from '../helpers/context/run-mark.ts';
import { creationWorks } from '../helpers/controls/controls.ts';
import { expectCreationRefused, expectNoneCreatedSince } from '../helpers/creation/rejected-creation.ts';
import type { InvoiceBody } from '../helpers/data/invoice-body.ts';
import { unmarkedSum, validBody } from '../helpers/data/invoice-body.ts';
import { expectCreated, expectKept } from '../helpers/fixtures/created-invoice.ts';
import { findOf } from '../helpers/invoices/find-invoice.ts';
import { invoiceOf } from '../helpers/invoices/invoices.ts';
import type { CheckId, ObservationId } from '../specs/generated/ids.ts';

const DEEP = 2000;

/** The valid body as text, with the value of one field written as given. */
function written(field: keyof InvoiceBody, value: string): (valid: InvoiceBody) => string {
  return (valid) => JSON.stringify({ ...valid, [field]: 'TO BE REPLACED' }).replace('"TO BE REPLACED"', value);
}

function refusedText(id: CheckId, field: keyof InvoiceBody, value: string): Check {
  return check(id, ['connection'], (lab) =>
    expectCreationRefused(lab, { spoil: written(field, value), defect: field, statuses: [400] }),
  );
}

/** What may be refused, but neither breaks the server nor comes back as something else. */
async function refusedOrKept(
  lab: Lab,
  body: InvoiceBody,
  keep: (answer: Answer) => Promise<void>,
): Promise<{ status: number }> {
  await creationWorks(lab);
  const answer = await postInvoice(lab, body);
  if (accepted(answer)) await keep(answer);
  else
    expectThat(lab, answer.status < 500, answer, 'accepted, or refused as invalid', `answered with ${answer.status}`);
  return answer;
}

/** A description comes back as it was sent wherever it is returned at all. */
async function expectDescriptionKept(lab: Lab, body: InvoiceBody, created: Answer): Promise<void> {
  await invoiceOf(lab, body, created);
  const { record, answer } = await findOf(lab, body);
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

function keptText(id: CheckId, textOf: (valid: InvoiceBody) => string): Check {
  return check(id, ['connection'], async (lab) => {
    const valid = validBody(lab);
    const body = { ...valid, description: textOf(valid) };
    await creationWorks(lab);
    const answer = await postInvoice(lab, body);
    await expectCreated(lab, answer, 'a description is free text: a created invoice');
    await expectDescriptionKept(lab, body, answer);
  });
}

/** Amounts whose form the contract does not show: refused, or kept by their value. */
function keptByValue(id: CheckId, observed: ObservationId | null, amounts: readonly string[]): Check {
  return check(id, ['connection'], async (lab) => {
    for (const amount of amounts) {
      const body = { ...validBody(lab), amount };
      const { status } = await refusedOrKept(lab, body, async (answer) => {
        await invoiceOf(lab, body, answer);
        const shown = invoiceIn(answer)?.amount ?? amount;
        const because = `it is ${JSON.stringify(shown)}`;
        expectThat(lab, Number(shown) === Number(amount), answer, `an amount worth ${amount}`, because);
      });
      if (observed) lab.observe(observed, `${amount}: ${status}`);
    }
  });
}

/** Bodies of which the contract says nothing, each with the observation that records what becomes of them. */
const unusualBodies: readonly [
  observed: ObservationId | null,
  what: string,
  of: (valid: InvoiceBody) => unknown,
  extra: Extra,
][] = [
  ['content-type-handling', 'text/plain', (valid) => valid, { headers: [['Content-Type', 'text/plain']] }],
  ['content-type-handling', 'none', (valid) => valid, { untyped: true }],
  ['duplicate-member', 'currency twice', (valid) => JSON.stringify(valid).replace('{', '{"description":"first",'), {}],
  ['null-optional', 'description', (valid) => ({ ...valid, description: null }), {}],
  ['null-optional', 'currency', (valid) => ({ ...valid, currency: null }), {}],
  ['null-optional', 'requestId', (valid) => ({ ...valid, requestId: null }), {}],
  ['odd-characters', 'lone surrogate', written('description', '"\\ud83d conformance"'), {}],
  ['odd-characters', 'NUL', written('description', '"\\u0000 conformance"'), {}],
  [null, 'an amount of forty digits', (valid) => ({ ...valid, amount: `${'9'.repeat(40)}.00` }), {}],
  ['odd-characters', 'empty description', (valid) => ({ ...valid, description: '' }), {}],
];

export const createEdges: readonly Check[] = [
  refusedText('CREATE-03.huge-number', 'amount', '1e400'),
  refusedText('CREATE-05.description-huge-number', 'description', '9'.repeat(400)),

  check('CREATE-01.deep', ['connection'], (lab) =>
    expectCreationRefused(lab, {
      spoil: (valid) =>
        JSON.stringify({ ...valid, conformanceProbe: 0 }).replace(
          '"conformanceProbe":0',
          `"conformanceProbe":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
        ),
      // The contract shows no limit for the length of a body.
      statuses: [400, 413],
    }),
  ),

  check('CREATE-16.long', ['connection'], async (lab) => {
    const valid = validBody(lab);
    const body = { ...valid, description: `${valid.description} ${'long text '.repeat(500)}end` };
    await refusedOrKept(lab, body, (answer) => expectDescriptionKept(lab, body, answer));
  }),

  keptText('CREATE-19.lines', (valid) => `${markOf(valid)}\nnext\n\n\tline`),
  keptText('CREATE-19.outer-blanks', ({ description }) => `  ${description}  `),

  check('CREATE-15.smallest', ['connection'], async (lab) => {
    const body = { ...validBody(lab), amount: '0.01' };
    await refusedOrKept(lab, body, async (answer) =>
      expectKept(lab, await invoiceOf(lab, body, answer), 'amount', body.amount),
    );
  }),
  keptByValue('CREATE-15.zero', 'zero-amount', ['0.00']),
  // Whether it is refused is CREATE-04's affair.
  keptByValue('CREATE-15.negative', null, ['-25.00']),
  keptByValue('CREATE-15.short-forms', 'amount-without-fraction', ['25', '25.5']),

  check('CREATE-18.charset', ['connection'], async (lab) => {
    const body = validBody(lab);
    const answer = await postInvoice(lab, body, { headers: [['Content-Type', 'application/json; charset=utf-8']] });
    await expectCreated(lab, answer, 'a body declared as application/json with its charset');
    await invoiceOf(lab, body, answer);
  }),

  check('ERR-05.unusual-bodies', ['connection'], async (lab) => {
    for (const [observed, what, of, extra] of unusualBodies) {
      const valid = { ...validBody(lab), amount: unmarkedSum(lab) };
      const answer = await postInvoice(lab, of(valid), extra);
      if (observed) lab.observe(observed, `${what}: ${answer.status}`);
      if (accepted(answer)) await invoiceOf(lab, valid, answer);
      expectThat(lab, answer.status < 500, answer, 'accepted, or refused', `${what} is answered with ${answer.status}`);
    }
  }),

  // The later the better: a queue may still hold what was refused.
  checkIn('late', 'CREATE-01.no-late-effect', ['connection'], (lab) => expectNoneCreatedSince(lab)),
];
