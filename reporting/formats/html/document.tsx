/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { codeFile } from '../../../specs/code-location.ts';
import { escapeControlCharacters } from '../../text/escape-control-characters.ts';

interface DocumentOptions {
  readonly title: string;
  /** The style sheets of the page in their order, names of files of `style/` without `.css`. */
  readonly styles: readonly string[];
  /** File of the script of the page; null for a page without script. */
  readonly script: string | null;
  readonly body: Child;
}

/** A self-contained page that loads nothing and runs only its own script. */
export function renderDocument({ title, styles, script, body }: DocumentOptions): string {
  const style = styles.map((name) => readPageFile(`style/${name}.css`)).join('');
  const code = script === null ? null : readPageFile(script);
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy(style, code)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        {body}
        {code === null ? null : <script>{raw(code)}</script>}
      </body>
    </html>
  );
  return `<!doctype html>\n${escapeControlCharacters(String(page))}\n`;
}

function readPageFile(name: string): string {
  // Browsers hash a page with line feeds only, whatever a checkout has written.
  return readFileSync(codeFile(`reporting/formats/html/${name}`), 'utf8').replaceAll('\r\n', '\n');
}

/** Allows only the style and script of the page, by their hashes. Injected content of a server cannot run. */
function contentSecurityPolicy(style: string, script: string | null): string {
  return [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    ...(script === null ? [] : [`script-src '${digestOf(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function digestOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
