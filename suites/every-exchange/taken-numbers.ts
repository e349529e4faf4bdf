import { bodyMember, describeResponse, isSuccess } from '../../helpers/rules/response-parts.ts';
import { anyResponse, type BreachCase, type ExchangeRule } from '../../helpers/rules/rule-vocabulary.ts';

/** A few conflicts may come from creations at the same moment. */
const MIN_CONFLICTS = 10;
const MAX_SHARE = 0.3;

/** A caller cannot choose another number, so a server that keeps returning INV003 does not assign unique numbers. */
const takenNumberRule: ExchangeRule = {
  id: 'ERR-10.number-taken',
  whenNeverApplicable: 'not-applicable',
  appliesTo: anyResponse,
  start: () => {
    let created = 0;
    let conflicts = 0;
    const cases: BreachCase[] = [];
    return {
      evaluate: (response) => {
        if (response.request.operation !== 'create') return null;
        if (isSuccess(response)) created += 1;
        else if (response.status !== 409 || bodyMember(response, 'code') !== 'INV003') return null;
        else {
          conflicts += 1;
          if (cases.length === 0)
            cases.push({
              exchange: response.exchange,
              finding: {
                reason: '',
                expected:
                  'an unused number for each new invoice, because the platform assigns it (Invoice, row invoiceNumber; Errors, Module codes: INV003 means an existing number)',
                actual: describeResponse(response),
              },
            });
        }
        return 'kept';
      },
      atEnd: () => {
        if (conflicts < MIN_CONFLICTS || conflicts < MAX_SHARE * (created + conflicts)) return [];
        const reason = `${conflicts} of ${created + conflicts} creations without an invoiceNumber were rejected with INV003, which the caller cannot avoid`;
        return cases.map(({ exchange, finding }) => ({ exchange, finding: { ...finding, reason } }));
      },
    };
  },
};

/** Exchange rules for invoice numbers that the platform assigns. */
export const takenNumberRules: readonly ExchangeRule[] = [takenNumberRule];
