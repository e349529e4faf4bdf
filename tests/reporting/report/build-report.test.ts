import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../reporting/report/build-report.ts';
import { report as reportShape } from '../../../specs/formats/report.ts';
import {
  everyCheck,
  exchange,
  footer,
  header,
  leftover,
  observation,
  reportOf,
  reportWith,
  response,
  result,
  stream,
} from '../journal/journal-builders.ts';

const [first = '', second = '', third = ''] = everyCheck;

describe('building a report from a journal', () => {
  it('returns a report that matches its schema', async () => {
    const report = await reportWith(
      exchange('e1', { check: first }),
      result(first, 'fail', { exchanges: ['e1'], decisive: ['e1'] }),
      observation('first-state', 'DRAFT'),
      leftover(),
    );
    expect(reportShape.parse(report)).toEqual(report);
    expect(reportShape.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });

  it('is a pure function of the records', async () => {
    const records = [header(), exchange('e1'), result(first, 'pass', { exchanges: ['e1'] }), footer()];
    expect(await reportOf(records)).toEqual(await reportOf(structuredClone(records)));
  });

  it('sorts checks and requirements in catalogue order', async () => {
    const results = everyCheck.map((id) => result(id, 'pass')).reverse();
    const report = await reportOf([header({ selected: [...everyCheck].reverse() }), ...results, footer()]);
    expect(report.checks.map((check) => check.id)).toEqual(everyCheck);
    expect(report.requirements.map(({ id }) => id)).toEqual(['AUTH-01', 'LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04']);
  });

  it('contains the full exchanges of checks that did not pass, and one line for the others', async () => {
    const report = await reportWith(
      exchange('e0'),
      exchange('e1', { check: first }),
      exchange('e2', { check: second }),
      result(first, 'pass', { exchanges: ['e1'] }),
      result(second, 'blocked', { exchanges: ['e2'] }),
    );
    expect(report.evidence.map(({ id }) => id)).toEqual(['e2']);
    expect(report.checks[0]?.exchanges).toEqual([
      expect.objectContaining({ id: 'e1', method: 'GET', status: 200, failure: null }),
    ]);
    expect(report.summary.exchanges).toBe(3);
  });

  it('contains the deciding and the last exchanges of a check with many', async () => {
    const looks = Array.from({ length: 100 }, (_, at) => exchange(`e${at}`, { check: first }));
    const ids = looks.map(({ id }) => id);
    const report = await reportWith(...looks, result(first, 'fail', { exchanges: ids, decisive: ['e3'] }));
    expect(report.evidence.map(({ id }) => id)).toEqual(['e3', ...ids.slice(-8)]);
    expect(report.checks[0]?.exchanges).toHaveLength(100);
  });

  it('contains only the deciding exchange if there are too many', async () => {
    const large = response('x'.repeat(1024 * 1024));
    const looks = Array.from({ length: 16 }, (_, at) =>
      exchange(`e${at}`, { check: at < 8 ? first : second, response: large }),
    );
    const ids = looks.map(({ id }) => id);
    const report = await reportWith(
      ...looks,
      result(first, 'fail', { exchanges: ids.slice(0, 8), decisive: ['e7'] }),
      result(second, 'fail', { exchanges: ids.slice(8), decisive: ['e15'] }),
    );
    expect(report.evidence.map(({ id }) => id)).toEqual([...ids.slice(0, 8), 'e15']);
  });

  it('gives the reason for an exchange without a response', async () => {
    const silent = exchange('e1', { response: null, failure: { kind: 'timeout', message: 'no answer within 10 s' } });
    const report = await reportWith(silent, result(first, 'error', { exchanges: ['e1'] }));
    expect(report.checks[0]?.exchanges[0]).toMatchObject({ status: null, failure: 'timeout: no answer within 10 s' });
  });

  it('counts checks, and requirements with checks in the run', async () => {
    const report = await reportWith(result(first, 'fail'), result(second, 'warn'));
    expect(report.summary.checks).toEqual({ fail: 1, error: 0, blocked: 0, warn: 1, pass: 2, 'not-applicable': 0 });
    expect(report.summary.requirements).toEqual({
      fail: 1,
      error: 0,
      blocked: 0,
      warn: 0,
      pass: 2,
      'not-applicable': 0,
    });
  });

  it('shows where a failure differs, and the shared requests that prepared it', async () => {
    const base = 'https://staging.example.com/api/v1/invoices';
    const post = (id: string, label: string, url: string, check: string | null) =>
      exchange(id, {
        check,
        label,
        request: { method: 'POST', url, headers: [], body: null },
        response: response('{"id":"inv-000001","status":"CANCELLED"}'),
      });
    const report = await reportWith(
      post('e1', 'seller: create', base, null),
      post('e2', 'seller: create', base, null),
      post('e3', 'seller: cancel', `${base}/inv-000001/cancel`, first),
      result(first, 'fail', { exchanges: ['e3'], decisive: ['e3'], expectation: { status: [412] } }),
    );
    const [check] = report.checks;
    expect(check?.differences).toEqual([{ path: 'status', expected: '412', actual: '200' }]);
    expect(check?.reproduction?.script).toContain('/cancel');
    expect(check?.setUp.map(({ label }) => label)).toContain('seller: create');
  });

  it('counts a check that ran twice with its worse result', async () => {
    const report = await reportOf([
      header({ selected: [first] }),
      result(first, 'fail'),
      result(first, 'pass'),
      footer(),
    ]);
    expect(report.checks[0]?.verdict).toBe('fail');
  });

  it('omits the result of a check that the run did not select', async () => {
    const report = await reportOf([
      header({ selected: [first] }),
      result(first, 'pass'),
      result(second, 'fail'),
      footer(),
    ]);
    expect(report.verdict).toBe('conformant');
    expect(report.checks.map((check) => check.id)).toEqual([first]);
  });

  it('gives the reason of an exclusion to the requirement without checks', async () => {
    const excluded = [{ check: third, allowance: 'reset', reason: 'allow.reset is false' }];
    const selected = everyCheck.filter((id) => id !== third);
    const report = await reportOf([header({ selected, excluded }), footer()]);
    expect(report.requirements[1]).toMatchObject({ verdict: 'not-selected', reason: 'allow.reset is false' });
  });

  it('keeps every distinct observation, in catalogue order', async () => {
    const report = await reportWith(
      observation('unknown', 1),
      observation('settle-time', 'immediate'),
      observation('first-state', 'DRAFT'),
      observation('settle-time', 'delayed'),
      observation('settle-time', 'immediate'),
    );
    expect(report.observations.map(({ id, value }) => [id, value])).toEqual([
      ['first-state', 'DRAFT'],
      ['settle-time', 'delayed'],
      ['settle-time', 'immediate'],
      ['unknown', 1],
    ]);
  });
});

describe('building a report from the journal of a run that ended early', () => {
  const cutOff = [
    header(),
    result(first, 'pass'),
    exchange('e1', { check: second, at: '2026-01-31T09:30:09.000Z' }),
    exchange('e2'),
  ];

  it('says so, and ends the run at the last record with a time', async () => {
    const report = await reportOf(cutOff);
    expect(report.run.interrupted).toBe('the journal has no footer: the run ended early');
    expect(report.run.finishedAt).toBe('2026-01-31T09:30:09.000Z');
    expect(report.summary.durationMs).toBe(9000);
    expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  });

  it('reports the selected checks without a result as not executed, with their exchanges', async () => {
    const check = (await reportOf(cutOff)).checks[1];
    expect(check).toMatchObject({ id: second, executed: false, verdict: 'blocked', blockedBy: null });
    expect(check?.reason).toMatch(/^not executed: the run ended before it \(.*ended early\)$/);
    expect(check?.exchanges.map(({ id }) => id)).toEqual(['e1']);
  });

  it('still fails the run when a failure was recorded before the end', async () => {
    expect(await reportOf([header(), result(first, 'fail')])).toMatchObject({ verdict: 'non-conformant', exitCode: 1 });
  });

  it('is not conformant if the footer is there but results are missing', async () => {
    const report = await reportOf([header(), result(first, 'pass'), footer()]);
    expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
    expect(report.checks[1]?.reason).toBe('not executed: the run ended before it');
  });

  it('repeats the interruption from the footer', async () => {
    const report = await reportOf([header(), footer({ interrupted: 'SIGINT' })]);
    expect(report.verdictReason).toBe('No check was executed; the run was interrupted: SIGINT.');
    expect(report.checks[0]?.reason).toContain('SIGINT');
  });
});

describe('an invalid journal', () => {
  it.each([
    ['without records', [], /no header/],
    ['that does not begin with a header', [footer()], /begins with footer/],
    ['with two headers', [header(), header()], /second header/],
    ['that selects a check outside its catalogue', [header({ selected: ['NONE-01.x'] })], /NONE-01\.x/],
  ])('%s is rejected', async (_, records, message) => {
    await expect(buildReport(() => stream(records))).rejects.toThrow(message);
  });
});
