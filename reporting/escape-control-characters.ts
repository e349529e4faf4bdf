/**
 * Characters that could act on a reader's terminal, browser or parser instead of being read: controls (with the ESC of
 * ANSI sequences), bidirectional and zero-width formatting, line and paragraph separators, lone surrogates.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** Nearly all texts hold nothing else, and to see that takes a tenth of the time of looking for each kind of active character. */
const PLAIN_TEXT = /^[\n\t\x20-\x7e]*$/;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Text that only shows: active characters become readable escapes such as `\u001b`; line breaks and tabs stay. */
export function escapeControlCharacters(text: string): string {
  if (PLAIN_TEXT.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROL_CHARACTERS, (character) =>
      character === '\n' || character === '\t' ? character : escapeCharacter(character),
    );
}

/** As `visible`, on one line: every run of white space becomes one space. */
export function escapeToSingleLine(text: string): string {
  return escapeControlCharacters(text).replace(/\s+/gu, ' ').trim();
}

/** As `visible`, for a CI log: no line of it is a workflow command (`::…`, `##[…`, `##vso[…`) of the machine that reads the log. */
export function escapeForLog(text: string): string {
  return escapeControlCharacters(text)
    .replaceAll('\n', '\\u000a')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** The same text with active characters as JSON escapes; for JSON that is already serialised, so nothing is lost. */
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

/** Characters of a text that a person is to read. A server may give out ids of a megabyte, and they get everywhere. */
export const MAX_TEXT_LENGTH = 2000;

/** At most `limit` characters, and how many are missing. Never cuts a character in half. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}… (${text.length - head.length} characters more)`;
}
