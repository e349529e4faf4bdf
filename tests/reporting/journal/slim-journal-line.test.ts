import fc from 'fast-check';
import { expect, it } from 'vitest';
import { slimJournalLine } from '../../../reporting/journal/slim-journal-line.ts';
import type { ExchangeRecord } from '../../../specs/formats/journal.ts';
import { exchange, header, response } from './journal-builders.ts';

/** Texts that are similar to the searched members, and any others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        ',',
        '"',
        '\\',
        ':',
        'headers',
        '"headers":',
        ',"headers":',
        ',"response":',
        ',"failure":null}',
        'null',
      ),
    )
    .map((parts) => parts.join('')),
);
const headers = fc.array(fc.tuple(text, text));

const record: fc.Arbitrary<ExchangeRecord> = fc
  .record({
    request: fc.record({ method: text, url: text, headers, body: fc.option(text) }),
    response: fc.option(
      fc.record({
        status: fc.integer({ min: 100, max: 599 }),
        headers,
        body: text,
        bytes: fc.nat(),
        truncated: fc.boolean(),
      }),
    ),
    failure: fc.option(fc.record({ kind: text, message: text })),
    label: text,
  })
  .map((changes) => exchange('e1', changes));

it('keeps everything of an exchange except its headers and bodies', () => {
  fc.assert(
    fc.property(record, (written) => {
      const { request, response, ...rest } = written;
      expect(JSON.parse(slimJournalLine(Buffer.from(JSON.stringify(written))))).toEqual({
        ...rest,
        request: { method: request.method, url: request.url },
        response: response && { status: response.status },
      });
    }),
    { numRuns: 1000 },
  );
});

it('keeps other lines and truncated lines unchanged', () => {
  const other = JSON.stringify(header());
  expect(slimJournalLine(Buffer.from(other))).toBe(other);
  const line = Buffer.from(JSON.stringify(exchange('e1', { response: response('{"a":1}') })));
  for (let cut = 1; cut < line.length; cut += 1)
    expect(() => JSON.parse(slimJournalLine(line.subarray(0, cut)))).toThrow(SyntaxError);
});
