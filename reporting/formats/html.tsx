/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Report } from '../../specs/report.ts';
import { escapeControlCharacters } from '../text/escape-control-characters.ts';
import { Page } from './html/page.tsx';

/** The style sheets of the page, in their order. */
const STYLES = ['theme', 'text', 'overview', 'filter', 'findings', 'exchange', 'sections', 'narrow', 'print'];

/** The HTML report: a self-contained page that runs only its own script. */
export function renderHtml(report: Report): string {
  const style = STYLES.map((name) => readPageFile(`style/${name}.css`)).join('');
  const script = readPageFile('client.js');
  const policy = contentSecurityPolicy(style, script);
  const page = <Page report={report} style={style} script={script} policy={policy} />;
  return `<!doctype html>\n${escapeControlCharacters(String(page))}\n`;
}

function readPageFile(name: string): string {
  // Browsers hash a page with line feeds only, whatever a checkout has written.
  return readFileSync(new URL(`./html/${name}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
}

/** Allows only the style and script of the page, by their hashes. Injected content of a server cannot run. */
function contentSecurityPolicy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    `script-src '${digestOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function digestOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
