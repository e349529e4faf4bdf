import type { Report } from '../specs/report.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** A reading of a report. It makes text; whoever calls it owns the file. */
export interface Format {
  /** Its name inside the output directory. */
  readonly file: string;
  render(report: Report): string;
}

/** Every format that a report can be written in. */
export const formats = {
  json: { file: 'report.json', render: renderJson },
  html: { file: 'report.html', render: renderHtml },
  junit: { file: 'junit.xml', render: renderJunit },
  markdown: { file: 'summary.md', render: renderMarkdown },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
