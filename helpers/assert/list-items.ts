import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { isObject, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { blockedBy } from './not-judged.ts';

/** An answer to listing of which the records can be read. Throws Blocked otherwise. */
export function blockUnlessHasItems(response: ApiResponse): ApiResponse {
  if (isObject(response.json) && Array.isArray(response.json.items)) return response;
  return blockedBy(
    'LIST-01.items',
    `the list has no items: ${response.requestLine} gets ${describeResponse(response)}`,
  );
}

/** The records of a list. Throws Blocked where there are none to be read. */
export function readListItems(response: ApiResponse): JsonObject[] {
  return listItems(blockUnlessHasItems(response));
}
