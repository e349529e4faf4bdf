import type { ErrorCode } from 'yaml';

const QUOTE_ADVICE = 'put it in quotes';

/** The advice for a YAML error. The library's own message may show a part of the file. */
const MESSAGES_BY_CODE: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: `found a value that begins with *; ${QUOTE_ADVICE}`,
  BAD_DQ_ESCAPE: 'found a backslash in double quotes that does not start an escape; write \\\\ or use single quotes',
  BAD_SCALAR_START: `found a value that begins with @, % or a backtick; ${QUOTE_ADVICE}`,
  BLOCK_AS_IMPLICIT_KEY: `found a second colon followed by a space in one line; if it belongs to the value, ${QUOTE_ADVICE}`,
  BLOCK_IN_FLOW: 'found indented lines inside of { } or [ ]; write commas and braces, or indentation',
  MULTILINE_IMPLICIT_KEY: 'found a field without a colon followed by a space; write name: value',
  MULTIPLE_DOCS: 'found a second document after ---; remove one of the two',
  TAB_AS_INDENT: 'found a tab as indentation; write spaces',
  TAG_RESOLVE_FAILED: `found a value that begins with !; ${QUOTE_ADVICE}`,
  UNEXPECTED_TOKEN:
    'found text that does not belong here; put values that contain braces, brackets, commas, # or quotes in quotes',
};

/** A YAML error, worded for users. `line`: the text of its line in the file. */
export function yamlProblem(code: ErrorCode, message: string, line: string): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && !/:\s.*:(\s|$)/.test(line))
    return 'not readable as YAML: found a value with a field below it that is indented further; indent both equally';
  return `not readable as YAML: ${MESSAGES_BY_CODE[code] ?? describeByMessage(message)}`;
}

function describeByMessage(message: string): string {
  if (/quote/.test(message)) return 'found an unclosed quote; add the closing quote';
  if (/must be sufficiently indented|end with a/i.test(message)) {
    return 'found an unclosed { or [; add the closing } or ]';
  }
  if (/same column|indent/i.test(message)) {
    return 'found a field that is not aligned with the other fields of its mapping; indent them equally';
  }
  if (/map keys need/i.test(message)) return 'found a name without a value; write name: value';
  return 'found text that is not YAML; compare the line with the lines around it';
}
