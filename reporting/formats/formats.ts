import type { Report } from '../../specs/formats/report.ts';
import { badgePieces } from './badge.ts';
import { ctrfPieces } from './ctrf.ts';
import { gitlabPieces } from './gitlab.ts';
import { renderHtml } from './html.tsx';
import { jsonPieces } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** Choices of the user, for all formats. */
export interface FormatOptions {
  /** Whether junit.xml shows blocked required checks as errors. Most CI servers show skipped tests as green. */
  readonly areBlockedErrors?: boolean;
}

/** An output format of a report. It returns text; the caller writes the file. */
export interface Format {
  /** File name in the output folder. */
  readonly file: string;
  /** The text, in pieces. */
  pieces(report: Report, options?: FormatOptions): Generator<string, void, undefined>;
}

/** All output formats, by name. */
export const formats = {
  json: { file: 'report.json', pieces: jsonPieces },
  html: { file: 'report.html', pieces: asSinglePiece(renderHtml) },
  junit: { file: 'junit.xml', pieces: asSinglePiece(renderJunit) },
  markdown: { file: 'summary.md', pieces: asSinglePiece(renderMarkdown) },
  ctrf: { file: 'ctrf.json', pieces: ctrfPieces },
  gitlab: { file: 'gl-code-quality-report.json', pieces: gitlabPieces },
  badge: { file: 'badge.svg', pieces: badgePieces },
} as const satisfies Record<string, Format>;

/** The complete text of a report in one format. */
export function renderReport(format: Format, report: Report): string {
  return [...format.pieces(report)].join('');
}

function asSinglePiece(render: (report: Report, options: FormatOptions) => string): Format['pieces'] {
  return function* (report, options = {}) {
    yield render(report, options);
  };
}

export type FormatName = keyof typeof formats;
