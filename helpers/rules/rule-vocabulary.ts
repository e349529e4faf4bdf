import {
  type BreachCase,
  type ExchangeRule,
  type Finding,
  type Ruling,
  ruling,
  statelessRule,
} from '../../engine/judges/exchange-rule.ts';
import { environmentOf } from '../../engine/judges/request-environment.ts';
import {
  anyResponse,
  hasBody,
  hasCode,
  isBadRequest,
  isError,
  isList,
  isUnauthorized,
  showsInvoices,
} from '../../engine/judges/response-filters.ts';

// Suites import no engine module; this module re-exports the functions for exchange rules.
export {
  anyResponse,
  type BreachCase,
  type ExchangeRule,
  environmentOf,
  type Finding,
  hasBody,
  hasCode,
  isBadRequest,
  isError,
  isList,
  isUnauthorized,
  type Ruling,
  ruling,
  showsInvoices,
  statelessRule,
};
