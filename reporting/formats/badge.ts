import { makeBadge } from 'badge-maker';
import type { Report } from '../../specs/formats/report.ts';
import { pluralize } from '../text/wording.ts';

const COLORS: Record<Report['verdict'], string> = {
  conformant: 'brightgreen',
  passed: 'green',
  inconclusive: 'yellow',
  'non-conformant': 'red',
};

/** An SVG badge: `conformance | conformant (full)`, `conformance | 3 requirements failed (full)`, with a note about exceptions. */
export function* badgePieces({ verdict, run, summary, exceptions }: Report): Generator<string, void, undefined> {
  const failed = summary.requirements.fail;
  const result = failed > 0 ? `${pluralize(failed, 'requirement')} failed` : verdict;
  const scope = exceptions.length === 0 ? run.profile : `${run.profile}, ${pluralize(exceptions.length, 'exception')}`;
  yield `${makeBadge({ label: 'conformance', message: `${result} (${scope})`, color: COLORS[verdict] })}\n`;
}
