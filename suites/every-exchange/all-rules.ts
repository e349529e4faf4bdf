import type { ExchangeRule } from '../../helpers/rules/exchange-rule.ts';
import { errorBodyRules } from './error-bodies.ts';
import { invoiceFieldRules } from './invoice-fields.ts';
import { leakedSecretRules } from './leaked-secrets.ts';
import { listEnvelopeRules } from './list-envelope.ts';
import { unauthorizedBodyRules } from './unauthorized-bodies.ts';

/** The rules that are judged on every exchange of a run. */
export const allRules: readonly ExchangeRule[] = [
  ...invoiceFieldRules,
  ...listEnvelopeRules,
  ...unauthorizedBodyRules,
  ...leakedSecretRules,
  ...errorBodyRules,
];
