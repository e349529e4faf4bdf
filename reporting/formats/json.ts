import type { Report } from '../../specs/formats/report.ts';
import { escapeJson } from '../text/escape-control-characters.ts';

/** Levels of the report that are written in pieces: the report, its lists, their items, and lists in items. */
const SPLIT_LEVELS = 4;

/**
 * The report as JSON that is safe to print on a terminal. In pieces, because it may have a line for each of many exchanges.
 */
export function* jsonPieces(report: Report): Generator<string, void, undefined> {
  yield* splitJson(report, '', SPLIT_LEVELS);
  yield '\n';
}

/** JSON with the indentation of JSON.stringify, split into pieces down to the given number of levels. */
function* splitJson(value: unknown, indent: string, levels: number): Generator<string, void, undefined> {
  if (levels === 0 || typeof value !== 'object' || value === null) return yield serializeJson(value, indent);
  const isList = Array.isArray(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return yield isList ? '[]' : '{}';
  let before = isList ? '[' : '{';
  const inner = `${indent}  `;
  for (const [name, member] of members) {
    yield isList ? `${before}\n${inner}` : `${before}\n${inner}${serializeJson(name, inner)}: `;
    yield* splitJson(member, inner, levels - 1);
    before = ',';
  }
  yield `\n${indent}${isList ? ']' : '}'}`;
}

/** Strings contain no unescaped line feeds, so every line feed separates members and can be indented. */
function serializeJson(value: unknown, indent: string): string {
  return escapeJson(JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`));
}
