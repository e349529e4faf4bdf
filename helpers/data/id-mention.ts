/** Long enough not to stand in a timestamp or in another id by chance. */
const MIN_DISTINCTIVE_LENGTH = 12;

/** Whether a text names an id: a short one, which may be a part of anything, as a value of its own. */
export function mentionsId(text: string, id: string): boolean {
  return text.includes(id.length < MIN_DISTINCTIVE_LENGTH ? JSON.stringify(id) : id);
}
