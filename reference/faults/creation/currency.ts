import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Body } from '../../service/call.ts';
import type { Fault } from '../fault.ts';
import { creationFault, rewriteBodyField } from '../support/creation.ts';
import { changeRenderedInvoice, type JsonObject } from '../support/records.ts';
import { changeItems } from '../support/response-filters.ts';

/** Changes the stored amount when an invoice in one of the currencies reaches the state. */
function changeOnTransition(
  state: string,
  currencies: readonly string[],
  change: (amount: string) => string,
): RuleChange {
  return overrideRules((base) => ({
    changeInvoice: (call, invoice, next, input) => {
      base.changeInvoice(call, invoice, next, input);
      if (next === state && currencies.includes(invoice.currency)) invoice.amount = change(invoice.amount);
    },
  }));
}

const isOneOf = (currency: unknown, ...all: readonly string[]) => all.some((each) => each === currency);

const withDigits = (record: JsonObject, digits: number) => ({
  ...record,
  amount: Number(record.amount).toFixed(digits),
});

export const creationCurrencyFaults: readonly Fault[] = [
  creationFault(
    'cuts-currency',
    'CREATE-08.generated',
    'A currency longer than its column is truncated to three letters.',
    rewriteBodyField('currency', (currency) => (currency.length > 4 ? currency.slice(0, 3) : currency)),
  ),
  {
    id: 'rec-currency-empty',
    requirement: 'CREATE-22',
    defect: 'An empty currency is stored unchanged, because only non-empty values are validated.',
    caughtBy: ['CREATE-22.empty'],
    alsoRun: ['REC-05.currency'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        if (call.body.currency !== '') return base.validateCreate(call);
        const { currency: _, ...body } = call.body;
        return { ...base.validateCreate({ ...call, body }), currency: '' };
      },
    })),
  },
  {
    id: 'created-yen-rounded-by-approval',
    requirement: 'CREATE-15',
    defect: 'The approval converts the amount to minor units of its currency and back: yen and won lose their cents.',
    caughtBy: ['CREATE-15.currency-lifecycle'],
    rules: changeOnTransition('APPROVED', ['JPY', 'KRW'], (amount) => `${Math.round(Number(amount))}.00`),
  },
  {
    id: 'created-krona-hundredfold-by-submission',
    requirement: 'CREATE-15',
    defect: 'The submission takes the cents of currencies without minor units for whole units.',
    caughtBy: ['CREATE-15.currency-lifecycle'],
    rules: changeOnTransition('SUBMITTED', ['ISK', 'UGX', 'CLP'], (amount) => (Number(amount) * 100).toFixed(2)),
  },
  {
    id: 'created-dinar-tenth-by-settlement',
    requirement: 'CREATE-15',
    defect: 'The ledger books thousandths and divides them by 100 for the paid invoice.',
    caughtBy: ['CREATE-15.currency-lifecycle'],
    rules: changeOnTransition('SETTLED', ['KWD', 'BHD', 'TND'], (amount) => (Number(amount) * 10).toFixed(2)),
  },
  {
    id: 'created-dinar-three-digits-in-list',
    requirement: 'CREATE-15',
    defect: 'The list formats amounts with the fraction digits of ISO 4217: three for dinars.',
    caughtBy: ['CREATE-15.other-currencies'],
    alsoRun: ['REC-04.amount'],
    rewrite: changeItems((record) =>
      isOneOf(record.currency, 'KWD', 'BHD', 'TND', 'OMR') ? withDigits(record, 3) : record,
    ),
  },
  {
    id: 'created-forint-without-cents',
    requirement: 'CREATE-15',
    defect: 'Forints are stored in whole units, as at the payment provider.',
    caughtBy: ['CREATE-15.other-currencies'],
    rules: changeRenderedInvoice((record) =>
      record.currency === 'HUF' ? { amount: `${Math.trunc(Number(record.amount))}.00` } : {},
    ),
  },
  {
    id: 'created-franc-rounded-to-coins',
    requirement: 'CREATE-15',
    defect: 'Francs are rounded to five centimes.',
    caughtBy: ['CREATE-15.other-currencies'],
    rules: changeRenderedInvoice((record) =>
      record.currency === 'CHF' ? { amount: (Math.round(Number(record.amount) * 20) / 20).toFixed(2) } : {},
    ),
  },
  {
    id: 'created-yen-hundredfold-in-replay',
    requirement: 'CREATE-15',
    defect: 'A replay renders the stored minor units without the exponent of the currency.',
    caughtBy: ['CREATE-15.currency-lifecycle'],
    rules: overrideRules((base) => ({
      replay: async (call, key, perform) => {
        let isOriginal = false;
        const response = await base.replay(call, key, () => {
          isOriginal = true;
          return perform();
        });
        const { body } = response as { body?: Body };
        if (isOriginal || !body || body.currency !== 'JPY') return response;
        return { ...response, body: { ...body, amount: (Number(body.amount) * 100).toFixed(2) } };
      },
    })),
  },
];
