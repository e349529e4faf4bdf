import { parseEnv } from 'node:util';
import { ConfigurationFault } from '../model/configuration-error.ts';
import type { Environment } from './environment-variables.ts';
import { readTextFile } from './text-file.ts';

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/;

/**
 * The variables of a file of NAME=value lines. Throws a ConfigurationFault that names every line which is none, and never
 * shows what stands there: it may be a secret.
 */
export function readSecretsFile(file: string): Environment {
  const text = readTextFile(file, '--secrets', 'a file of NAME=value lines');
  const problems = wrongLines(text).map(({ line, found }) => `${file}:${line}: ${found}`);
  if (problems.length > 0) throw new ConfigurationFault(...problems);
  return parseEnv(text) as Environment;
}

interface WrongLine {
  line: number;
  found: string;
}

function wrongLines(text: string): WrongLine[] {
  const lines = text.split(/\r?\n/);
  const wrong: WrongLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const content = lines[at] ?? '';
    if (/^\s*(#|$)/.test(content)) continue;
    const [, name, value = ''] = ASSIGNMENT.exec(content) ?? [];
    const line = at + 1;
    if (name === undefined) {
      wrong.push({ line, found: 'is no NAME=value; write NAME=value, or begin the line with # for a comment' });
      continue;
    }
    const [quote] = /^["'`]/.exec(value) ?? [];
    if (quote === undefined || value.includes(quote, 1)) continue;
    const end = lines.findIndex((later, index) => index > at && later.includes(quote));
    if (end < 0) wrong.push({ line, found: `${name} has a quote without its end; write the closing ${quote}` });
    else at = end;
  }
  return wrong;
}
