import type { OperationTemplate } from '../../specs/target.ts';

export interface TemplateValues {
  id?: string;
  text?: string;
  amount?: string;
  requestId?: string;
}

const OMITTED = Symbol('left out');

/**
 * Path and body of a bound operation. A body member whose template is exactly `{requestId}` is omitted when there is
 * no requestId; if no template mentions it, a given requestId becomes a top-level member, as the contract says.
 */
export function fillTemplate(template: OperationTemplate, values: TemplateValues): { path: string; body: unknown } {
  const path = dropUnusedParameters(template.path, values).replaceAll(
    /\{(id|text|amount|requestId)\}/g,
    (_, name: keyof TemplateValues) => encodeURIComponent(toWellFormed(values[name] ?? '')),
  );
  const body = fillValue(template.body, values);
  const mentioned = JSON.stringify(template).includes('{requestId}');
  if (values.requestId === undefined || mentioned) return { path, body };
  return { path, body: { ...(body as object | undefined), requestId: values.requestId } };
}

/** Replaces characters that UTF-8 cannot encode, because a server may return any string as an id. */
function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Omits a query parameter whose template is exactly `{requestId}` when there is no requestId. */
function dropUnusedParameters(path: string, { requestId }: TemplateValues): string {
  if (requestId !== undefined) return path;
  const [before = '', query] = path.split('?');
  const kept = query?.split('&').filter((parameter) => !parameter.endsWith('={requestId}')) ?? [];
  return kept.length > 0 ? `${before}?${kept.join('&')}` : before;
}

function fillValue(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') {
    if (template === '{requestId}' && values.requestId === undefined) return OMITTED;
    return template.replaceAll(
      /\{(id|text|amount|requestId)\}/g,
      (_, name: keyof TemplateValues) => values[name] ?? '',
    );
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillValue(item, values)).filter((item) => item !== OMITTED);
  }
  if (template === null || typeof template !== 'object') return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, item]) => [name, fillValue(item, values)] as const)
      .filter(([, item]) => item !== OMITTED),
  );
}

/** Appended to a word of a path to make a path that no service has. */
export const NONEXISTENT_SUFFIX = '-does-not-exist';

/**
 * A path that no service has: the suffix is added to the last word that is not a placeholder. Null if the path has
 * no such word.
 */
export function nonexistentPath(path: string): string | null {
  const [before = ''] = path.split('?');
  const last = [...before.matchAll(/\{[^}]*\}|[A-Za-z][\w-]*/g)].findLast(([word]) => !word.startsWith('{'));
  if (!last) return null;
  const end = last.index + last[0].length;
  return `${before.slice(0, end)}${NONEXISTENT_SUFFIX}${before.slice(end)}`;
}
