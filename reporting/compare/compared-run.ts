import type { Report } from '../../specs/formats/report.ts';

/** The part of a report that a comparison needs. The evidence of many runs would need much memory. */
export interface ComparedRun
  extends Pick<
    Report,
    'kit' | 'run' | 'target' | 'catalogue' | 'verdict' | 'headline' | 'requirements' | 'observations'
  > {
  /** Ids of the checks of the run. */
  readonly selected: readonly string[];
}

export function comparedRunOf(report: Report): ComparedRun {
  const { kit, run, target, catalogue, verdict, headline, requirements, observations, checks } = report;
  const selected = checks.map(({ id }) => id);
  return { kit, run, target, catalogue, verdict, headline, requirements, observations, selected };
}
