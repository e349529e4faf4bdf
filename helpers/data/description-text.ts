const NAMED_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ENTITY_PATTERN = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** Whether a text was returned character by character, apart from Unicode normalization. */
export function isUnchangedText(shown: string, sent: string): boolean {
  return shown.normalize() === sent.normalize();
}

/**
 * Whether a reader sees the returned text as it was sent. The contract does not say whether a server escapes all its
 * texts for HTML; a server that escapes only some characters changes the text.
 */
export function isEquivalentText(shown: string, sent: string): boolean {
  return isUnchangedText(shown, sent) || (isHtmlEscaped(shown) && isUnchangedText(unescapeHtml(shown), sent));
}

function isHtmlEscaped(text: string): boolean {
  // Quotes need no escaping outside HTML attributes.
  return !/[<>&]/.test(text.replace(ENTITY_PATTERN, ''));
}

function unescapeHtml(text: string): string {
  return text.replace(ENTITY_PATTERN, (_, named?: string, decimal?: string, hex?: string) => {
    if (named) return NAMED_ENTITIES[named.toLowerCase()] ?? '';
    const point = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : '';
  });
}

/**
 * The texts of a description, as a string, in an object with its language, or as lines; empty if it is not shown.
 */
export function descriptionTexts(description: unknown): string[] {
  if (description === undefined || description === null) return [];
  if (typeof description !== 'object') return [String(description)];
  const texts = Object.values(description).filter((each) => typeof each === 'string');
  return texts.length > 1 ? [...texts, texts.join(''), texts.join(' '), texts.join('\n')] : texts;
}
