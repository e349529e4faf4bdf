const NAMED_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ENTITY_PATTERN = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** Whether a text came back letter for letter; a server may compose its letters anew. */
export function isUnchangedText(told: string, sent: string): boolean {
  return told.normalize() === sent.normalize();
}

/**
 * Whether a text came back as it was sent, for a reader. A server that hands out all its texts ready for a
 * web page writes `&lt;` for each `<`; which it does is not shown. One that does so with some of these characters has spoiled them.
 */
export function isEquivalentText(told: string, sent: string): boolean {
  return isUnchangedText(told, sent) || (isHtmlEscaped(told) && isUnchangedText(unescapeHtml(told), sent));
}

function isHtmlEscaped(text: string): boolean {
  // Between tags quotes need not be written otherwise.
  return !/[<>&]/.test(text.replace(ENTITY_PATTERN, ''));
}

function unescapeHtml(text: string): string {
  return text.replace(ENTITY_PATTERN, (_, named?: string, decimal?: string, hex?: string) => {
    if (named) return NAMED_ENTITIES[named.toLowerCase()] ?? '';
    const point = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : '';
  });
}

/** The texts that a description is shown as: by itself, or beside its language, or in lines; none where it is not shown. */
export function descriptionTexts(description: unknown): string[] {
  if (description === undefined || description === null) return [];
  if (typeof description !== 'object') return [String(description)];
  const texts = Object.values(description).filter((each) => typeof each === 'string');
  return texts.length > 1 ? [...texts, texts.join(''), texts.join(' '), texts.join('\n')] : texts;
}
