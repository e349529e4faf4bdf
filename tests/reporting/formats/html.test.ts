import { describe, expect, it } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { indentJson } from '../../../reporting/formats/html/body-text.ts';
import { SCRIPT } from '../../../reporting/formats/html/script.ts';
import type { Report } from '../../../specs/report.ts';
import {
  everyCheck,
  exchange,
  leftover,
  observation,
  reportWith,
  response,
  result,
} from '../journal/journal-builders.ts';

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
  it('shows every part that has something to say, in the order in which people need it', async () => {
    const page = renderReport(formats.html, await sample());
    const titles = [...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title?.trim());
    expect(titles).toEqual([
      'Non-conformant for profile full',
      'Failures',
      'Errors of the kit',
      'Blocked checks',
      'Warnings',
      'Requirements',
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

  it('leads every link inside the page to something that is there, once', async () => {
    const page = renderReport(formats.html, await sample());
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, goal] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(goal);
  });

  it.each(['fail', 'error', 'warn', 'pass', 'not-applicable'] as const)(
    'finds the check that blocks others when it is %s',
    async (verdict) => {
      const page = renderReport(
        formats.html,
        await reportWith(result(first, verdict), result(second, 'blocked', { blockedBy: first })),
      );
      const [, goal] = /<a href="#([^"]*)"><code>/.exec(page) ?? [];
      expect(page).toContain(`id="${goal}"`);
    },
  );

  it('shows the deciding exchange whole, and the others of the check to open', async () => {
    const page = renderReport(formats.html, await sample());
    expect(page).toContain('1 other exchange');
    expect(page).toContain('<span class="n">100.50</span>');
    expect(page).toContain('&quot;X-API-Key: $CONFORMANCE_SELLER_KEY&quot;');
  });

  it('needs no script: what the script works with is hidden until it runs, and the script can be parsed', async () => {
    const page = renderReport(formats.html, await sample());
    expect(page).toMatch(/<form id="filter"[^>]* hidden>/);
    expect(page).toMatch(/class="copy" hidden>/);
    expect(page.match(/\shidden>/g)).toHaveLength(2);
    expect(() => new Function(SCRIPT)).not.toThrow();
    expect(SCRIPT).not.toContain('</');
  });
});

describe('a JSON body on the page', () => {
  it('is indented without a change to what was sent', () => {
    expect(indentJson('{"a":[1.50,{}, []],"a" : "x:{,}\\"y"}')).toBe(
      '{\n  "a": [\n    1.50,\n    {},\n    []\n  ],\n  "a": "x:{,}\\"y"\n}',
    );
    expect(indentJson(' "text" ')).toBe('"text"');
  });

  it('is as JSON.stringify would lay it out', () => {
    const value = { a: { b: [1, [2, { c: null }], {}], d: [] }, e: 'f', g: [true, -1.5e-7] };
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  it('is left as it came when it is no JSON, or nested to do harm', () => {
    expect(indentJson('<html>')).toBeNull();
    expect(indentJson(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toBeNull();
  });
});
