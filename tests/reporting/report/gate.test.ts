import { describe, expect, it } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { escapeMarkdown } from '../../../reporting/text/markdown-text.ts';
import type { KnownFailure } from '../../../specs/formats/baseline.ts';
import type { GateSettings, HeaderRecord, JournalRecord, PreviousRun } from '../../../specs/formats/journal.ts';
import { everyCheck, footer, header, reportOf, requirement, result } from '../journal/journal-builders.ts';

const TODAY = '2026-01-31';

function entry(id: string, changes: Partial<KnownFailure> = {}): KnownFailure {
  return {
    id,
    reason: 'being corrected',
    issue: 'https://issues.example.com/1',
    owner: 'billing',
    expires: '2026-06-30',
    ...changes,
  };
}

interface Gated {
  readonly entries?: readonly KnownFailure[];
  readonly failOn?: GateSettings['failOn'];
  readonly previous?: PreviousRun['judged'];
}

/** The report of a run with this gate; checks without a record passed. */
async function gated({ entries = [], failOn = 'any', previous }: Gated, ...records: JournalRecord[]) {
  const told = new Set(records.flatMap((record) => (record.kind === 'check' ? [record.id] : [])));
  const passed = everyCheck.filter((id) => !told.has(id)).map((id) => result(id, 'pass'));
  const settings = { failOn, baseline: 'baseline.yaml', knownFailures: [...entries] };
  const before = previous && { id: 'run-0', startedAt: '2026-01-30T09:30:00.000Z', judged: previous };
  const head = header({ gate: settings, ...(before && { previous: before }) }, { startedAt: `${TODAY}T09:30:00.000Z` });
  const report = await reportOf([head, ...records, ...passed, footer()]);
  if (report.gate === null) throw new Error('the report has no gate');
  return { ...report, gate: report.gate };
}

const failure = result('AUTH-01.missing', 'fail');

