import type { SchemaNode } from './schema-objects.ts';

/** The type of a field as Markdown, such as "string or `null`". `path` is the place of the field; objects link to their section. */
export function typeText(schema: SchemaNode, path: string): string {
  return joinChoices(choicesOf(schema, path));
}

/** The anchor that GitHub gives to the heading of a path. */
export function anchorOf(path: string): string {
  return path.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '');
}

function choicesOf(schema: SchemaNode, path: string): string[] {
  const { type, anyOf, enum: values } = schema;
  if (anyOf) return anyOf.flatMap((choice) => choicesOf(choice, path));
  if (values) return values.map(code);
  if (typeof type === 'object') return type.flatMap((each) => choicesOf({ ...schema, type: each }, path));
  return [nounOf(schema, path)];
}

function nounOf(schema: SchemaNode, path: string): string {
  const { type, format, properties, items, prefixItems, additionalProperties, $ref } = schema;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const).replaceAll('"', ''));
  // Only a shape that contains itself is referenced, and there is one: any JSON.
  if ($ref !== undefined) return 'any JSON value';
  if (prefixItems) return code(`[${prefixItems.map((item) => typeText(item, path)).join(', ')}]`);
  if (items) return `array of ${pluralize(typeText(items, `${path}[]`))}`;
  if (properties) return `[object](#${anchorOf(path)})`;
  if (additionalProperties) return mapText(schema, additionalProperties, path);
  if (type === 'null') return code('null');
  if (typeof type !== 'string') throw new Error(`${path}: the page cannot show a field of this type`);
  return format === undefined ? type : `${type} (${format})`;
}

function mapText({ propertyNames }: SchemaNode, values: SchemaNode, path: string): string {
  const value = typeText(values, path).replace(/ value$/, '');
  const keys = propertyNames?.enum?.map(code).join(', ');
  return keys === undefined ? `object with ${value} values` : `object with ${value} values for ${keys}`;
}

/** The plural of a type that is one word or one link. */
function pluralize(type: string): string {
  return type.replace(/^(\w+)$/, '$1s').replace('[object]', '[objects]');
}

function code(text: string): string {
  return `\`${text}\``;
}

function joinChoices(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
