import type { Figure } from './figure.ts';

/** A Markdown table, padded so that it is readable on a terminal. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'measured', 'bound', '', 'made of'],
    ...figures.map(({ figure, measured, bound, kept, detail }) => [
      figure,
      measured,
      bound,
      kept ? 'kept' : 'missed',
      detail,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${[...widths.map((width) => '-'.repeat(Math.max(3, width))), '---'].join(' | ')} |`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}
