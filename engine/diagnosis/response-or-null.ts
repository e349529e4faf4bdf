import type { Client } from '../http/client.ts';
import type { ApiRequest, ApiResponse } from '../model/messages.ts';
import { Blocked, NoResponse } from '../model/outcomes.ts';

/** The answer to a request that is no check's; null where none can be had, which is told elsewhere. */
export async function responseOrNull(client: Pick<Client, 'send'>, ask: ApiRequest): Promise<ApiResponse | null> {
  try {
    return await client.send(ask, null);
  } catch (error) {
    if (error instanceof Blocked || error instanceof NoResponse) return null;
    throw error;
  }
}
