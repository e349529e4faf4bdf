import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { creationFault, rewriteBodyField } from '../support/creation.ts';

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
];
