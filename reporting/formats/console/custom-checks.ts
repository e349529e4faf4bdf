import type { CustomAreaReport, Report } from '../../../specs/formats/report.ts';
import { countCustomVerdicts } from '../../report/custom-areas.ts';
import { sanitize, type Writer } from './writer.ts';

/** The custom checks that did not pass, in full. */
export function customBlocks({ custom }: Report, write: Writer): string[] {
  return custom.flatMap(({ area, requirements }) =>
    requirements.flatMap(({ id, statement, place, checks }) =>
      checks
        .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
        .map((check) =>
          [
            `${write.colours.red(check.verdict.toUpperCase())} ${check.id} ${sanitize(check.title)} ${write.colours.dim(`(custom check, ${area})`)}`,
            ...write.line('requirement', `${id} ${statement}`),
            ...write.line('source', place),
            ...write.line('expected', check.expected),
            ...write.line('actual', check.actual),
            ...write.line('reason', check.reason),
          ].join('\n'),
        ),
    ),
  );
}

/** One line for each area. */
export function customCounts({ custom }: Report): string[] {
  return custom.map((area) => `custom checks, ${sanitize(areaCounts(area))}`);
}

/** `partner-portal: 3 passed · 1 failed`. */
function areaCounts(area: CustomAreaReport): string {
  return `${area.area}: ${countCustomVerdicts(area, ' · ')}`;
}
