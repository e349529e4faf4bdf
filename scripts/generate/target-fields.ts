import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { withSection } from '../markdown-section.ts';
import { objectsOf, type SchemaField, type SchemaNode } from './schema-objects.ts';
import { typeText } from './schema-types.ts';
import { generatedSchemas } from './schemas.ts';

const PAGE = new URL('../../docs/target-file.md', import.meta.url);

/**
 * The tables of docs/target-file.md, each with its fields; `*` stands for all fields of an object. The actors have the same fields,
 * and so have the operations, except for the one field more of `treasuryWithdraw`.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  server: ['name', 'baseUrl', 'implementation.*', 'headers', 'proxy', '$schema'],
  tls: ['tls.*'],
  actors: ['actors.*'],
  actor: ['actors.seller.*'],
  counterparties: ['counterparties.*'],
  operations: ['operations.*'],
  operation: ['operations.treasuryWithdraw.*'],
  limits: ['limits.*'],
  allow: ['allow.*'],
  webhooks: ['webhooks.*'],
};
/** The tables whose fields a reader knows by their last name. */
const SHORT_NAMES: ReadonlySet<string> = new Set(['actors', 'actor', 'operations', 'operation']);

/** All fields of a target file, in the order of the schema. */
export function targetFields(): SchemaField[] {
  const schema = JSON.parse(generatedSchemas()['target.schema.json'] ?? '') as SchemaNode;
  return objectsOf(schema).flatMap(({ fields }) => fields);
}

/** The fields of a table of docs/target-file.md. Throws if the schema has none of that name. */
export function fieldsOfTable(name: string): SchemaField[] {
  const all = targetFields();
  return (TABLES[name] ?? []).flatMap((pattern) => {
    const prefix = pattern.replace(/\*$/, '');
    const found = all.filter(({ path }) => (prefix === pattern ? path === pattern : isDirectlyBelow(path, prefix)));
    if (found.length === 0) throw new Error(`the schema of the target file has no field ${pattern}`);
    return found;
  });
}

export const targetTables: readonly string[] = Object.keys(TABLES);

function isDirectlyBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && !path.slice(prefix.length).includes('.');
}

/** The page with the current tables of fields. Throws if the page has no place for one. */
export function withTargetFields(page: string): string {
  return targetTables.reduce(
    (text, name) =>
      withSection(
        text,
        `<!-- fields of ${name}: written by npm run generate -->`,
        `<!-- /fields of ${name} -->`,
        table(name),
      ),
    page,
  );
}

interface Column {
  readonly title: string;
  readonly cell: (field: SchemaField) => string;
}

/** A column without any content is left out. */
function table(name: string): string {
  const fields = fieldsOfTable(name);
  const columns: readonly Column[] = [
    { title: 'field', cell: (field) => `\`${SHORT_NAMES.has(name) ? field.name : field.path}\`` },
    { title: 'type', cell: typeCell },
    { title: 'default', cell: defaultCell },
    { title: 'meaning', cell: ({ schema }) => schema.description ?? '' },
    { title: 'example', cell: ({ schema }) => (schema.examples ?? []).map(yamlCode).join(', ') },
  ];
  const shown = columns.filter(({ cell }) => fields.some((field) => cell(field) !== ''));
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    row(shown.map(({ title }) => title)),
    row(shown.map(() => '---')),
    ...fields.map((field) => row(shown.map(({ cell }) => cell(field)))),
  ].join('\n');
}

/** Empty for an object with fields of its own, which have another table. */
function typeCell({ schema, path }: SchemaField): string {
  const hasFields = [schema, ...(schema.anyOf ?? [])].some(({ properties }) => properties !== undefined);
  return hasFields ? '' : typeText(schema, path);
}

function defaultCell({ schema, isOptional }: SchemaField): string {
  if (!isOptional) return 'required';
  const { default: value } = schema;
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return value === undefined || isEmpty ? '' : yamlCode(value);
}

/** A value as in a YAML file, in one line. */
function yamlCode(value: unknown): string {
  return `\`${stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()}\``;
}

export function writeTargetFields(): void {
  writeFileSync(PAGE, withTargetFields(readFileSync(PAGE, 'utf8')));
}
