/** "The same body and no distinguishing code": the reason is deliberately not looked at. */
export function unauthorizedBody(): unknown {
  return { error: 'Unauthorized', message: 'Invalid API key or secret' };
}
