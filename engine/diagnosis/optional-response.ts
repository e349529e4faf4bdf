import type { Client } from '../http/client.ts';
import type { ApiRequest, ApiResponse } from '../model/messages.ts';
import { Blocked, NoResponse } from '../model/outcomes.ts';

/** The response to a request outside of checks; null if there is none, which is reported elsewhere. */
export async function responseOrNull(client: Pick<Client, 'send'>, ask: ApiRequest): Promise<ApiResponse | null> {
  try {
    return await client.send(ask, null);
  } catch (error) {
    if (error instanceof Blocked || error instanceof NoResponse) return null;
    throw error;
  }
}
