import { readFileSync, writeFileSync } from 'node:fs';
import { withSection } from '../markdown-section.ts';

const TABLE_BEGIN = '<!-- cascade: written by scripts/measure/cascade-table.ts -->';
const TABLE_END = '<!-- /cascade -->';

/** Replaces the table between the markers of a text. Throws if the markers are missing. */
export function withTable(text: string, table: string): string {
  return withSection(text, TABLE_BEGIN, TABLE_END, table);
}

// Copies the table of `conformance prove` into docs/proof.md. Argument: the path of cascade.md.
const [script, file] = process.argv.slice(1);
if (file !== undefined && script?.endsWith('cascade-table.ts')) {
  const page = new URL('../../docs/proof.md', import.meta.url);
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), readFileSync(file, 'utf8')));
}
