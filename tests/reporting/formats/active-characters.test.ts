import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleSummary } from '../../../reporting/formats/console.ts';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import type { Report } from '../../../specs/formats/report.ts';
import { reportOf } from '../journal/journal-builders.ts';
import { ACTIVE, HOSTILE, hostileRecords, hostileReport, MARK } from './hostile-report.ts';

/** A fenced block of Markdown. */
const BLOCK = /^(`{3,})sh\n[\s\S]*?\n\1$/gm;

let report: Report;
beforeAll(async () => {
  report = await hostileReport();
});

describe.each(Object.entries(formats))('a hostile server in the format %s', (name, format) => {
  it('adds no active character', () => {
    const text = renderReport(format, report);
    // A badge shows no text of the server.
    expect(text.includes(MARK)).toBe(name !== 'badge');
    expect(text.match(new RegExp(ACTIVE, 'gu')) ?? []).toEqual([]);
  });
});

describe('a hostile server', () => {
  it('adds no command to the script of a failure', async () => {
    // A command line cannot contain NUL characters, so a request with them has no script.
    const records = JSON.parse(
      JSON.stringify(hostileRecords(), (_, value) => (typeof value === 'string' ? value.replaceAll('\0', '') : value)),
    );
    const script = (await reportOf(records)).checks[0]?.reproduction?.script ?? '';
    expect(script).toContain(MARK);
    // A shell that executes nothing but the functions shows an unbalanced quotation mark, and commands outside of quotes.
    const words = script.slice(script.indexOf('\ncall step1'));
    const run = `call() { :; }; accepted() { :; }; holds() { return 0; }; work=/nonexistent; cat() { echo 200; }; head() { :; }; PATH=/nonexistent\n${words}`;
    const { status, stderr } = spawnSync('/bin/sh', ['-u', '-c', `BASE_URL=b RUN=r RUN_UPPER=R\n${run}`], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, '']);
  });

  it('adds no element, attribute or script to the page', () => {
    const page = renderReport(formats.html, report);
    const own = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '');
    const tags = [...own.matchAll(/<(!?[a-z][a-z0-9]*)((?:\s+[a-zA-Z0-9-]+(?:="[^"<>]*")?)*)\s*\/?>/gi)];
    const closing = own.match(/<\/[a-z][a-z0-9]*>/g) ?? [];
    expect(tags.length + closing.length).toBe(own.match(/</g)?.length);
    const attributes = tags.flatMap(([, , text = '']) => [...text.matchAll(/\s([a-zA-Z0-9-]+)(?:="([^"]*)")?/g)]);
    const names = new Set(attributes.map(([, name]) => name));
    for (const name of ['src', 'style', 'onerror', 'onload', 'onmouseover', 'action'])
      expect(names).not.toContain(name);
    for (const [, name, value] of attributes) if (name === 'href') expect(value).toMatch(/^#/);
    expect(new Set(tags.map(([, name]) => name))).not.toContain('img');
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  it('is restricted by a policy that allows only the style and script of the page', () => {
    const page = renderReport(formats.html, report);
    const policy =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    for (const kind of ['style', 'script']) {
      const content = new RegExp(`<${kind}>([\\s\\S]*?)</${kind}>`).exec(page)?.[1] ?? '';
      const digest = createHash('sha256').update(content).digest('base64');
      expect(policy).toContain(`${kind}-src 'sha256-${digest}'`);
    }
  });

  it('cannot make the XML malformed or add an element', () => {
    const xml = renderReport(formats.junit, report);
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).not.toMatch(/<!\[CDATA|<!--|<img|<script/);
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(xml);
    expect(Object.keys(parsed.testsuites)).toEqual(expect.arrayContaining(['testsuite', '@_name']));
  });

  it('appears in the Markdown only as code', () => {
    const markdown = renderReport(formats.markdown, report);
    const withoutBlocks = markdown.replace(BLOCK, '');
    const withoutCode = withoutBlocks.replace(
      /(?<!`)(`+)(?!`)(?:[^`\n]|`(?!\1)|(?!(?<!`)\1(?!`))`)*?(?<!`)\1(?!`)/g,
      '',
    );
    expect(markdown).toContain(MARK);
    expect(withoutCode).not.toContain(MARK);
    expect(withoutCode).not.toContain('`');
  });

  it('cannot break a row of a Markdown table', () => {
    const withoutBlocks = renderReport(formats.markdown, report).replace(BLOCK, '');
    const rows = withoutBlocks.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) expect(row.split('|')).toHaveLength(5);
  });

  it('stays complete in the JSON', () => {
    expect(JSON.parse(renderReport(formats.json, report))).toEqual(JSON.parse(JSON.stringify(report)));
  });

  it('changes neither the colours of the terminal nor the commands of the log reader', () => {
    const plain = consoleSummary(report, { color: false, width: 80, reportPath: 'out/report.html' });
    expect(plain.match(new RegExp(ACTIVE, 'gu')) ?? []).toEqual([]);
    expect(plain).toContain(MARK);
    expect(plain).not.toMatch(/^\s*::/m);
    expect(plain).not.toMatch(/##(?:\w+)?\[/);

    const painted = consoleSummary(report, { color: true, width: 80, reportPath: 'out/report.html' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test removes the kit's own colours
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  it('is visible: escapes stay readable', () => {
    expect(HOSTILE).toContain('\u001b');
    expect(renderReport(formats.html, report)).toContain('EVIL\\u001b[31mred');
    expect(renderReport(formats.html, report)).toContain('EVIL\\u202egnp.exe');
  });
});
