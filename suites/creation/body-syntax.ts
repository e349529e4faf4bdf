import { postInvoice } from '../../helpers/api/operations.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { invalidBodyTextCheck } from '../../helpers/creation/field-checks.ts';
import { expectCreationRejected } from '../../helpers/creation/rejected-creation.ts';
import { type InvoiceBody, validBody } from '../../helpers/data/invoice-body.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';

export const bodySyntaxChecks: readonly Check[] = [
  invalidBodyTextCheck('CREATE-10.malformed', () => '{"sellerId": oops'),

  invalidBodyTextCheck('CREATE-10.truncated', (text) => text.slice(0, -1)),

  invalidBodyTextCheck('CREATE-10.trailing', (text) => `${text} and more`),

  check('CREATE-10.json5-syntax', ['connection'], async (ctx) => {
    // Syntax that JSON5 allows and JSON does not.
    const defective = [
      (text: string) => text.replace(/\}$/, ',}'),
      (text: string) => text.replace('{', '{ // conformance\n'),
      (text: string) => text.replace('{"', "{'").replace('":', "':"),
      (text: string) => text.replace('"sellerId"', 'sellerId'),
      (text: string) => text.replaceAll('"', "'"),
    ];
    for (const each of defective) {
      const addDefect = (valid: InvoiceBody) => each(JSON.stringify(valid));
      await expectCreationRejected(ctx, { addDefect, statuses: [400] });
    }
  }),

  invalidBodyTextCheck('CREATE-10.array', (text) => `[${text}]`),

  invalidBodyTextCheck('CREATE-10.string', () => '"conformance"'),

  invalidBodyTextCheck('CREATE-10.null', () => 'null'),

  check('CREATE-10.empty', ['connection'], async (ctx) => {
    await runCreationControl(ctx);
    const response = await postInvoice(ctx, '');
    expectRejected(ctx, response, [400]);
  }),

  check('CREATE-18.charset', ['connection'], async (ctx) => {
    const body = validBody(ctx);
    const response = await postInvoice(ctx, body, { headers: [['Content-Type', 'application/json; charset=utf-8']] });
    await expectCreated(
      ctx,
      response,
      'a created invoice for a body with Content-Type application/json; charset=utf-8',
    );
    await resolveCreatedInvoice(ctx, body, response);
  }),
];
