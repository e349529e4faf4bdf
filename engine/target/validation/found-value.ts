import { fieldName } from './field-names.ts';

type FieldPath = readonly PropertyKey[];

const MAX_SHOWN_CHARACTERS = 80;
/** Sections whose values are never a secret. */
const PUBLIC_SECTIONS = new Set(['limits', 'allow', 'webhooks', 'operations']);
const PUBLIC_FIELDS = new Set(['name', 'baseUrl', 'proxy', 'tls.ca', 'tls.certificate', 'tls.key']);
/** A URL with a user or a query, and a filled-in reference, may contain a secret. */
const MAY_HOLD_SECRET = /[@?#]|\$\{/;

/** The value at a path, or undefined. */
export function valueAt(content: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      value !== null && typeof value === 'object' && Object.hasOwn(value, name)
        ? (value as Record<PropertyKey, unknown>)[name]
        : undefined,
    content,
  );
}

/** The text at a path; undefined for an empty text and for any other type. */
export function textAt(content: unknown, path: FieldPath): string | undefined {
  const value = valueAt(content, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Describes the value at a path of a target file. A credential must not reach a screen or a CI log, even if it is mistyped
 * or in the wrong place. `raw` is the file before its references are filled in.
 */
export function describeValueAt(path: FieldPath, content: unknown, raw: unknown): string {
  const value = valueAt(content, path);
  if (value === undefined) return 'missing';
  if (value === null) return 'found no value';
  if (Array.isArray(value)) return 'found a list';
  if (typeof value === 'object') return 'found a mapping';
  if (value === '') return 'found an empty text';
  const shown = mayBeShown(path, value, raw);
  if (typeof value !== 'string') return shown ? `found ${value}` : `found a ${typeof value}`;
  if (shown)
    return `found ${JSON.stringify(value.length > MAX_SHOWN_CHARACTERS ? `${value.slice(0, MAX_SHOWN_CHARACTERS)}…` : value)}`;
  const [reference] = /\$\{\w+\}/.exec(String(valueAt(raw, path))) ?? [];
  return `found ${describeHiddenText(value)} (${reference === undefined ? '' : `from ${reference}, `}not shown)`;
}

/** Describes the defect of a hidden text without showing it. */
function describeHiddenText(text: string): string {
  if (/[\r\n]/.test(text)) return 'a text with a line break';
  if (/^\s|\s$/.test(text)) return 'a text with a leading or trailing space';
  if (/[^\x20-\x7e]/.test(text)) return 'a text with a character that is not printable ASCII';
  return 'a text';
}

function mayBeShown(path: FieldPath, value: unknown, raw: unknown): boolean {
  if (!PUBLIC_SECTIONS.has(String(path[0])) && !PUBLIC_FIELDS.has(fieldName(path))) return false;
  const text = String(value);
  if (MAY_HOLD_SECRET.test(text) || MAY_HOLD_SECRET.test(String(valueAt(raw, path)))) return false;
  return !secretTexts(raw).some((secret) => text.includes(secret));
}

/** Every text below actors and headers, and the passphrase: the literal secrets of the file. */
function secretTexts(raw: unknown): string[] {
  const all: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.length > 3) all.push(value);
    if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
  };
  for (const path of [['actors'], ['headers'], ['tls', 'passphrase']]) collect(valueAt(raw, path));
  return all;
}
