import { type Figure, median, repeatRounds } from '../figure.ts';
import { newFolderPath, runCommand } from '../processes.ts';

const MAX_SECONDS = { smoke: 2, core: 5, full: 8 };

/** Figure 6: time from the start of the command to its verdict, against the reference service. */
export async function profiles(rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [profile, bound] of Object.entries(MAX_SECONDS)) {
    const runs = await repeatRounds(rounds, () => runCommand(['run', '--profile', profile, '--out', newFolderPath()]));
    const measured = median(runs.map(({ wallMs }) => wallMs)) / 1000;
    const cpu = median(runs.map(({ cpuMs }) => cpuMs)) / 1000;
    const peak = median(runs.map(({ peakMb }) => peakMb));
    figures.push({
      figure: `6 seconds to the verdict, ${profile}`,
      measured: measured.toFixed(1),
      bound: `< ${bound}`,
      kept: measured < bound,
      detail: `${cpu.toFixed(1)} s of CPU time and ${peak.toFixed(0)} MB at most, including vitest and the service`,
    });
  }
  return figures;
}
