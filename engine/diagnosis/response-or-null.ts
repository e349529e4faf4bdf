import type { Client } from '../http/client.ts';
import type { ApiRequest, ApiResponse } from '../model/messages.ts';
import { Blocked, NoAnswer } from '../model/outcomes.ts';

/** The answer to a request that is no check's; null where none can be had, which is told elsewhere. */
export async function answerOrNull(client: Pick<Client, 'send'>, ask: ApiRequest): Promise<ApiResponse | null> {
  try {
    return await client.send(ask, null);
  } catch (error) {
    if (error instanceof Blocked || error instanceof NoAnswer) return null;
    throw error;
  }
}
