/** Wraps a text at spaces to the width, at least 20 characters. Splits longer words. */
export function wrapText(text: string, width: number): string[] {
  const room = Math.max(20, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => splitWord(long, room))) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function splitWord(word: string, room: number): string[] {
  const characters = [...word];
  if (characters.length <= room) return [word];
  const count = Math.ceil(characters.length / room);
  return Array.from({ length: count }, (_, index) => characters.slice(index * room, (index + 1) * room).join(''));
}
