import { bodyMember, describeResponse, isSuccess } from '../../helpers/rules/response-parts.ts';
import { anyResponse, type BreachCase, type ExchangeRule } from '../../helpers/rules/rule-vocabulary.ts';

/** Only creations that the kit sent alone are counted: others may meet each other. A few may meet those of other clients. */
const MIN_CONFLICTS = 6;
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
        const { operation, isOnlyCreation } = response.request;
        const isConflict = response.status === 409 && bodyMember(response, 'code') === 'INV003';
        if (operation !== 'create' || !(isConflict || isSuccess(response))) return null;
        if (!isOnlyCreation) return 'kept';
        if (isSuccess(response)) created += 1;
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
        const reason = `${conflicts} of ${created + conflicts} creations without an invoiceNumber were rejected with INV003 while the kit had no other creation in flight, so the caller cannot avoid it`;
        return cases.map(({ exchange, finding }) => ({ exchange, finding: { ...finding, reason } }));
      },
    };
  },
};

/** Exchange rules for invoice numbers that the platform assigns. */
export const takenNumberRules: readonly ExchangeRule[] = [takenNumberRule];
