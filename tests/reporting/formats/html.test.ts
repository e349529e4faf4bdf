import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { jsonLines } from '../../../reporting/formats/html/elements/json-lines.ts';
import type { Report } from '../../../specs/formats/report.ts';
import {
  everyCheck,
  exchange,
  leftover,
  observation,
  reportWith,
  response,
  result,
} from '../journal/journal-builders.ts';

const SCRIPT = readFileSync(new URL('../../../reporting/formats/html/client.js', import.meta.url), 'utf8');

/** The lines of indented JSON, as one text. */
function indentJson(text: string): string | null {
  const lines = jsonLines(text)?.map(({ indent, tokens }) => '  '.repeat(indent) + tokens.join(''));
  return lines?.join('\n') ?? null;
}

const [first = '', second = '', third = '', fourth = ''] = everyCheck;

function sample(): Promise<Report> {
  return reportWith(
    exchange('e1', { label: 'seller: create invoice' }),
    exchange('e2', { response: response('{"amount": 100.50}') }),
    result(first, 'fail', { exchanges: ['e1', 'e2'], decisive: ['e2'] }),
    result(second, 'blocked', { blockedBy: first, reason: 'the control was refused' }),
    result(third, 'error'),
    result(fourth, 'warn'),
    observation('first-state', 'DRAFT'),
    leftover(),
  );
}

describe('the page', () => {
  it('shows every part with content, in the order of importance', async () => {
    const page = renderReport(formats.html, await sample());
    const titles = [...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title?.trim());
    expect(titles).toEqual([
      'Non-conformant for profile full',
      'The 2 most likely defects',
      'Errors of the kit',
      'Blocked checks',
      'Invoice lifecycle',
      'Requirements by area',
      'Requirements',
      'Timings',
      'Unspecified behaviour',
      'Could not be cleaned up',
    ]);
  });

  it('has no heading that skips a level', async () => {
    const page = renderReport(formats.html, await sample());
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    levels.forEach((level, index) => {
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
    });
  });

  it('has only internal links with a unique target', async () => {
    const page = renderReport(formats.html, await sample());
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, goal] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(goal);
  });

  it.each(['fail', 'error', 'warn', 'pass', 'not-applicable'] as const)(
    'finds the check that blocks others if it is %s',
    async (verdict) => {
      const page = renderReport(
        formats.html,
        await reportWith(result(first, verdict), result(second, 'blocked', { blockedBy: first })),
      );
      const [, goal] = /<a href="#([^"]*)"><code>/.exec(page) ?? [];
      expect(page).toContain(`id="${goal}"`);
    },
  );

  it('shows the deciding exchange in full, and the other exchanges on demand', async () => {
    const page = renderReport(formats.html, await sample());
    expect(page).toMatch(/<li value="1" class="set-up">.*<li value="2" class="act">/s);
    expect(page).toContain('<span class="n">100.50</span>');
    expect(page).toContain('&quot;X-API-Key: $CONFORMANCE_SELLER_KEY&quot;');
  });

  it('works without script: controls are hidden until the script runs, and the script is valid', async () => {
    const page = renderReport(formats.html, await sample());
    expect(page).toMatch(/<form id="filter"[^>]* hidden="">/);
    expect(page).toMatch(/class="copy" hidden="">/);
    expect(page.match(/\shidden="">/g)).toHaveLength(1 + (page.match(/class="copy"/g)?.length ?? 0));
    expect(() => new Function(SCRIPT)).not.toThrow();
    expect(SCRIPT).not.toContain('</');
  });
});

describe('a JSON body on the page', () => {
  it('is indented without a change of its content', () => {
    expect(indentJson('{"a":[1.50,{}, []],"a" : "x:{,}\\"y"}')).toBe(
      '{\n  "a": [\n    1.50,\n    {},\n    []\n  ],\n  "a": "x:{,}\\"y"\n}',
    );
    expect(indentJson(' "text" ')).toBe('"text"');
  });

  it('is formatted like JSON.stringify', () => {
    const value = { a: { b: [1, [2, { c: null }], {}], d: [] }, e: 'f', g: [true, -1.5e-7] };
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  it('knows the path of each line', () => {
    const paths = jsonLines('{"a":[{"b c":1},2,[]],"d":{}}')?.map(({ path }) => path);
    expect(paths).toEqual(['', '.a', '.a[0]', '.a[0].["b c"]', null, '.a[1]', '.a[2]', null, '.d', null]);
  });

  it('is unchanged if it is not JSON, or nested too deeply', () => {
    expect(indentJson('<html>')).toBeNull();
    expect(indentJson(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toBeNull();
  });
});
