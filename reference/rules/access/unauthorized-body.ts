/** "The same body and no distinguishing code": ignores the reason on purpose. */
export function unauthorizedBody(): unknown {
  return { error: 'Unauthorized', message: 'Invalid API key or secret' };
}
