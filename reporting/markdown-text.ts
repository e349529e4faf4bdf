import { escapeControlCharacters, escapeToSingleLine, truncate } from './escape-control-characters.ts';

/** Longer answers are cut: a summary is read on a page, and the whole stands in the evidence. */
const MAX_SPAN_LENGTH = 600;
const MAX_BLOCK_LENGTH = 6000;

/** Foreign text where nothing in it is acted upon: no mark-up, no mentions, no links. */
export function codeSpan(text: string): string {
  const line = truncate(escapeToSingleLine(text), MAX_SPAN_LENGTH);
  if (line === '') return '` `';
  const fence = '`'.repeat(longestBacktickRun(line) + 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** Foreign lines in a block that no line of theirs can close. */
export function fencedBlock(text: string, language: string): string {
  const content = truncate(escapeControlCharacters(text), MAX_BLOCK_LENGTH);
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(content) + 1));
  return `${fence}${language}\n${content}\n${fence}`;
}

/** The catalogue's own words, with nothing of them taken for mark-up. */
export function escapeMarkdown(text: string): string {
  return escapeToSingleLine(text).replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&');
}

/** A table row. A pipe ends a cell even inside code, and renderers differ on `\\|`, so it is written as its code. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\u007c')).join(' | ')} |`;
}

function longestBacktickRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
