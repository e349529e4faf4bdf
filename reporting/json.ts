import type { Report } from '../specs/report.ts';
import { escapeJson } from './escape-control-characters.ts';

/** The report, its lists, their items, and the lists in them: of such a list an item at a time. */
const SPLIT_LEVELS = 4;

/**
 * The report itself, as JSON that is also safe to print on a terminal; in pieces, for there may be a line for each of very many
 * exchanges.
 */
export function* jsonPieces(report: Report): Generator<string, void, undefined> {
  yield* splitJson(report, '', SPLIT_LEVELS);
  yield '\n';
}

/** As JSON.stringify indents it, taken apart down to a number of levels. */
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

/** Its own line feeds are escaped: those that there are stand between its members. */
function serializeJson(value: unknown, indent: string): string {
  return escapeJson(JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`));
}
