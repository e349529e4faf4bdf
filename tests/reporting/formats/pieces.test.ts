import { beforeAll, describe, expect, it, test } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import type { Report } from '../../../specs/formats/report.ts';
import { everyCheck, exchange, leftover, observation, reportWith, result } from '../journal/journal-builders.ts';

const EACH = 2000;

let report: Report;
beforeAll(async () => {
  const ids = everyCheck.map((check) => Array.from({ length: EACH }, (_, at) => `${check}-${at}`));
  report = await reportWith(
    ...ids.flat().map((id) => exchange(id)),
    ...everyCheck.map((check, at) => result(check, 'pass', { exchanges: ids[at] ?? [] })),
    observation('first-state', { 'EVIL\u001b[31m': ['EVIL\u202e'], none: [], nothing: {} }),
  );
});

/** Length of the longest piece, in characters. */
const longest = (pieces: Iterable<string>) => Math.max(...[...pieces].map(({ length }) => length));

test('a report with ids of a megabyte can be opened', async () => {
  const [check = ''] = everyCheck;
  const id = 'x'.repeat(1024 * 1024);
  const request = { method: 'GET', url: `https://staging.example.com/api/v1/invoices/${id}`, headers: [], body: null };
  const exchanges = Array.from({ length: 20 }, (_, at) => `e-${at}`);
  const huge = await reportWith(
    ...exchanges.map((each) => exchange(each, { request })),
    result(check, 'fail', {
      exchanges,
      decisive: ['e-3'],
      reason: `invoice ${id} was not found`,
      expected: `invoice ${id}`,
      actual: `404 ${id}`,
    }),
    observation('first-state', id),
    leftover({ id }),
  );
  for (const format of Object.values(formats)) expect(renderReport(format, huge).length).toBeLessThan(id.length);
});

describe('a report of very many exchanges', () => {
  it('is JSON, written one exchange at a time', () => {
    expect(longest(formats.json.pieces(report))).toBeLessThan(1000);
  });

  it('is a page whose size does not depend on the number of exchanges', async () => {
    const few = await reportWith(observation('first-state', 'DRAFT'));
    const [large, small] = [report, few].map((each) => renderReport(formats.html, each).length);
    expect(large).toBeLessThan(1.1 * (small ?? 0));
  });

  it('is indented as usual and contains no active character', () => {
    const text = renderReport(formats.json, report);
    const plain = JSON.stringify(report, null, 2).replaceAll('\u202e', '\\u202e');
    expect(text).toBe(`${plain}\n`);
  });
});
