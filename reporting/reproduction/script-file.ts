import type { CheckReport } from '../../specs/formats/report.ts';

/** The folder with the scripts, below the folder of the run. */
export const REPRODUCTION_FOLDER = 'reproduce';

/** The file of the script that shows a failure again, relative to the folder of the run; null if there is no script. */
export function scriptFile({ id, reproduction }: Pick<CheckReport, 'id' | 'reproduction'>): string | null {
  return reproduction?.script == null ? null : `${REPRODUCTION_FOLDER}/${id}.sh`;
}
