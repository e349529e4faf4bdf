/** A JSON text in which every character stands for itself: some services write `/` as `\\/` and `ä` as `\\u00e4`. Other texts stay. */
export function decodedText(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
