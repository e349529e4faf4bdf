import { escapeControlCharacters, escapeToSingleLine, truncate } from './escape-control-characters.ts';

/** Longer texts are truncated; the evidence contains them in full. */
const MAX_SPAN_LENGTH = 600;
const MAX_BLOCK_LENGTH = 6000;

/** Untrusted text as a code span: no mark-up, mentions or links in it take effect. */
export function codeSpan(text: string): string {
  const line = truncate(escapeToSingleLine(text), MAX_SPAN_LENGTH);
  if (line === '') return '` `';
  const fence = '`'.repeat(longestBacktickRun(line) + 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** Untrusted lines as a fenced block that they cannot close. */
export function fencedBlock(text: string, language: string): string {
  const content = truncate(escapeControlCharacters(text), MAX_BLOCK_LENGTH);
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(content) + 1));
  return `${fence}${language}\n${content}\n${fence}`;
}

/** Text of the catalogue with escaped mark-up, and code spans where backticks mark names of fields and values. */
export function escapeMarkdown(text: string): string {
  const parts = escapeToSingleLine(text).split(/(`[^`]+`)/);
  return parts
    .map((part, at) => (at % 2 === 0 ? part.replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&') : codeSpan(part.slice(1, -1))))
    .join('');
}

function longestBacktickRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
