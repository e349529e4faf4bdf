import { nearestName } from '../../../specs/nearest-name.ts';
import { valueAt } from './found-value.ts';
import type { Problem } from './problem.ts';

type FieldPath = readonly PropertyKey[];

/** The placeholders that paths and bodies of operations may contain. */
export const PLACEHOLDERS = ['id', 'text', 'amount', 'requestId'] as const;
/** Operations that do not concern a single record, so they have no id. */
const OPERATIONS_WITHOUT_ID = new Set(['treasuryBalance', 'treasuryWithdraw', 'webhookList']);
const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g;
/** Path parameters in the notation of other tools, as a whole segment: `filter[status]=…` in a query is not one. */
const FOREIGN_PLACEHOLDER = /(?<=\/)(?::[A-Za-z_]\w*|<[A-Za-z_]\w*>|\[[A-Za-z_]\w*\]|%7B\w+%7D)(?=[/?]|$)/gi;

/** The problems of the placeholders in paths and bodies of operations. */
export function placeholderProblems(content: unknown): Problem[] {
  const operations = valueAt(content, ['operations']);
  if (operations === null || typeof operations !== 'object' || Array.isArray(operations)) return [];
  return Object.entries(operations).flatMap(([name, template]) => {
    const at = ['operations', name];
    const path = valueAt(template, ['path']);
    return [
      ...(typeof path === 'string' ? pathProblems(path, name, [...at, 'path']) : []),
      ...bodyProblems(valueAt(template, ['body']), name, [...at, 'body']),
    ];
  });
}

function pathProblems(text: string, operation: string, path: FieldPath): Problem[] {
  const known = textProblems(text, operation, path);
  const foreign = (text.match(FOREIGN_PLACEHOLDER) ?? []).map((found) => unknownPlaceholder(path, found, operation));
  if (known.length + foreign.length > 0) return [...known, ...foreign];
  if (!/[{}]/.test(text.replaceAll(/(?<!\{)\{\w+\}(?!\})/g, ''))) return [];
  return [
    {
      path,
      text: `${path.join('.')}: contains a brace that is not part of a placeholder; the placeholders are ${placeholderList(operation)}`,
    },
  ];
}

function bodyProblems(value: unknown, operation: string, path: FieldPath): Problem[] {
  if (typeof value === 'string') return textProblems(value, operation, path);
  if (Array.isArray(value)) return value.flatMap((item, at) => bodyProblems(item, operation, [...path, at]));
  if (value === null || typeof value !== 'object') return [];
  const [name, ...others] = Object.keys(value);
  if (name !== undefined && others.length === 0 && valueAt(value, [name]) === null && isPlaceholder(name)) {
    const text = `${path.join('.')}: found {${name}} without quotes, which YAML reads as a mapping; write "{${name}}"`;
    return [{ path, text }];
  }
  return Object.entries(value).flatMap(([key, item]) => bodyProblems(item, operation, [...path, key]));
}

/** Characters that would change the number next to them, such as the zero in `{amount}0`. */
const CHANGED_AMOUNT = /[\d.,+-]\{amount\}|\{amount\}[.,]?[\deE]/;

function textProblems(text: string, operation: string, path: FieldPath): Problem[] {
  if (CHANGED_AMOUNT.test(text)) {
    const found = `found ${JSON.stringify(text)}, which sends an amount other than the one that the kit chooses`;
    return [{ path, text: `${path.join('.')}: ${found}; write "{amount}"` }];
  }
  const names = new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  return [...names].flatMap((name) => {
    if (name === 'id' && OPERATIONS_WITHOUT_ID.has(operation)) {
      const field = path.join('.');
      return [{ path, text: `${field}: contains {id}, but ${operation} does not concern a single record; remove it` }];
    }
    return isPlaceholder(name) ? [] : [unknownPlaceholder(path, `{${name}}`, operation)];
  });
}

function unknownPlaceholder(path: FieldPath, found: string, operation: string): Problem {
  const name = found.replaceAll(/%7B|%7D|[^\w-]/gi, '');
  const names = placeholdersFor(operation);
  const meant = nearestName(name, names) ?? (/id$/i.test(name) ? names.find((each) => each === 'id') : undefined);
  const advice = meant === undefined ? 'the placeholders are' : `did you mean {${meant}}? The placeholders are`;
  return { path, text: `${path.join('.')}: unknown placeholder ${found}; ${advice} ${placeholderList(operation)}` };
}

function isPlaceholder(name: string): boolean {
  return PLACEHOLDERS.some((each) => each === name);
}

function placeholdersFor(operation: string): string[] {
  return PLACEHOLDERS.filter((name) => name !== 'id' || !OPERATIONS_WITHOUT_ID.has(operation));
}

function placeholderList(operation: string): string {
  return placeholdersFor(operation)
    .map((name) => `{${name}}`)
    .join(' ');
}
