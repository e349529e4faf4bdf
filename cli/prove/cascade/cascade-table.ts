import type { Cascade, CascadeRow } from './cascade.ts';

const MAX_ROWS = 10;

/** Markdown for docs/proof.md: the faults with the most other red requirements, and the slowest faults. */
export function cascadeTable({ faults, median, p90, most, slowestRatio }: Cascade): string {
  const worst = faults.filter(({ beside }) => beside.length > 0).slice(0, MAX_ROWS);
  const slowest = faults.toSorted((one, other) => other.timeRatio - one.timeRatio).slice(0, MAX_ROWS);
  return [
    `This proof ran each of ${faults.length} faults against every check. Red requirements for each fault, with its own requirements counted as one:`,
    `median ${median}, 90th percentile ${p90}, maximum ${most}. The slowest takes ${slowestRatio.toFixed(1)} times as long as a conforming server.`,
    '',
    '| fault | its own requirements | other red requirements |',
    '| --- | --- | --- |',
    ...worst.map(({ fault, own, beside }) => `| \`${fault}\` | ${own.join(', ')} | ${beside.join(', ')} |`),
    '',
    '| slowest faults | time relative to a conforming server | requests |',
    '| --- | --- | --- |',
    ...slowest.map(slowRow),
  ].join('\n');
}

function slowRow({ fault, timeRatio, requests }: CascadeRow): string {
  return `| \`${fault}\` | ${timeRatio.toFixed(2)} | ${requests} |`;
}
