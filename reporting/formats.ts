import type { Report } from '../specs/report.ts';
import { htmlPieces } from './html.ts';
import { jsonPieces } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** A reading of a report. It makes text; whoever calls it owns the file. */
export interface Format {
  /** Its name inside the output directory. */
  readonly file: string;
  /** The text, one piece after the other. */
  pieces(report: Report): Generator<string, void, undefined>;
}

/** Every format that a report can be written in. */
export const formats = {
  json: { file: 'report.json', pieces: jsonPieces },
  html: { file: 'report.html', pieces: htmlPieces },
  junit: { file: 'junit.xml', pieces: asSinglePiece(renderJunit) },
  markdown: { file: 'summary.md', pieces: asSinglePiece(renderMarkdown) },
} as const satisfies Record<string, Format>;

/** The whole text of a report in one of its formats. */
export function renderReport(format: Format, report: Report): string {
  return [...format.pieces(report)].join('');
}

function asSinglePiece(render: (report: Report) => string): Format['pieces'] {
  return function* (report) {
    yield render(report);
  };
}

export type FormatName = keyof typeof formats;
