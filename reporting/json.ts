import type { Report } from '../specs/report.ts';
import { inertJson } from './visible.ts';

/**
 * The report itself, as JSON that is also safe to print on a terminal; an item of a list at a time, for there may be a line for
 * each of very many exchanges.
 */
export function* jsonPieces(report: Report): Generator<string, void, undefined> {
  let before = '{\n';
  for (const [name, value] of Object.entries(report)) {
    yield `${before}  ${JSON.stringify(name)}: `;
    before = ',\n';
    if (Array.isArray(value)) yield* listPieces(value);
    else yield piece(value, '  ');
  }
  yield '\n}\n';
}

function* listPieces(items: readonly unknown[]): Generator<string, void, undefined> {
  let before = '[\n';
  for (const item of items) {
    yield `${before}    ${piece(item, '    ')}`;
    before = ',\n';
  }
  yield items.length === 0 ? '[]' : '\n  ]';
}

/** Its own line feeds are escaped: those that there are stand between its members. */
function piece(value: unknown, indent: string): string {
  return inertJson(JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`));
}
