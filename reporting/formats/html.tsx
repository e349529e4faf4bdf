/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Report } from '../../specs/formats/report.ts';
import { capitalize } from '../text/wording.ts';
import { renderDocument } from './html/document.tsx';
import { Page } from './html/page.tsx';

const STYLES = ['theme', 'text', 'overview', 'filter', 'findings', 'exchange', 'sections', 'narrow', 'print'];

/** The HTML report: one self-contained page. */
export function renderHtml(report: Report): string {
  return renderDocument({
    title: `${capitalize(report.headline)}: ${report.target.name}`,
    styles: STYLES,
    script: 'client.js',
    body: <Page report={report} />,
  });
}
