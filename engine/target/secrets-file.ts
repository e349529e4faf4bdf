import { parseEnv } from 'node:util';
import { ConfigurationError } from '../model/configuration-error.ts';
import type { EnvironmentVariables } from './environment-variables.ts';
import { readTextFile } from './text-file.ts';

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/;

/** A file with so many lines and no assignment is another file. */
const MIN_FOREIGN_LINES = 3;

/**
 * The variables of a file of NAME=value lines. Throws a ConfigurationError that names every invalid line, without its
 * content: it may be a secret.
 */
export function readSecretsFile(file: string, option = '--secrets'): EnvironmentVariables {
  const text = readTextFile(file, option, 'a file of NAME=value lines');
  const invalid = findInvalidLines(text);
  // For example the target file. Its lines need no message each.
  if (invalid.length >= MIN_FOREIGN_LINES && !text.split(/\r?\n/).some((line) => ASSIGNMENT.test(line)))
    throw new ConfigurationError(
      `${option}: ${file} contains no NAME=value line; name the file that holds the secrets${/^\s*["']?baseUrl["']?\s*:/m.test(text) ? ', and give this one with --target' : ''}`,
    );
  const problems = invalid.map(({ line, problem }) => `${file}:${line}: ${problem}`);
  if (problems.length > 0) throw new ConfigurationError(...problems);
  return parseEnv(text) as EnvironmentVariables;
}

interface InvalidLine {
  line: number;
  problem: string;
}

function findInvalidLines(text: string): InvalidLine[] {
  const lines = text.split(/\r?\n/);
  const wrong: InvalidLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const content = lines[at] ?? '';
    if (/^\s*(#|$)/.test(content)) continue;
    const [, name, value = ''] = ASSIGNMENT.exec(content) ?? [];
    const line = at + 1;
    if (name === undefined) {
      wrong.push({ line, problem: 'is not NAME=value; write NAME=value, or start the line with # for a comment' });
      continue;
    }
    const [quote] = /^["'`]/.exec(value) ?? [];
    // A shell keeps the rest of such a value, and other readers take it as a comment.
    if (quote === undefined && /^[^\s#]+#/.test(value))
      wrong.push({
        line,
        problem: `${name} contains a # without quotes; put the value in quotes, or a space before a comment`,
      });
    if (quote === undefined || value.includes(quote, 1)) continue;
    const end = lines.findIndex((later, index) => index > at && later.includes(quote));
    if (end < 0) wrong.push({ line, problem: `${name} has no closing quote; add the closing ${quote}` });
    else at = end;
  }
  return wrong;
}
