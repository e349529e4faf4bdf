import { readFileSync, writeFileSync } from 'node:fs';

const TABLE_BEGIN = '<!-- cascade: written by scripts/cascade-table.ts -->';
const TABLE_END = '<!-- /cascade -->';

/** Replaces the table between the markers of a text. Throws if the markers are missing. */
export function withTable(text: string, table: string): string {
  const [from, to] = [text.indexOf(TABLE_BEGIN), text.indexOf(TABLE_END)];
  if (from < 0 || to < from) throw new Error(`the text contains no ${TABLE_BEGIN} … ${TABLE_END}`);
  return `${text.slice(0, from + TABLE_BEGIN.length)}\n\n${table.trim()}\n\n${text.slice(to)}`;
}

// Copies the table of `conformance prove` into docs/proof.md. Argument: the path of cascade.md.
const [script, file] = process.argv.slice(1);
if (file !== undefined && script?.endsWith('cascade-table.ts')) {
  const page = new URL('../docs/proof.md', import.meta.url);
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), readFileSync(file, 'utf8')));
}
