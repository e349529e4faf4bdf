import { XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { ACTIVE, HOSTILE, MARK } from '../../reporting/formats/hostile-report.ts';
import { answering, startFront } from '../support/hostile-proxy.ts';
import { type Judged, judged } from '../support/judged-run.ts';

/** The characters that a header may contain. */
const IN_HEADER = 'EVIL</script><b> ]]> ::error::forged ##[error]forged http://evil.example/';

let run: Judged;

beforeAll(async () => {
  const body = JSON.stringify({
    error: HOSTILE,
    message: HOSTILE,
    [HOSTILE]: HOSTILE,
    items: [{ id: HOSTILE, status: HOSTILE }],
  });
  const strike = answering(`418 ${IN_HEADER}`, body, { 'X-Evil': IN_HEADER, Location: IN_HEADER });
  // The preflight gets normal responses, so that all hostile responses go to checks.
  const front = await startFront({ strikes: (count) => (count > 6 ? strike : null) });
  run = await judged(front.target());
  await front.close();
});

describe('a server whose responses all contain executable text', () => {
  test('fails, and its texts are shown', () => {
    expect(run.exitCode).toBe(1);
    expect(run.said).toContain(MARK);
  });

  test('changes neither the colours of the terminal nor the commands of the log reader', () => {
    expect(run.said.match(new RegExp(ACTIVE, 'gu')) ?? []).toEqual([]);
    expect(run.said).not.toMatch(/^\s*::/m);
    expect(run.said).not.toMatch(/##(?:\w+)?\[/);
  });

  test.each(Object.entries(formats))('is inert in %s', (_, format) => {
    if (!run.report) throw new Error('nothing was judged');
    const text = renderReport(format, run.report);
    // A badge shows no text of the server.
    expect(text.includes(MARK)).toBe(format !== formats.badge);
    expect(text.match(new RegExp(ACTIVE, 'gu')) ?? []).toEqual([]);
    if (text.startsWith('<?xml')) expect(XMLValidator.validate(text)).toBe(true);
    if (/^<!doctype html>/i.test(text)) expect(text.match(/<script/g)).toHaveLength(1);
  });

  test('produces evidence with one record per line', () => {
    for (const line of run.evidence.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });
});
