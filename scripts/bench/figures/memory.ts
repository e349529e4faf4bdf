import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JOURNAL_FILE } from '../../../engine/evidence/journal.ts';
import { type Figure, median, repeatRounds } from '../figure.ts';
import { readRunEvidence } from '../journal.ts';
import { longJournal } from '../long-journal.ts';
import { newFolderPath, runCommand, runNode, startServer, stopServers, writeScratchFile } from '../processes.ts';

const WRITER_SCRIPT = fileURLToPath(new URL('../children/journal-load.ts', import.meta.url));
const SMALL_RUN_EXCHANGES = 5_000;
const LARGE_RUN_EXCHANGES = 50_000;
const MAX_MEMORY_MB = 300;

/** Figure 5: growth of memory with the evidence. */
export async function memory(rounds: number): Promise<Figure[]> {
  const reading = await repeatRounds(rounds, async () => {
    const folder = newFolderPath();
    await runCommand(['run', '--out', folder]);
    const { records } = await readRunEvidence(folder);
    const peak = async (exchanges: number) => {
      const longer = newFolderPath();
      mkdirSync(longer);
      longJournal(records, exchanges, join(longer, JOURNAL_FILE));
      return (await runCommand(['report', longer])).peakMb;
    };
    return { few: await peak(SMALL_RUN_EXCHANGES), many: await peak(LARGE_RUN_EXCHANGES) };
  });
  const writing = await repeatRounds(rounds, async () => {
    const service = await startServer('service.ts');
    const target = writeScratchFile('writing.json', service.target);
    const peak = async (exchanges: number) => {
      const { code, output, peakMb } = await runNode([
        `--import=tsx`,
        WRITER_SCRIPT,
        target,
        newFolderPath(),
        String(exchanges),
      ]);
      if (code !== 0) throw new Error(output);
      return peakMb;
    };
    const measured = { few: await peak(SMALL_RUN_EXCHANGES), many: await peak(LARGE_RUN_EXCHANGES) };
    stopServers();
    return measured;
  });
  return [...memoryFigures('a run of', writing), ...memoryFigures('conformance report on', reading)];
}

function memoryFigures(what: string, runs: readonly { few: number; many: number }[]): Figure[] {
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
      bound: `< ${MAX_MEMORY_MB} MB`,
      kept: many < MAX_MEMORY_MB,
      detail,
    },
  ];
}
