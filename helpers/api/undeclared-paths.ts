import { INVOICES_PATH } from './operations.ts';

/**
 * Paths that a router may treat as the invoices, while a guard that compares texts does not. The contract declares
 * none of them.
 */
export const UNDECLARED_PATHS = [
  `${INVOICES_PATH}/`,
  `/${INVOICES_PATH}`,
  INVOICES_PATH.toUpperCase(),
  `${INVOICES_PATH}.json`,
  `${INVOICES_PATH};a=b`,
  `${INVOICES_PATH}//`,
] as const;
