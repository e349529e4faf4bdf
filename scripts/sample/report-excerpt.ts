import type { Report } from '../../specs/formats/report.ts';

const MAX_SHOWN_LENGTH = 100;

/** A part of a report that is short enough for a page: the verdict, its first cause and the check to start with. */
export function reportExcerpt(report: Report): unknown {
  const { schemaVersion, verdict, headline, verdictReason, exitCode, causes } = report;
  const check = report.checks.find(({ id }) => id === causes[0]?.startWith);
  if (!check) throw new Error('the report names no cause');
  const exchanges = check.exchanges.filter(({ id }) => id === check.decisive[0]);
  return shorten({
    schemaVersion,
    verdict,
    headline,
    verdictReason,
    exitCode,
    causes,
    checks: [{ ...check, exchanges }],
  });
}

/** The same value with one item of each list, and with the beginning of long texts. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_SHOWN_LENGTH ? beginningOf(value) : value;
  if (Array.isArray(value)) return value.slice(0, 1).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
}

/** The beginning of a text, without the word that the cut divides. */
function beginningOf(text: string): string {
  return `${text.slice(0, MAX_SHOWN_LENGTH).replace(/\w+$/, '')}…`;
}
