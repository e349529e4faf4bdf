import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cascade } from '../../../cli/prove/cascade/cascade.ts';
import { allFaults } from '../../../reference/faults/all.ts';
import { type Figure, median, ratioFigure } from '../figure.ts';
import { COMMAND, newFolderPath, runNode } from '../processes.ts';

const MAX_MEDIAN_TIME = 1.2;
const MAX_TIME = 2.5;
const MAX_REQUESTS = 1.5;
/** Besides the slowest faults, each nth one of the catalogue. */
const SAMPLE_EVERY = 20;

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

/** Figure 7: duration and requests of a run against a server with a fault, relative to a conforming server. */
export async function faults(): Promise<Figure[]> {
  const folder = newFolderPath();
  const { code, output } = await runNode([
    COMMAND,
    'prove',
    '--fault',
    [...new Set([...SLOWEST_FAULTS, ...sample()])].join(','),
    '--variation',
    'plain',
    '--out',
    folder,
  ]);
  if (code !== 0) throw new Error(`the proof exited with code ${code}:\n${output}`);
  const measured = cascade.parse(JSON.parse(readFileSync(join(folder, 'cascade.json'), 'utf8')));
  const times = measured.faults.map(({ fault, timeRatio }) => ({ fault, ratio: timeRatio }));
  const requests = measured.faults.map((row) => ({ fault: row.fault, ratio: row.requests / measured.honest.requests }));
  const medianTime = median(times.map(({ ratio }) => ratio));
  return [
    ratioFigure('7 time of a run with a fault, median', medianTime, MAX_MEDIAN_TIME, `${times.length} faults`),
    worstFigure('7 time of a run with a fault, worst', times, MAX_TIME),
    worstFigure('7 requests of a run with a fault, worst', requests, MAX_REQUESTS),
  ];
}

function sample(): string[] {
  return allFaults.filter((_, at) => at % SAMPLE_EVERY === 0).map(({ id }) => id);
}

function worstFigure(figure: string, ratios: readonly { fault: string; ratio: number }[], bound: number): Figure {
  const worst = ratios.toSorted((one, other) => other.ratio - one.ratio).slice(0, 3);
  const detail = worst.map(({ fault, ratio }) => `${fault} ${ratio.toFixed(2)}`).join(', ');
  return ratioFigure(figure, worst[0]?.ratio ?? 0, bound, detail);
}
