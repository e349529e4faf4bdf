import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from '../figure.ts';
import { COMMAND, newFolderPath, runNode } from '../processes.ts';

const MAX_RATIO = 4;

/** The slowest faults of a full measurement, and faults that affect nearly every check. */
const SLOWEST_FAULTS = [
  'rec-due-date-timestamp',
  'rec-status-lower-case',
  'list-page-one-based',
  'list-offset-skips-one',
  'list-page-zero-and-one-equal',
  'list-total-foreign',
  'list-total-of-page',
  'create-rejected-leaves-row',
  'life-dispute-updates-all-submitted',
  'life-every-rejection-acts',
  'idem-not-implemented',
];

interface Measured {
  slowestRatio: number;
  faults: { fault: string; timeRatio: number }[];
}

/** Figure 7: duration of a run against a server with a fault, relative to a conforming server. */
export async function faults(): Promise<Figure[]> {
  const folder = newFolderPath();
  const { code, output } = await runNode([
    COMMAND,
    'prove',
    '--fault',
    SLOWEST_FAULTS.join(','),
    '--variation',
    'plain',
    '--out',
    folder,
  ]);
  if (code !== 0) throw new Error(`the proof exited with code ${code}:\n${output}`);
  const measured = JSON.parse(readFileSync(join(folder, 'cascade.json'), 'utf8')) as Measured;
  const slowest = measured.faults.toSorted((one, other) => other.timeRatio - one.timeRatio).slice(0, 3);
  return [
    {
      figure: '7 time of a run with a fault over a conforming one',
      measured: measured.slowestRatio.toFixed(2),
      bound: `≤ ${MAX_RATIO}`,
      kept: measured.slowestRatio <= MAX_RATIO,
      detail: slowest.map(({ fault, timeRatio }) => `${fault} ${timeRatio.toFixed(2)}`).join(', '),
    },
  ];
}
