/** Replaces the text between two markers, such as a table that a script writes into a page. Throws if the markers are missing. */
export function withSection(text: string, begin: string, end: string, section: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the text contains no ${begin} … ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${section.trim()}\n\n${text.slice(to)}`;
}
