import type { Cascade, CascadeRow } from './cascade.ts';

const MAX_ROWS = 10;

/** What else turns red beside each fault, and which faults take longest, for docs/proof.md. */
export function cascadeTable({ faults, median, p90, most, slowestRatio }: Cascade): string {
  const worst = faults.filter(({ beside }) => beside.length > 0).slice(0, MAX_ROWS);
  const slowest = faults.toSorted((one, other) => other.timeRatio - one.timeRatio).slice(0, MAX_ROWS);
  return [
    `Of ${faults.length} faults, each against every check: requirements that turn red, the fault's own counted as one: median ${median},`,
    `90th percentile ${p90}, most ${most}. The slowest takes ${slowestRatio.toFixed(1)} times as long as an honest server.`,
    '',
    '| fault | its own requirements | red beside them |',
    '| --- | --- | --- |',
    ...worst.map(({ fault, own, beside }) => `| \`${fault}\` | ${own.join(', ')} | ${beside.join(', ')} |`),
    '',
    '| slowest faults | time over that of an honest server | requests |',
    '| --- | --- | --- |',
    ...slowest.map(slowRow),
  ].join('\n');
}

function slowRow({ fault, timeRatio, requests }: CascadeRow): string {
  return `| \`${fault}\` | ${timeRatio.toFixed(2)} | ${requests} |`;
}
