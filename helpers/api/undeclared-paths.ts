import { INVOICES } from './operations.ts';

/** What routers take for the invoices, and guards that compare texts do not. None of these is declared. */
export const OTHER_PATHS = [
  `${INVOICES}/`,
  `/${INVOICES}`,
  INVOICES.toUpperCase(),
  `${INVOICES}.json`,
  `${INVOICES};a=b`,
  `${INVOICES}//`,
] as const;
