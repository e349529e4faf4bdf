const DAY_MS = 86_400_000;
const PAST_DAYS = 40;
const FAR_DAYS = 400;

const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** A day that is over; whether an invoice may be due on one is not shown. */
export const longAgo = () => dayFromNow(-PAST_DAYS);

/** Later than anybody is given to pay. */
export const farAhead = () => dayFromNow(FAR_DAYS);