describe('the gate with a baseline', () => {
  it('passes with a known failure, and the verdict stays non-conformant', async () => {
    const { gate, verdict, exitCode, headline } = await gated({ entries: [entry('AUTH-01.missing')] }, failure);
    expect(gate).toMatchObject({ result: 'passed', failures: [], problems: [] });
    expect(gate.reason).toBe('1 known failure (AUTH-01.missing)');
    expect(gate.known).toEqual([{ ...entry('AUTH-01.missing'), checks: ['AUTH-01.missing'] }]);
    expect({ verdict, exitCode }).toEqual({ verdict: 'non-conformant', exitCode: 0 });
    expect(headline).toContain('non-conformant');
  });

  it('shows the entry of the baseline in the reports for other tools', async () => {
    const report = await gated({ entries: [entry('AUTH-01.missing')] }, failure);
    const known = 'Known failure: being corrected (https://issues.example.com/1, billing, until 2026-06-30)';
    expect(renderReport(formats.markdown, report)).toContain(escapeMarkdown(known));
    const [finding] = JSON.parse(renderReport(formats.gitlab, report));
    expect(finding).toMatchObject({ severity: 'info', description: expect.stringContaining(known) });
    const { summary, tests } = JSON.parse(renderReport(formats.ctrf, report)).results;
    expect(summary).toMatchObject({ failed: 0, other: 1 });
    expect(tests[0]).toMatchObject({ status: 'other', rawStatus: 'fail', message: expect.stringContaining(known) });
  });

  it.each(['AUTH-01', 'auth-01.*', 'AUTH', 'authentication', '*'])('understands the pattern %s', async (pattern) => {
    const { gate } = await gated({ entries: [entry(pattern)] }, failure);
    expect(gate.result).toBe('passed');
  });

  it('fails with a failure that no entry covers', async () => {
    const { gate, exitCode } = await gated(
      { entries: [entry('LIFE-01')] },
      failure,
      result('LIFE-01.draft-submit', 'fail'),
    );
    expect(gate).toMatchObject({ result: 'failed', failures: ['AUTH-01.missing'] });
    expect(gate.reason).toBe('1 unknown failure (AUTH-01.missing)');
    expect(exitCode).toBe(1);
  });

  it('fails with an entry whose checks pass, and names it', async () => {
    const { gate, exitCode, verdict } = await gated({ entries: [entry('AUTH-01.missing')] });
    expect(gate.problems).toEqual([
      {
        id: 'AUTH-01.missing',
        kind: 'passes',
        checks: [],
        text: 'AUTH-01.missing passes now; remove the entry and close https://issues.example.com/1',
      },
    ]);
    expect({ verdict, exitCode }).toEqual({ verdict: 'conformant', exitCode: 1 });
  });

  it('accepts an intermittent failure that passes', async () => {
    expect((await gated({ entries: [entry('AUTH-01.missing', { intermittent: true })] })).gate.result).toBe('passed');
  });

  it('fails with an expired entry, which then covers nothing', async () => {
    const { gate } = await gated({ entries: [entry('AUTH-01.missing', { expires: '2026-01-30' })] }, failure);
    expect(gate).toMatchObject({ result: 'failed', failures: ['AUTH-01.missing'], problems: [{ kind: 'expired' }] });
    expect(gate.reason).toMatch(/^1 entry of the baseline to correct /);
    const lastDay = await gated({ entries: [entry('AUTH-01.missing', { expires: TODAY })] }, failure);
    expect(lastDay.gate.result).toBe('passed');
  });

  it('fails with an entry that names no check', async () => {
    const { gate } = await gated({ entries: [entry('AUTH-01.mising')] });
    expect(gate).toMatchObject({ result: 'failed', problems: [{ id: 'AUTH-01.mising', kind: 'matches-nothing' }] });
    expect(gate.problems[0]?.text).toBe('AUTH-01.mising names no check of this kit; did you mean AUTH-01.missing?');
    const unknown = await gated({ entries: [entry('XY')] });
    expect(unknown.gate.problems[0]?.text).toBe('XY names no check of this kit; correct or remove the entry');
  });

  it('says nothing of an entry whose checks are blocked or not part of the run', async () => {
    const blocked = await gated({ entries: [entry('AUTH-01.missing')] }, result('AUTH-01.missing', 'blocked'));
    expect(blocked.gate).toMatchObject({ result: 'inconclusive', problems: [] });
    expect(blocked.gate.reason).toBe('1 required check could not be judged');
    expect(blocked.exitCode).toBe(3);
  });

  it('says nothing of an entry of which the run judges only a part', async () => {
    const settings: GateSettings = { failOn: 'any', baseline: 'baseline.yaml', knownFailures: [entry('AUTH-01')] };
    const head = header({ gate: settings, selected: ['AUTH-01.missing'] });
    const report = await reportOf([head, result('AUTH-01.missing', 'pass'), footer()]);
    expect(report.gate).toMatchObject({ result: 'passed', problems: [] });
  });

  it.each([{ profile: 'smoke' }, { budget: 500 }, { filtered: ['REC-16', 'LIFE'] }, { shard: { index: 1, of: 2 } }])(
    'says nothing of an exchange rule that passes in a run of some checks: %j',
    async (part) => {
      const settings: GateSettings = {
        failOn: 'any',
        baseline: 'baseline.yaml',
        knownFailures: [entry('REC-16.listed')],
      };
      const problemsOf = async (run: Partial<HeaderRecord['run']>) => {
        const requirements = [requirement('REC-16', 'record', 'required', ['listed'])];
        const catalogue = { digest: 'sha256:abc', requirements };
        const head = header({ gate: settings, selected: ['REC-16.listed'], catalogue }, run);
        const report = await reportOf([head, result('REC-16.listed', 'pass'), footer()]);
        return report.gate?.problems;
      };
      expect(await problemsOf({ profile: 'full', ...part })).toEqual([]);
      expect(await problemsOf({ profile: 'core' })).toMatchObject([{ id: 'REC-16.listed', kind: 'passes' }]);
    },
  );

  it('is inconclusive for an interrupted run', async () => {
    const settings: GateSettings = { failOn: 'any', baseline: null, knownFailures: [] };
    const interrupted = 'it was stopped with Ctrl-C';
    const report = await reportOf([
      header({ gate: settings, selected: ['AUTH-01.missing'] }),
      result('AUTH-01.missing', 'pass'),
      footer({ interrupted }),
    ]);
    expect(report.gate).toMatchObject({ result: 'inconclusive', reason: `the run was interrupted: ${interrupted}` });
    expect(report.exitCode).toBe(3);
  });

  it('accepts what a known failure blocks, and nothing else', async () => {
    const entries = [entry('AUTH-01.missing')];
    const blocked = result('LIFE-01.draft-submit', 'blocked', { blockedBy: 'AUTH-01.missing' });
    expect((await gated({ entries }, failure, blocked)).exitCode).toBe(0);
    const other = result('LIFE-01.draft-submit', 'blocked', { blockedBy: 'operations.submit' });
    expect((await gated({ entries }, failure, other)).exitCode).toBe(3);
  });
});

describe('the gate with --fail-on new', () => {
  it('passes with a failure that the previous run had, and fails with another one', async () => {
    const previous: PreviousRun['judged'] = [
      { check: 'AUTH-01.missing', verdict: 'fail' },
      { check: 'AUTH-01.revoked', verdict: 'pass' },
    ];
    const old = await gated({ failOn: 'new', previous }, failure);
    expect(old.gate).toMatchObject({ result: 'passed', notNew: ['AUTH-01.missing'] });
    expect(old.gate.reason).toBe('1 failure that is not new (AUTH-01.missing)');
    expect(old.exitCode).toBe(0);
    const fresh = await gated({ failOn: 'new', previous }, failure, result('AUTH-01.revoked', 'fail'));
    expect(fresh.gate).toMatchObject({ result: 'failed', failures: ['AUTH-01.revoked'] });
    expect(fresh.exitCode).toBe(1);
  });

  it('counts every failure as new without a previous run', async () => {
    expect((await gated({ failOn: 'new' }, failure)).gate.failures).toEqual(['AUTH-01.missing']);
  });
});
