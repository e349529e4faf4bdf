import type { ExchangeRule } from '../../helpers/rules/rule-vocabulary.ts';
import { errorBodyRules } from './error-bodies.ts';
import { finalStateRules } from './final-states.ts';
import { invoiceFieldRules } from './invoice-fields.ts';
import { leakedSecretRules } from './leaked-secrets.ts';
import { listEnvelopeRules } from './list-envelope.ts';
import { rateLimitRules } from './rate-limits.ts';
import { takenNumberRules } from './taken-numbers.ts';
import { unauthorizedBodyRules } from './unauthorized-bodies.ts';
import { uniqueInvoiceNumberRules } from './unique-invoice-numbers.ts';

/** The rules of each file, by its path below suites/. */
export const ruleFiles: Readonly<Record<string, readonly ExchangeRule[]>> = {
  'every-exchange/invoice-fields': invoiceFieldRules,
  'every-exchange/final-states': finalStateRules,
  'every-exchange/unique-invoice-numbers': uniqueInvoiceNumberRules,
  'every-exchange/list-envelope': listEnvelopeRules,
  'every-exchange/unauthorized-bodies': unauthorizedBodyRules,
  'every-exchange/leaked-secrets': leakedSecretRules,
  'every-exchange/error-bodies': errorBodyRules,
  'every-exchange/rate-limits': rateLimitRules,
  'every-exchange/taken-numbers': takenNumberRules,
};

/** The rules that are judged on every exchange of a run. */
export const allRules: readonly ExchangeRule[] = Object.values(ruleFiles).flat();
