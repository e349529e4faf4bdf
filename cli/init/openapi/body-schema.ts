import { isObject, type JsonObject } from '../../../engine/records/invoice-records.ts';
import type { LocalReferences } from './local-references.ts';

/** One form that a JSON body may have. */
export interface BodyForm {
  /** The schemas of its properties, resolved. */
  properties: ReadonlyMap<string, JsonObject>;
  required: ReadonlySet<string>;
}

/** The number of schemas that are read for one body. */
const MAX_SCHEMAS = 100;
const MAX_FORMS = 30;
const MAX_PROPERTIES = 100;
/** What the target file can hold as the name of a member. */
const PLAIN_NAME = /^(?!__proto__$)[A-Za-z_][\w-]{0,100}$/;

/** The forms of a body: one, or one for each branch of oneOf and anyOf. Empty if the schema describes no object. */
export function bodyForms(schema: unknown, references: LocalReferences): BodyForm[] {
  const resolved = references.resolve(schema);
  if (resolved === undefined) return [];
  const known = formCache.get(resolved);
  const forms = known ?? new FormReader(references).read(resolved);
  if (known === undefined) formCache.set(resolved, forms);
  return forms;
}

/** Each operation of the target file looks at every body. */
const formCache = new WeakMap<JsonObject, BodyForm[]>();

class FormReader {
  private readonly references: LocalReferences;
  /** The schemas on the way to the current one: a schema may contain itself. */
  private readonly open = new Set<JsonObject>();
  private count = 0;

  constructor(references: LocalReferences) {
    this.references = references;
  }

  read(schema: unknown): BodyForm[] {
    const resolved = this.references.resolve(schema);
    this.count += 1;
    if (resolved === undefined || this.open.has(resolved) || this.count > MAX_SCHEMAS) return [];
    this.open.add(resolved);
    const own = [{ properties: propertiesOf(resolved, this.references), required: requiredOf(resolved) }];
    const all = listOf(resolved.allOf).map((part) => this.read(part));
    const one = [...listOf(resolved.oneOf), ...listOf(resolved.anyOf)].flatMap((branch) => this.read(branch));
    this.open.delete(resolved);
    return [...all, one]
      .filter((forms) => forms.length > 0)
      .reduce(combine, own)
      .slice(0, MAX_FORMS);
  }
}

function combine(forms: BodyForm[], others: readonly BodyForm[]): BodyForm[] {
  return forms
    .flatMap((form) =>
      others.map((other) => ({
        properties: new Map([...form.properties, ...other.properties]),
        required: new Set([...form.required, ...other.required]),
      })),
    )
    .slice(0, MAX_FORMS);
}

function propertiesOf({ properties }: JsonObject, references: LocalReferences): Map<string, JsonObject> {
  if (!isObject(properties)) return new Map();
  const entries = Object.entries(properties).slice(0, MAX_PROPERTIES);
  return new Map(entries.map(([name, schema]) => [name, references.resolve(schema) ?? {}]));
}

function requiredOf({ required }: JsonObject): Set<string> {
  return new Set(listOf(required).filter((name) => typeof name === 'string'));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts to which an enum or a constant limits a property; empty if there is no limit. */
export function allowedTexts(schema: JsonObject): string[] {
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : listOf(schema.enum);
  return values.filter(isPlainText);
}

/** Whether a text has no meaning of its own in a target file. */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value) && !/[{}$]/.test(value);
}

export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name);
}
