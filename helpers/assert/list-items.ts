import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { isObject, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { blockedBy } from './not-judged.ts';

/** Returns a list response that has `items`. Throws Blocked otherwise. */
export function blockUnlessHasItems(response: ApiResponse): ApiResponse {
  if (isObject(response.json) && Array.isArray(response.json.items)) return response;
  return blockedBy(
    'LIST-01.items',
    `the list has no items: ${response.requestLine} returned ${describeResponse(response)}`,
  );
}

/** The records of a list. Throws Blocked if the response has no `items`. */
export function readListItems(response: ApiResponse): JsonObject[] {
  return listItems(blockUnlessHasItems(response));
}
