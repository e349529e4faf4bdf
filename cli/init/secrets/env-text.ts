import { parseEnv } from 'node:util';

/** Values that need no quotes in any reader of such a file. */
const PLAIN_VALUE = /^[\w.+/=:@%~-]+$/;

/** The value as it stands after `NAME=`; null if no notation can hold it. */
function quoteValue(value: string): string | null {
  if (PLAIN_VALUE.test(value)) return value;
  // A shell expands nothing between single quotes.
  const notations = [`'${value}'`, `"${value}"`, `\`${value}\``];
  return notations.find((notation) => parseEnv(`NAME=${notation}`).NAME === value) ?? null;
}

/** Why a file of NAME=value lines cannot hold a value; undefined if it can. */
export function storageProblem(value: string): string | undefined {
  return quoteValue(value) === null
    ? 'contains characters that no line of an env file can hold; set the variable in the environment'
    : undefined;
}

/** The text of an env file with these variables: existing ones are replaced where they stand, others are appended. */
export function mergeEnvText(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const missing = new Map(Object.entries(values));
  const merged: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const last = lastLineOf(lines, at);
    const [, before = '', name = ''] = ASSIGNMENT.exec(line) ?? [];
    const value = values[name];
    if (value === undefined || !Object.hasOwn(values, name)) merged.push(...lines.slice(at, last + 1));
    // The last of several lines counts, so all of them go.
    else if (missing.delete(name)) merged.push(`${before}${name}=${quoteValue(value) ?? ''}`);
    at = last;
  }
  for (const [name, value] of missing) merged.push(`${name}=${quoteValue(value) ?? ''}`);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return merged.map((line) => `${line}${end}`).join('');
}

const ASSIGNMENT = /^(\s*(?:export\s+)?)([A-Za-z_][\w.-]*)\s*=\s*(.*)$/;

/** The last line of the assignment that begins at a line: a value in quotes may have several. */
function lastLineOf(lines: readonly string[], at: number): number {
  const [, , , value = ''] = ASSIGNMENT.exec(lines[at] ?? '') ?? [];
  const [quote] = /^["'`]/.exec(value) ?? [];
  if (quote === undefined || value.includes(quote, 1)) return at;
  const end = lines.findIndex((later, index) => index > at && later.includes(quote));
  return end < 0 ? at : end;
}
