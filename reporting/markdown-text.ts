import { shorten, visible, visibleLine } from './visible.ts';

/** Longer answers are cut: a summary is read on a page, and the whole stands in the evidence. */
const SPAN_LIMIT = 600;
const BLOCK_LIMIT = 6000;

/** Foreign text where nothing in it is acted upon: no mark-up, no mentions, no links. */
export function codeSpan(text: string): string {
  const line = shorten(visibleLine(text), SPAN_LIMIT);
  if (line === '') return '` `';
  const fence = '`'.repeat(longestRun(line) + 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** Foreign lines in a block that no line of theirs can close. */
export function fencedBlock(text: string, language: string): string {
  const content = shorten(visible(text), BLOCK_LIMIT);
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language}\n${content}\n${fence}`;
}

/** The catalogue's own words, with nothing of them taken for mark-up. */
export function prose(text: string): string {
  return visibleLine(text).replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&');
}

/** A table row. A pipe ends a cell even inside code, and renderers differ on `\\|`, so it is written as its code. */
export function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\u007c')).join(' | ')} |`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
