import { decodedText } from '../../engine/records/decoded-text.ts';

/** A shorter id can occur in a timestamp or another id by chance. */
const MIN_DISTINCTIVE_LENGTH = 12;

/** Whether a text contains an id. A short id counts only as a complete JSON value. */
export function mentionsId(text: string, id: string): boolean {
  return decodedText(text).includes(id.length < MIN_DISTINCTIVE_LENGTH ? JSON.stringify(id) : id);
}
