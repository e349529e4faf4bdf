import { INVOICES_PATH } from './operations.ts';

/** What routers take for the invoices, and guards that compare texts do not. None of these is declared. */
export const UNDECLARED_PATHS = [
  `${INVOICES_PATH}/`,
  `/${INVOICES_PATH}`,
  INVOICES_PATH.toUpperCase(),
  `${INVOICES_PATH}.json`,
  `${INVOICES_PATH};a=b`,
  `${INVOICES_PATH}//`,
] as const;
