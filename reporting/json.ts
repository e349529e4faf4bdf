import type { Report } from '../specs/report.ts';
import { inertJson } from './visible.ts';

/** The report itself, as JSON that is also safe to print on a terminal. */
export function renderJson(report: Report): string {
  return inertJson(`${JSON.stringify(report, null, 2)}\n`);
}
