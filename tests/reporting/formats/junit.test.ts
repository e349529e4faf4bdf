import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { everyCheck, exchange, footer, header, reportOf, response, result } from '../journal/journal-builders.ts';

const [missing = '', revoked = '', submit = '', becomes = ''] = everyCheck;

interface Case {
  '@_classname': string;
  '@_name': string;
  failure?: { '#text': string; '@_message': string; '@_type': string };
  error?: { '@_message': string };
  skipped?: { '@_message': string };
  'system-out'?: string;
}

interface Suite {
  '@_name': string;
  '@_tests': string;
  '@_failures': string;
  '@_errors': string;
  '@_skipped': string;
  testcase: Case[];
}

async function suitesOf(...records: Parameters<typeof reportOf>[0]): Promise<Suite[]> {
  const xml = renderReport(formats.junit, await reportOf([header(), ...records]));
  const isArray = (name: string) => name === 'testsuite' || name === 'testcase';
  return new XMLParser({ ignoreAttributes: false, isArray, parseAttributeValue: false }).parse(xml).testsuites
    .testsuite;
}

describe('the JUnit file', () => {
  it('contains a suite per area with a case per selected check, and correct counts', async () => {
    const suites = await suitesOf(
      result(missing, 'fail'),
      result(revoked, 'error'),
      result(submit, 'blocked'),
      result(becomes, 'warn'),
      footer(),
    );
    expect(suites.map((suite) => suite['@_name'])).toEqual(['authentication', 'lifecycle']);
    for (const suite of suites) {
      const having = (kind: keyof Case) => String(suite.testcase.filter((one) => one[kind] !== undefined).length);
      expect(suite['@_tests']).toBe(String(suite.testcase.length));
      expect(suite['@_failures']).toBe(having('failure'));
      expect(suite['@_errors']).toBe(having('error'));
      expect(suite['@_skipped']).toBe(having('skipped'));
    }
    expect(suites.flatMap((suite) => suite.testcase.map((one) => one['@_classname']))).toEqual([
      'AUTH-01',
      'AUTH-01',
      'LIFE-01',
      'LIFE-02',
    ]);
  });

  it('shows a failure with expected, actual and a command to reproduce it', async () => {
    const asked = exchange('e1', { response: response('{}', 200) });
    const [suite] = await suitesOf(asked, result(missing, 'fail', { exchanges: ['e1'], decisive: ['e1'] }), footer());
    const one = suite?.testcase[0];
    expect(one?.['@_name']).toBe(`${missing} The missing case is kept`);
    expect(one?.failure?.['@_message']).toBe('AUTH-01: The missing case is kept (status 200)');
    expect(one?.failure?.['@_type']).toBe('AUTH-01');
    for (const part of [
      'expected: 401 with the one body',
      'actual: 200 with a list',
      `reason: why ${missing} is fail`,
      'curl -i -sS',
      '$CONFORMANCE_SELLER_KEY',
    ]) {
      expect(one?.failure?.['#text']).toContain(part);
    }
  });

  it('skips blocked, unexecuted and not applicable checks, each with its reason', async () => {
    const [authentication, lifecycle] = await suitesOf(
      result(missing, 'blocked', { blockedBy: 'actors.revoked' }),
      result(revoked, 'not-applicable'),
    );
    const messages = [authentication, lifecycle].flatMap((suite) =>
      suite?.testcase.map((one) => one.skipped?.['@_message']),
    );
    expect(messages[0]).toBe(`blocked: why ${missing} is blocked (actors.revoked)`);
    expect(messages[1]).toBe(`not applicable: why ${revoked} is not-applicable`);
    expect(messages[2]).toMatch(/^blocked: not executed: the run ended before it/);
  });

  it('shows blocked required checks as errors, if the user wants that', async () => {
    const report = await reportOf([header(), result(missing, 'blocked', { blockedBy: 'actors.revoked' }), footer()]);
    const [xml, usual] = [{ areBlockedErrors: true }, {}].map((options) =>
      [...formats.junit.pieces(report, options)].join(''),
    );
    expect(xml).toContain(`<error message="blocked: why ${missing} is blocked (actors.revoked)" type="blocked"/>`);
    expect(xml).toMatch(/<testsuite name="authentication" tests="2" failures="0" errors="2" skipped="0"/);
    expect(usual).toMatch(/<testsuite name="authentication" tests="2" failures="0" errors="0" skipped="2"/);
  });

  it('passes a warning and shows it', async () => {
    const [, lifecycle] = await suitesOf(result(becomes, 'warn'), footer());
    const one = lifecycle?.testcase[1];
    expect(one?.failure).toBeUndefined();
    expect(one?.['system-out']).toContain('actual: 200 with a list');
  });
});
