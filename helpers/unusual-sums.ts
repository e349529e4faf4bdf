/** Where less than this asks for no approval, nobody has been asked. */
export const SMALL_SUMS = ['0.50', '1.00', '9.99'] as const;

/** Below what some look at. */
export const LITTLE_SUM = '4.90';

/** Where as much as this asks for another approval, a server says so by a code of its own. */
export const LARGE_SUM = '150000.00';
