import type { ErrorCode } from 'yaml';

const QUOTE_ADVICE = 'put it in quotes';

/** What a person can do about an error of YAML; the library's own words may hold a part of the file. */
const MESSAGES_BY_CODE: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: `found a value that begins with *; ${QUOTE_ADVICE}`,
  BAD_DQ_ESCAPE: 'found a backslash that begins no escape in double quotes; write \\\\ or use single quotes',
  BAD_SCALAR_START: `found a value that begins with @, % or a backtick; ${QUOTE_ADVICE}`,
  BLOCK_AS_IMPLICIT_KEY: `found a second colon with a space behind it in one line; if it belongs to the value, ${QUOTE_ADVICE}`,
  BLOCK_IN_FLOW: 'found indented lines inside of { } or [ ]; write commas and braces, or indentation',
  MULTILINE_IMPLICIT_KEY: 'found a field without a colon and a space behind it; write name: value',
  MULTIPLE_DOCS: 'found a second document behind ---; remove one of the two',
  TAB_AS_INDENT: 'found a tab as indentation; write spaces',
  TAG_RESOLVE_FAILED: `found a value that begins with !; ${QUOTE_ADVICE}`,
  UNEXPECTED_TOKEN:
    'found text where none can stand; put values that hold braces, brackets, commas, # or quotes in quotes',
};

/** An error of YAML in the words of a user. */
export function yamlProblem(code: ErrorCode, message: string): string {
  return `not readable as YAML: ${MESSAGES_BY_CODE[code] ?? describeByMessage(message)}`;
}

function describeByMessage(message: string): string {
  if (/quote/.test(message)) return 'found a quote without its end; write the closing quote';
  if (/must be sufficiently indented|end with a/i.test(message)) {
    return 'found a { or [ without its end; write the closing } or ]';
  }
  if (/same column|indent/i.test(message)) {
    return 'found a field that does not begin in the column of the fields beside it; indent them alike';
  }
  if (/map keys need/i.test(message)) return 'found a name without a value; write name: value';
  return 'found something else; compare the line with the file that "conformance init" writes';
}
