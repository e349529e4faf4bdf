import { Ajv } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import ajvFormats from 'ajv-formats';
import { validate } from 'ctrf';
import { XMLParser } from 'fast-xml-parser';
import harSchemas from 'har-schema';
import { describe, expect, test } from 'vitest';
import { allureConfiguration, allureFiles } from '../../../reporting/formats/allure.ts';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { githubAnnotations } from '../../../reporting/formats/github.ts';
import { harPieces } from '../../../reporting/formats/har.ts';
import type { Report } from '../../../specs/formats/report.ts';
import {
  everyCheck,
  exchange,
  footer,
  header,
  reportOf,
  reportWith,
  response,
  result,
  stream,
} from '../journal/journal-builders.ts';
import { ACTIVE, HOSTILE, hostileRecords } from './hostile-report.ts';

const [first = '', second = '', third = '', fourth = ''] = everyCheck;

function mixedReport(): Promise<Report> {
  return reportWith(
    exchange('e1'),
    result(first, 'fail', { exchanges: ['e1'], decisive: ['e1'], expectation: { status: [401] } }),
    result(second, 'blocked', { blockedBy: first, reason: 'the control was refused' }),
    result(third, 'not-applicable'),
    result(fourth, 'warn'),
  );
}

describe('the CTRF file', () => {
  test('is valid and counts every check once', async () => {
    const ctrf = JSON.parse(renderReport(formats.ctrf, await mixedReport()));
    expect(validate(ctrf)).toMatchObject({ valid: true });
    const { summary, tests } = ctrf.results;
    expect(summary).toMatchObject({ tests: 4, passed: 0, failed: 1, pending: 1, skipped: 1, other: 1 });
    expect(tests[0]).toMatchObject({
      name: `${first} The missing case is kept`,
      status: 'failed',
      suite: ['authentication', 'AUTH-01'],
      attachments: [{ path: `reproduce/${first}.sh` }],
    });
  });

  test('is valid for an empty run', async () => {
    expect(validate(JSON.parse(renderReport(formats.ctrf, await reportOf([header(), footer()]))))).toMatchObject({
      valid: true,
    });
  });
});

describe('the HAR file', () => {
  const ajv = new Ajv({ strict: false });
  ajvFormats.default(ajv);
  ajv.addMetaSchema(draft6);
  for (const schema of Object.values(harSchemas)) ajv.addSchema(schema as object);

  const har = async (...records: Parameters<typeof reportOf>[0]) => {
    let text = '';
    for await (const piece of harPieces(await reportOf(records), stream(records))) text += piece;
    return JSON.parse(text);
  };

  test.each([
    ['a run without exchanges', [header(), footer()]],
    [
      'requests with and without bodies and responses',
      [
        header(),
        exchange('e1', { check: first }),
        exchange('e2', {
          request: {
            method: 'POST',
            url: 'https://staging.example.com/a?page=1&limit=',
            headers: [['Content-Type', 'application/json']],
            body: '{}',
          },
          response: response('{"a":"ü"}', 201),
        }),
        exchange('e3', { response: null, failure: { kind: 'timeout', message: 'no response within 10 s' } }),
        footer(),
      ],
    ],
    ['a hostile server', hostileRecords()],
  ])('is valid for %s', async (_, records) => {
    const archive = await har(...records);
    ajv.validate('har.json#', archive);
    expect(ajv.errors ?? []).toEqual([]);
    expect(archive.log.entries).toHaveLength(records.filter(({ kind }) => kind === 'exchange').length);
  });
});

describe('the badge', () => {
  test('is an SVG image with the verdict and the profile', async () => {
    const svg = renderReport(formats.badge, await mixedReport());
    expect(new XMLParser({ ignoreAttributes: false }).parse(svg, true).svg['@_aria-label']).toBe(
      'conformance: 1 requirement failed (full)',
    );
    expect(renderReport(formats.badge, await reportWith())).toContain('conformance: conformant (full)');
  });
});

describe('the code-quality report of GitLab', () => {
  test('contains each failure and warning with a stable fingerprint', async () => {
    const [one, other] = JSON.parse(renderReport(formats.gitlab, await mixedReport()));
    expect(one).toMatchObject({
      check_name: first,
      severity: 'major',
      location: { path: 'requirements/AUTH-01', lines: { begin: 1 } },
    });
    expect(other).toMatchObject({ check_name: fourth, severity: 'minor' });
    const again = JSON.parse(
      renderReport(formats.gitlab, await reportWith(result(first, 'fail', { actual: 'another text' }))),
    );
    expect(again[0].fingerprint).toBe(one.fingerprint);
  });
});

describe('the annotations of GitHub', () => {
  test('name each failure in one line that the server cannot end', async () => {
    const report = await reportWith(
      result(first, 'fail', { actual: `a\n::error::${HOSTILE}` }),
      result(fourth, 'warn'),
    );
    const lines = githubAnnotations(report);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^::error title=AUTH-01\.missing The missing case is kept::Expected: /);
    expect(lines[1]).toMatch(/^::warning title=LIFE-02/);
    for (const line of lines) expect(line).not.toMatch(/[\n\r]/);
  });

  test('say how many other failures probably have the same cause', async () => {
    const report = await mixedReport();
    const cause = {
      requirement: 'AUTH-01',
      rule: 's',
      proven: true,
      example: null,
      targetFile: null,
      area: 'a',
      startWith: first,
      explains: [first, fourth],
      contradictedBy: [],
      blocks: 0,
      fault: null,
    };
    const lines = githubAnnotations({ ...report, causes: [cause], unexplained: [] });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('Probably also the cause of 1 other failure.');
  });
});

describe('the results for Allure', () => {
  test('are one per check, with status, reason, labels and attachments', async () => {
    const report = await mixedReport();
    const files = new Map([...allureFiles(report)].map(({ name, content }) => [name, content]));
    const results = [...files].filter(([name]) => name.endsWith('-result.json')).map(([, text]) => JSON.parse(text));
    expect(results.map(({ fullName, status }) => [fullName, status])).toEqual([
      [first, 'failed'],
      [second, 'skipped'],
      [third, 'skipped'],
      [fourth, 'passed'],
    ]);
    expect(results[0]).toMatchObject({
      titlePath: ['authentication', 'AUTH-01'],
      statusDetails: { message: `why ${first} is fail` },
    });
    expect(results[1].statusDetails.message).toBe('blocked: the control was refused');
    expect(results[0].labels).toContainEqual({ name: 'requirement', value: 'AUTH-01' });
    const attached = results[0].attachments.map(({ name, source }: { name: string; source: string }) => [
      name,
      files.get(source),
    ]);
    expect(attached).toEqual([
      ['request', expect.stringContaining('GET https://staging.example.com/api/v1/invoices')],
      ['response', expect.stringMatching(/^200\n/)],
      ['reproduce', expect.stringMatching(/^#!\/bin\/sh/)],
    ]);
    expect(files.get('environment.properties')).toContain('Profile=full\n');
    expect(JSON.parse(allureConfiguration(report))).toMatchObject({
      name: `${report.target.name}, kit`,
      categories: { length: 7 },
    });
    expect(results[3].steps).toMatchObject([{ name: `warning: why ${fourth} is warn`, status: 'failed' }]);
  });

  test('are the same when the report is written again', async () => {
    const [one, other] = [await mixedReport(), await mixedReport()].map((report) => [...allureFiles(report)]);
    expect(one).toEqual(other);
  });

  test('have no active character', async () => {
    for (const { content } of allureFiles(await reportOf(hostileRecords()))) expect(content).not.toMatch(ACTIVE);
  });
});
