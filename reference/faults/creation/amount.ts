import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { crashOnBody, creationFault, rewriteBodyField } from '../support/creation.ts';
import { changeRenderedInvoice } from '../support/records.ts';

/** Accepts larger amounts than the reference service, and stores them wrongly. */
function acceptingLarge(stored: (amount: string) => string): RuleChange {
  return overrideRules((base) => ({
    validateCreate: (call) => {
      const { amount } = call.body;
      if (typeof amount !== 'string' || !/^\d{14}\.\d\d$/.test(amount)) return base.validateCreate(call);
      const rest = base.validateCreate({ ...call, body: { ...call.body, amount: '1.00' } });
      return { ...rest, amount: stored(amount) };
    },
  }));
}

export const creationAmountFaults: readonly Fault[] = [
  {
    id: 'create-rejected-leaves-row',
    requirement: 'CREATE-03',
    defect:
      'A creation that is rejected because of its amount stores an empty row, which the total of the list counts.',
    caughtBy: ['CREATE-03.total-unchanged'],
    rules: overrideRules((base) => {
      const rows = new Map<string, number>();
      return {
        validateCreate: (call) => {
          try {
            return base.validateCreate(call);
          } catch (refusal) {
            rows.set(call.organizationId, (rows.get(call.organizationId) ?? 0) + 1);
            throw refusal;
          }
        },
        page: (call, invoices, query) => {
          const page = base.page(call, invoices, query);
          const total = page.total + (rows.get(call.organizationId) ?? 0);
          return { ...page, total, totalPages: Math.ceil(total / page.limit) };
        },
      };
    }),
  },
  creationFault(
    'huge-number-breaks',
    'CREATE-03.huge-number',
    'A number beyond the range of doubles makes the mapper throw: 500.',
    crashOnBody((text) => text.includes('1e400')),
  ),
  creationFault(
    'strips-symbols',
    'CREATE-03.generated',
    'Currency symbols and other decoration are removed from an amount before it is parsed.',
    rewriteBodyField('amount', (amount) => amount.replaceAll(/[$€%#]/g, '')),
  ),
  creationFault(
    'rounds-to-five-cents',
    'CREATE-15.smallest',
    'Amounts are rounded to five cents, as cash amounts in some countries.',
    rewriteBodyField('amount', (amount) => (amount === '0.01' ? '0.05' : amount)),
  ),
  creationFault(
    'zero-becomes-one',
    'CREATE-15.zero',
    'An amount of zero becomes the smallest amount.',
    rewriteBodyField('amount', (amount) => (amount === '0.00' ? '0.01' : amount)),
  ),
  creationFault(
    'pads-fraction-left',
    'CREATE-15.short-forms',
    'A fraction of one digit is padded on the wrong side: 25.5 becomes 25.05.',
    rewriteBodyField('amount', (amount) => amount.replace(/\.(\d)$/, '.0$1')),
  ),
  creationFault(
    'groups-thousands',
    'CREATE-15.thousands',
    'An amount of four digits or more is parsed only up to the place of its thousands separator.',
    rewriteBodyField('amount', (amount) => amount.replace(/^(\d)\d{3}\./, '$1.')),
  ),
  creationFault(
    'breaks-on-blank-amount',
    'CREATE-03.blank',
    'An amount is parsed before it is trimmed, and a blank makes the parser throw.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        if (typeof call.body.amount === 'string' && /^\s+$/.test(call.body.amount)) throw rejections.internal();
        return base.validateCreate(call);
      },
    })),
  ),
  creationFault(
    'keeps-amounts-as-floats',
    'CREATE-15.thousands',
    'Amounts are 32-bit floats: from some 100,000 on, their cents change.',
    rewriteBodyField('amount', (text) => (/^\d+\.\d\d$/.test(text) ? Math.fround(Number(text)).toFixed(2) : text)),
  ),
  creationFault(
    'writes-exponents',
    'CREATE-15.thousands',
    'Amounts are numbers, which are written with an exponent from ten million.',
    overrideRules((base) => ({
      renderInvoice: (invoice) => {
        const { amount } = invoice;
        const shown = amount.length > 10 ? Number(amount).toExponential().replace('e+', 'E') : amount;
        return { ...base.renderInvoice(invoice), amount: shown };
      },
    })),
  ),
  creationFault(
    'loses-sign',
    'CREATE-15.negative',
    'The pattern that extracts the amount from the text omits its sign.',
    rewriteBodyField('amount', (text) => text.replace(/^-/, '')),
  ),
  creationFault(
    'accepts-minus-zero',
    'CREATE-04.negative',
    'The sign is read from the integer part, and -0 is not below zero.',
    rewriteBodyField('amount', (text) => text.replace(/^-0\./, '0.')),
  ),
  creationFault(
    'rounds-before-the-sign',
    'CREATE-04.negative',
    'A float is rounded before its sign is checked, so a few cents below zero become zero.',
    rewriteBodyField('amount', (text) => text.replace(/^-0\.0[0-4]$/, '1.00')),
  ),
  {
    id: 'created-amount-truncated-cents',
    requirement: 'CREATE-15',
    defect: 'Cents are computed as a float times 100, rounded down: 0.29 becomes 0.28.',
    caughtBy: ['CREATE-15.cents'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => {
        const cents = Math.floor(Number(input.amount) * 100);
        return base.issueInvoice(call, { ...input, amount: (cents / 100).toFixed(2) }, number);
      },
    })),
  },
  {
    id: 'created-amount-as-double',
    requirement: 'CREATE-15',
    defect: 'Amounts are doubles: beyond 2^53 cents, their digits change.',
    caughtBy: ['CREATE-15.large'],
    rules: acceptingLarge((amount) => Number(amount).toFixed(2)),
  },
  {
    id: 'created-large-amount-crashes',
    requirement: 'CREATE-15',
    defect: 'An amount that exceeds the column causes an internal error.',
    caughtBy: ['CREATE-15.large', 'ERR-05.no-internal-error'],
    rules: acceptingLarge(() => {
      throw new RangeError('numeric field overflow');
    }),
  },
  {
    id: 'created-yen-without-fraction',
    requirement: 'CREATE-15',
    defect: 'Amounts have the usual fraction digits of their currency: none for yen.',
    caughtBy: ['CREATE-15.other-currencies'],
    rules: changeRenderedInvoice(({ amount, currency }) => ({
      amount: currency === 'JPY' ? String(amount).replace(/\.00$/, '') : amount,
    })),
  },
];
