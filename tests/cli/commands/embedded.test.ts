import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requirements } from '../../../specs/catalogue/catalogue.ts';
import { journalRecord } from '../../../specs/formats/journal.ts';
import { parseLine } from '../../../specs/formats/journal-chain.ts';
import type { Report } from '../../../specs/formats/report.ts';
import { conformance, type Finished, kindsIn, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const out = join(folder, 'out');
let first: Finished;
let run: Finished;
let report: Report;

// Both runs use one folder: the second must move the first aside without losing anything.
beforeAll(async () => {
  first = await conformance(['run', '--only', 'AUTH-01', '--seed', '7', '--out', 'out'], { cwd: folder });
  const formats = ['--format', 'json,html,junit,markdown,allure'];
  // A fixed seed: otherwise the length of the random walks varies.
  run = await conformance(['run', '--seed', '7', '--out', 'out', ...formats], { cwd: folder });
  report = reportIn(out);
});
afterAll(remove);

describe('a run without a target', () => {
  test('judges the reference service and finds it conformant', () => {
    expect(run.code, run.stderr + run.stdout).toBe(0);
    expect(report).toMatchObject({
      verdict: 'conformant',
      exitCode: 0,
      run: { profile: 'full', filtered: [], interrupted: null },
    });
  });

  test('executes at least 150 checks, and none is blocked, in error or failed', () => {
    expect(report.summary.executed).toBe(report.summary.selected);
    expect(report.summary.executed).toBeGreaterThanOrEqual(150);
    const { pass = 0, 'not-applicable': none = 0, ...others } = report.summary.checks;
    expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(0);
    expect(pass + none).toBe(report.summary.selected);
    expect(pass).toBeGreaterThanOrEqual(150);
  });

  test('judges every check except those that this service cannot exercise', () => {
    const none = report.checks.filter(({ verdict }) => verdict === 'not-applicable').map(({ id }) => id);
    expect(none).toEqual([
      // The service has no ETags, no rate limit and no undeployed environment.
      'REC-15.conditional',
      'ERR-06.inv003',
      'ERR-06.gw-environment-unavailable',
      'RATE-01.reset-header',
      'RATE-04.reset-reached',
    ]);
  });

  test('records everything that the contract leaves open', () => {
    const declared = requirements.flatMap(({ observations }) => observations);
    expect(report.observations.map(({ id }) => id).sort()).toEqual([...declared].sort());
  });

  // The limit was 5,000 before ten checks of production writes and the proof of every binding were added.
  test('sends fewer than 5,250 requests', () => {
    expect(kindsIn(out).filter((kind) => kind === 'exchange').length).toBeLessThan(5250);
  });

  test('prints the verdict and the path of the report last', () => {
    const [verdict, path] = run.stdout.trimEnd().split('\n').slice(-2);
    expect(verdict).toMatch(
      /^conformant for profile full \(production writes were allowed\), except rateLimitProbe \(not allowed\)\. None of the \d+ judged checks failed\.$/,
    );
    expect(path).toBe(`report ${join('out', 'report.html')}`);
  });

  test('shows progress on stderr only', () => {
    expect(run.stderr).toMatch(
      /^Judging Reference service at http:\/\/127\.0\.0\.1:\d+: \d+ checks, profile full \(the reference service of the kit, because neither --target nor --base-url names a server\)$/m,
    );
    expect(run.stderr).toMatch(/^100\/\d+ checks · \d+ passed · 0 failed$/m);
    expect(run.stdout).not.toContain('Judging');
  });

  test('writes every requested report', () => {
    const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
    expect(XMLValidator.validate(junit)).toBe(true);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toMatch(/conformant/i);
    const allure = readdirSync(join(out, 'allure-results')).filter((name) => name.endsWith('-result.json'));
    expect(allure).toHaveLength(report.summary.selected);
  });

  test('labels every Allure result with area, requirement and level', () => {
    const results = readdirSync(join(out, 'allure-results')).filter((name) => name.endsWith('-result.json'));
    for (const name of results) {
      const { labels }: { labels: { name: string }[] } = JSON.parse(
        readFileSync(join(out, 'allure-results', name), 'utf8'),
      );
      const names = labels.map((label) => label.name);
      expect(names).toEqual(expect.arrayContaining(['area', 'requirement', 'level']));
    }
  });

  test('writes a journal in which every line matches its schema, from header to footer', () => {
    for (const line of readFileSync(join(out, 'evidence.jsonl'), 'utf8').trimEnd().split('\n')) {
      journalRecord.parse(parseLine(line));
    }
    const kinds = kindsIn(out);
    expect([kinds[0], kinds.at(-1)]).toEqual(['header', 'footer']);
    expect(kinds.filter((kind) => kind === 'exchange')).toHaveLength(report.summary.exchanges);
  });
});

describe('a second run into the same folder', () => {
  test('moves the earlier run to previous/ completely', () => {
    expect(first.code, first.stderr).toBe(0);
    const [start = '', ...others] = readdirSync(join(out, 'previous'));
    expect(others).toEqual([]);
    const earlier = join(out, 'previous', start);
    const kept = reportIn(earlier);
    expect(kept.run).toMatchObject({ filtered: ['AUTH-01'], seed: 7 });
    expect(kept.run.startedAt.replaceAll(':', '-')).toBe(start);
    expect(kindsIn(earlier).at(-1)).toBe('footer');
    expect(kept.run.id).not.toBe(report.run.id);
    for (const file of ['report.html', 'junit.xml', 'summary.md'])
      expect(existsSync(join(earlier, file)), file).toBe(true);
  });
});

describe('a run of some checks only', () => {
  test('says so and does not claim that more was judged', () => {
    const ids = reportIn(join(out, 'previous', readdirSync(join(out, 'previous'))[0] ?? '')).checks.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.every((id) => id.startsWith('AUTH-01.'))).toBe(true);
    expect(first.stdout).toMatch(
      /^passed: only AUTH-01 of profile full \(production writes were allowed\) was judged; the other checks were not judged\. None of the 9 /m,
    );
  });
});

describe('the command report', () => {
  test('writes the same report again from the journal', async () => {
    const copy = join(folder, 'copy');
    cpSync(join(out, 'evidence.jsonl'), join(copy, 'evidence.jsonl'), { recursive: true });
    const { code, stdout } = await conformance(['report', copy, '--format', 'junit']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^conformant /m);
    expect(reportIn(copy)).toEqual(report);
    expect(readdirSync(copy).sort()).toEqual(['evidence.jsonl', 'junit.xml', 'report.json']);
  });

  test('treats a journal without a footer as an interrupted run', async () => {
    const cut = join(folder, 'cut');
    cpSync(join(out, 'evidence.jsonl'), join(cut, 'evidence.jsonl'), { recursive: true });
    const lines = readFileSync(join(cut, 'evidence.jsonl'), 'utf8').trimEnd().split('\n');
    writeFileSync(
      join(cut, 'evidence.jsonl'),
      lines
        .slice(0, 400)
        .map((line) => `${line}\n`)
        .join(''),
    );
    // The process ended in the middle of a line.
    appendFileSync(join(cut, 'evidence.jsonl'), '{"kind":"exchange","id":"x9');
    expect((await conformance(['report', cut])).code).toBe(3);
    expect(reportIn(cut)).toMatchObject({ verdict: 'inconclusive', run: { interrupted: expect.any(String) } });
  });
});
