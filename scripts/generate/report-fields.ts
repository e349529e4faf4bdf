import { readFileSync, writeFileSync } from 'node:fs';
import { SCHEMA_VERSION } from '../../specs/formats/journal.ts';
import { objectsOf, type SchemaField, type SchemaNode, type SchemaObject } from './schema-objects.ts';
import { typeText } from './schema-types.ts';
import { generatedSchemas } from './schemas.ts';

const SCHEMA_FILE = 'report.schema.json';
const outputFile = new URL('../../docs/report-fields.md', import.meta.url);
const excerptFile = new URL('../../reports/sample/report-excerpt.json', import.meta.url);

/** The objects of report.json with their fields. */
export function reportObjects(): SchemaObject[] {
  return objectsOf(JSON.parse(generatedSchemas()[SCHEMA_FILE] ?? '') as SchemaNode);
}

/** The text of docs/report-fields.md for the current schema of the report. */
export function reportFieldsPage(): string {
  return `# The fields of report.json

\`report.json\` is the report of a run for programs. [Its JSON Schema](../specs/schemas/${SCHEMA_FILE}) has the same descriptions
as this page. \`schemaVersion\` is the version of the form of \`evidence.jsonl\` and \`report.json\`; this kit writes and reads version
${SCHEMA_VERSION} only. The schema allows no unknown fields, so validate a report with the schema of the kit that wrote it.

Generated from \`specs/formats/report.ts\` by \`npm run generate\`. Each object has a section. [The report](report.md) explains causes and
scripts, [how the kit judges](how-it-judges.md) explains levels and verdicts.

## Example

Part of the report of a run against the reference service with one defect. Lists show one item. Long texts end with \`…\`.

\`\`\`json
${readFileSync(excerptFile, 'utf8').trim()}
\`\`\`

${reportObjects().map(objectSection).join('\n')}`;
}

function objectSection({ path, fields }: SchemaObject): string {
  return `## ${path === '' ? 'The report' : `\`${path}\``}

| field | type | meaning |
| --- | --- | --- |
${fields.map(fieldRow).join('\n')}
`;
}

function fieldRow({ name, path, isOptional, schema }: SchemaField): string {
  const type = `${typeText(schema, path)}${isOptional ? ', optional' : ''}`;
  return `| ${[`\`${name}\``, type, schema.description ?? ''].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export function writeReportFieldsPage(): void {
  writeFileSync(outputFile, reportFieldsPage());
}
