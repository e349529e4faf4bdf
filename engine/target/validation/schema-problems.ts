import type { z } from 'zod';
import { targetFile } from '../../../specs/target-file/target.ts';
import { expectedValueAt } from './expected-values.ts';
import { fieldName, unknownFieldAdvice } from './field-names.ts';
import { describeValueAt, valueAt } from './found-value.ts';
import type { Problem } from './problem.ts';

type Issue = z.core.$ZodIssue;
type FieldPath = readonly PropertyKey[];

/** The schema violations of a target file, worded for users; `raw` still has its references. */
export function schemaProblems(content: unknown, raw: unknown): Problem[] {
  const result = targetFile.safeParse(content);
  if (result.success) return [];
  const problems = result.error.issues.flatMap((issue) => issueProblems(issue, [], content, raw));
  // A misspelt field is also missing under its correct name.
  const misspelt = (field: string) => problems.some(({ text }) => text.endsWith(`; did you mean ${field}?`));
  return problems.filter(({ path }) => valueAt(content, path) !== undefined || !misspelt(fieldName(path)));
}

/** The problems of a base URL that is given outside a target file. */
export function baseUrlProblems(baseUrl: string): string[] {
  const content = { baseUrl };
  return schemaProblems(content, content).flatMap(({ path, text }) => (path[0] === 'baseUrl' ? [text] : []));
}

function issueProblems(issue: Issue, above: FieldPath, content: unknown, raw: unknown): Problem[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const own = [...path, key];
      return { path: own, text: `unknown field ${fieldName(own)}; ${unknownFieldAdvice(own)}` };
    });
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => branch.every(({ path: inner, code }) => isNestedIssue(inner, code)));
    if (meant) return meant.flatMap((inner) => issueProblems(inner, path, content, raw));
  }
  const field = path.length === 0 ? 'the file' : fieldName(path);
  // Custom rules of the schema have their own message.
  if (issue.code === 'custom') return [{ path, text: `${field}: ${issue.message}` }];
  if (issue.code === 'invalid_key') {
    return [{ path, text: `${field}: is not a valid header name; use only letters, digits and -` }];
  }
  return [
    { path, text: `${field}: ${describeValueAt(path, content, raw)}; ${issueAdvice(issue, path, content, raw)}` },
  ];
}

/** Whether the value has the type of this branch of a union, with an error further inside. */
function isNestedIssue(path: FieldPath, code: Issue['code']): boolean {
  return path.length > 0 || code === 'unrecognized_keys' || code === 'custom';
}

/** Sections in which quotes alone do not make a value valid. */
const FORMATTED_SECTIONS = new Set(['baseUrl', 'proxy', 'limits', 'webhooks']);
const MAX_PORT = 65_535;
const REQUIRED_FIELDS = new Set(['baseUrl', 'actors']);

/** The value of a variable is wrong, or the field takes no text, and a reference is always one. */
function filledValueAdvice(reference: string, advice: string): string {
  const name = reference.slice(2, -1);
  if (/number|milliseconds|true or false/.test(advice))
    return `${advice}, in place of ${reference}: a reference is always a text`;
  return `correct the value of ${name}: ${advice.replace(/^write (\$\{NAME\} for an environment variable, or )?/, '')}`;
}

function issueAdvice(issue: Issue, path: FieldPath, content: unknown, raw: unknown): string {
  const value = valueAt(content, path);
  const wantsText = issue.code === 'invalid_type' && issue.expected === 'string';
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean';
  if (wantsText && isUnquoted && !FORMATTED_SECTIONS.has(String(path[0]))) return 'put it in quotes';
  const advice = `write ${expectedValueAt(path)}`;
  const [reference] = /\$\{\w+\}/.exec(String(valueAt(raw, path))) ?? [];
  if (reference !== undefined && typeof value === 'string') return filledValueAdvice(reference, advice);
  const isNumberInQuotes = !wantsText && typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
  if (isNumberInQuotes && /number/.test(advice)) return `${advice}, without quotes`;
  const port = path[0] === 'baseUrl' ? /:(\d{5,})(?=\/|$)/.exec(String(value))?.[1] : undefined;
  if (Number(port) > MAX_PORT) return `port ${port} is above ${MAX_PORT}; ${advice}`;
  if (value === null && path.length === 1 && !REQUIRED_FIELDS.has(String(path[0])))
    return `${advice}, or remove the line`;
  return advice;
}
