/** The reference has no quota: "rate-limit quota numbers, the window: not shown". */
export function throttle(): void {}
