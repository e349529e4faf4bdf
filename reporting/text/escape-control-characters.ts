/**
 * Characters that can affect a terminal, browser or parser: controls (including the ESC of ANSI sequences), bidirectional and
 * zero-width formatting, line and paragraph separators, lone surrogates.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** Fast path for most texts; takes a tenth of the time of the full pattern. */
const PLAIN_TEXT = /^[\n\t\x20-\x7e]*$/;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Text that is safe to display: control characters become escapes such as `\u001b`, except line feeds and tabs. */
export function escapeControlCharacters(text: string): string {
  if (PLAIN_TEXT.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROL_CHARACTERS, (character) =>
      character === '\n' || character === '\t' ? character : escapeCharacter(character),
    );
}

/** Like `escapeControlCharacters`, on one line: each run of white space becomes one space. */
export function escapeToSingleLine(text: string): string {
  return escapeControlCharacters(text).replace(/\s+/gu, ' ').trim();
}

/** Like `escapeControlCharacters`, for a CI log: no line is a workflow command (`::…`, `##[…`, `##vso[…`). */
export function escapeForLog(text: string): string {
  return escapeControlCharacters(text)
    .replaceAll('\n', '\\u000a')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** Serialised JSON with control characters as JSON escapes; its value is unchanged. */
export function escapeJson(serialised: string): string {
  if (PLAIN_TEXT.test(serialised)) return serialised;
  return serialised.replace(CONTROL_CHARACTERS, (character) => {
    if (character === '\n') return character;
    return character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
  });
}

/** Maximum characters of a displayed text. A server may return ids of a megabyte. */
export const MAX_TEXT_LENGTH = 2000;

/** A cut must save more than the notice of the cut, such as `… (125 characters more)`. */
const MIN_OMITTED = 30;

/** About `limit` characters, plus the number of omitted ones if there are at least 30. Does not split surrogate pairs. */
export function truncate(text: string, limit: number): string {
  if (text.length < limit + MIN_OMITTED) return text;
  const head = text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}… (${text.length - head.length} characters more)`;
}
