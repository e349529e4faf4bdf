import { postInvoice } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import { invalidFieldCheck, invalidValuesCheck } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { defaultCurrency, expectFieldPreserved } from '../../helpers/fixtures/created-invoice.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';

export const currencyChecks: readonly Check[] = [
  generatedRejectionCheck('CREATE-08.generated', families.malformedCurrencies),

  invalidFieldCheck('CREATE-08.four-letters', 'currency', 'EURO'),

  invalidValuesCheck('CREATE-08.digits', 'currency', () => ['978', 'E1R', 'EU1']),

  invalidValuesCheck('CREATE-08.symbol', 'currency', () => ['€', '€€€', 'E$R']),

  invalidFieldCheck('CREATE-08.two-letters', 'currency', 'EU'),

  check('CREATE-09.lower-case', ['connection'], async (lab) => {
    const currency = await defaultCurrency(lab);
    const small = currency.toLowerCase();
    for (const written of [small, `${currency.charAt(0)}${small.slice(1)}`]) {
      const body = { ...validBody(lab), currency: written };
      const answer = await postInvoice(lab, body);
      if (isSuccess(answer))
        await expectFieldPreserved(lab, await resolveCreatedInvoice(lab, body, answer), 'currency', currency);
      else expectThat(lab, answer.status === 400, answer, 'a refusal with 400', `answered with ${answer.status}`);
    }
  }),

  check('CREATE-22.empty', ['connection'], async (lab) => {
    const body = { ...validBody(lab), currency: '' };
    const answer = await postInvoice(lab, body);
    if (!isSuccess(answer)) return expectRejected(lab, answer, [400]);
    const { record, response: seen } = await findSettledInvoice(lab, await resolveCreatedInvoice(lab, body, answer));
    const coded = !record || /^[A-Z]{3}$/.test(String(record.currency));
    expectThat(lab, coded, seen, 'a currency of three upper-case letters', `it is ${JSON.stringify(record?.currency)}`);
  }),
];
