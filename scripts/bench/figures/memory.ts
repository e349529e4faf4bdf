import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JOURNAL_FILE } from '../../../engine/evidence/journal.ts';
import { type Figure, median, repeated } from '../figure.ts';
import { journalOf } from '../journal.ts';
import { longJournal } from '../long-journal.ts';
import { command, dismiss, file, newFolder, node, serving } from '../processes.ts';

const WRITING = fileURLToPath(new URL('../children/writing.ts', import.meta.url));
const FEW = 5_000;
const MANY = 50_000;
const LIMIT_MB = 300;

/** Figure 5: whether memory grows with the evidence. */
export async function memory(rounds: number): Promise<Figure[]> {
  const reading = await repeated(rounds, async () => {
    const folder = newFolder();
    await command(['run', '--out', folder]);
    const { records } = await journalOf(folder);
    const peak = async (exchanges: number) => {
      const longer = newFolder();
      mkdirSync(longer);
      longJournal(records, exchanges, join(longer, JOURNAL_FILE));
      return (await command(['report', longer])).peakMb;
    };
    return { few: await peak(FEW), many: await peak(MANY) };
  });
  const writing = await repeated(rounds, async () => {
    const service = await serving('service.ts');
    const target = file('writing.json', service.target);
    const peak = async (exchanges: number) => {
      const { code, output, peakMb } = await node([`--import=tsx`, WRITING, target, newFolder(), String(exchanges)]);
      if (code !== 0) throw new Error(output);
      return peakMb;
    };
    const measured = { few: await peak(FEW), many: await peak(MANY) };
    dismiss();
    return measured;
  });
  return [...figures('a run of', writing), ...figures('conformance report on', reading)];
}

function figures(what: string, runs: readonly { few: number; many: number }[]): Figure[] {
  const over = median(runs.map(({ few, many }) => many / few));
  const [few, many] = [median(runs.map((each) => each.few)), median(runs.map((each) => each.many))];
  const detail = `${many.toFixed(0)} MB against ${few.toFixed(0)} MB`;
  return [
    {
      figure: `5 peak memory, ${what} 50,000 exchanges over 5,000`,
      measured: over.toFixed(2),
      bound: '≤ 1.3',
      kept: over <= 1.3,
      detail,
    },
    {
      figure: `5 peak memory, ${what} 50,000`,
      measured: `${many.toFixed(0)} MB`,
      bound: `< ${LIMIT_MB} MB`,
      kept: many < LIMIT_MB,
      detail,
    },
  ];
}
