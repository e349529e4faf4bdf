import { postInvoice } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { placeOf } from '../../helpers/assert/expectations.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { invalidFieldCheck, invalidValuesCheck } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { defaultCurrency, expectFieldsPreserved } from '../../helpers/fixtures/created-invoice.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';

export const currencyChecks: readonly Check[] = [
  generatedRejectionCheck('CREATE-08.generated', families.malformedCurrencies),

  invalidFieldCheck('CREATE-08.four-letters', 'currency', 'EURO'),

  invalidValuesCheck('CREATE-08.digits', 'currency', () => ['978', 'E1R', 'EU1']),

  invalidValuesCheck('CREATE-08.symbol', 'currency', () => ['€', '€€€', 'E$R']),

  invalidFieldCheck('CREATE-08.two-letters', 'currency', 'EU'),

  check('CREATE-09.lower-case', ['connection'], async (ctx) => {
    const currency = await defaultCurrency(ctx);
    const small = currency.toLowerCase();
    for (const written of [small, `${currency.charAt(0)}${small.slice(1)}`]) {
      const body = { ...validBody(ctx), currency: written };
      const response = await postInvoice(ctx, body);
      if (isSuccess(response))
        await expectFieldsPreserved(ctx, await resolveCreatedInvoice(ctx, body, response), { currency });
      else
        expectThat(
          ctx,
          response.status === 400,
          response,
          'an accepted creation, or a rejection with 400',
          `the server returned ${response.status}`,
          { status: [400] },
        );
    }
  }),

  check('CREATE-22.empty', ['connection'], async (ctx) => {
    const body = { ...validBody(ctx), currency: '' };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response)) return expectRejected(ctx, response, [400]);
    const { record, response: seen } = await findSettledInvoice(ctx, await resolveCreatedInvoice(ctx, body, response));
    const coded = !record || /^[A-Z]{3}$/.test(String(record.currency));
    expectThat(
      ctx,
      coded,
      seen,
      'a currency of three upper-case letters',
      `the currency is ${JSON.stringify(record?.currency)}`,
      {
        body: '$status >= 400 or (first(.. | objects | select(has("currency"))).currency | test("^[A-Z]{3}$"))',
        fields: placeOf(seen, record ?? undefined, 'currency'),
      },
    );
  }),
];
