import { Blocked, NoResponse } from '../../engine/model/outcomes.ts';
import type { ApiResponse } from './responses.ts';

/**
 * The response to an unusual request; null if the server closed the connection or did not respond in time. A firewall may drop such a
 * request. The request needs `mayEndWithoutResponse`.
 */
export async function responseOrNull(send: () => Promise<ApiResponse>): Promise<ApiResponse | null> {
  try {
    return await send();
  } catch (error) {
    const isLate = error instanceof Blocked && String(error.blockedBy).startsWith('limits.requestTimeoutMs');
    if (isLate || error instanceof NoResponse) return null;
    throw error;
  }
}

/** The responses to unusual requests that are sent at once, without those that got none. */
export async function responsesOf(sends: readonly (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  const responses = await Promise.all(sends.map(responseOrNull));
  return responses.filter((response) => response !== null);
}
