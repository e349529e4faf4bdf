import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { isObject, type JsonObject, listItems } from '../../engine/records/find-invoice-record.ts';
import { blockedBy } from './not-judged.ts';

/** An answer to listing of which the records can be read. Throws Blocked otherwise. */
export function blockUnlessHasItems(answer: ApiResponse): ApiResponse {
  if (isObject(answer.json) && Array.isArray(answer.json.items)) return answer;
  return blockedBy('LIST-01.items', `the list has no items: ${answer.requestLine} gets ${describeResponse(answer)}`);
}

/** The records of a list. Throws Blocked where there are none to be read. */
export function readListItems(answer: ApiResponse): JsonObject[] {
  return listItems(blockUnlessHasItems(answer));
}
