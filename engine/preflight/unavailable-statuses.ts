/** The statuses of a gateway without a service behind it, and of a service that accepts no request for now. */
export const UNAVAILABLE_STATUSES: ReadonlySet<number | null> = new Set([429, 502, 503, 504]);
