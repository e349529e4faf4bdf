import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readBaseline } from '../../../cli/earlier-runs/read-baseline.ts';
import {
  type BaselineChange,
  changedBaseline,
  compareBaseline,
  type JudgedRun,
} from '../../../cli/earlier-runs/update-baseline.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { matchChecks } from '../../../specs/catalogue/selection.ts';
import type { KnownFailure } from '../../../specs/formats/baseline.ts';
import type { CheckVerdict } from '../../../specs/verdicts.ts';

const folder = mkdtempSync(join(tmpdir(), 'kit-baseline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILE = join(folder, 'baseline.yaml');
const ENTRY = `  - id: LIFE-02.approved-cancel
    reason: Cancel is being rewritten
    issue: https://issues.example.com/BILL-12
    owner: billing
    expires: 2027-01-31
`;

function read(text: string): KnownFailure[] {
  writeFileSync(FILE, text);
  return readBaseline(FILE, '--baseline');
}

function problemsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map((line) => line.replace(FILE, 'baseline.yaml'));
    throw error;
  }
  return [];
}

describe('a baseline file', () => {
  it.each(['*', '**', '*-*.*'])('does not accept every failure by the id %s', (id) => {
    expect(problemsOf(`knownFailures:\n${ENTRY.replace('LIFE-02.approved-cancel', `"${id}"`)}`)).toEqual([
      `baseline.yaml:2: knownFailures[0].id: found ${id}, which accepts every failure; write the id of a check or a requirement, such as LIFE-02.approved-cancel`,
    ]);
  });

  it('is read', () => {
    expect(read(`knownFailures:\n${ENTRY}`)).toEqual([
      {
        id: 'LIFE-02.approved-cancel',
        reason: 'Cancel is being rewritten',
        issue: 'https://issues.example.com/BILL-12',
        owner: 'billing',
        expires: '2027-01-31',
      },
    ]);
  });

  it.each([
    [
      '',
      'baseline.yaml:1: the file is empty; write knownFailures, a list of entries with id, reason, issue, owner and expires',
    ],
    [
      'knownFailures: 3',
      'baseline.yaml:1: knownFailures: found 3; write knownFailures, a list of entries with id, reason, issue, owner and expires',
    ],
    [
      `knownFailures:\n${ENTRY.replace('    owner: billing\n', '')}`,
      'baseline.yaml:2: knownFailures[0].owner: missing; write the person or team that corrects the defect',
    ],
    [
      `knownFailures:\n${ENTRY.replace('2027-01-31', 'soon')}`,
      'baseline.yaml:6: knownFailures[0].expires: found "soon"; write the last day on which the failure is accepted, such as 2027-01-31',
    ],
    [
      `knownFailures:\n${ENTRY.replace('2027-01-31', '2027-02-30')}`,
      'baseline.yaml:6: knownFailures[0].expires: found "2027-02-30"; write the last day on which the failure is accepted, such as 2027-01-31',
    ],
    [
      `knownFailures:\n${ENTRY.replace('https://issues.example.com/', '')}`,
      'baseline.yaml:4: knownFailures[0].issue: found "BILL-12"; write the http or https link of the issue that tracks the defect',
    ],
    [
      `knownFailures:\n${ENTRY.replace('expires', 'expiry')}`,
      'baseline.yaml:6: unknown field knownFailures[0].expiry; did you mean expires?',
    ],
    [
      `knownFailures:\n${ENTRY}${ENTRY}`,
      'baseline.yaml:7: knownFailures[1].id: LIFE-02.approved-cancel is also the id of knownFailures[0]; keep one of the two',
    ],
    [`knownFailure:\n${ENTRY}`, 'baseline.yaml:1: unknown field knownFailure; did you mean knownFailures?'],
  ])('is rejected with one line that says what to write: %j', (text, line) => {
    expect(problemsOf(text)).toEqual([line]);
  });

  it('is rejected with one line if it is another file', () => {
    expect(problemsOf('baseUrl: https://staging.example.com\nactors: {}\n')).toEqual([
      expect.stringMatching(/^--baseline: \S*baseline\.yaml is no baseline: it has no knownFailures; /),
    ]);
  });

  it('is rejected if it does not exist', () => {
    expect(() => readBaseline(join(folder, 'missing.yaml'), '--baseline')).toThrow(
      /--baseline: cannot read .*missing.yaml/,
    );
  });
});

const words = { reason: 'new words', issue: 'https://issues.example.com/2', owner: 'payments', expires: '2027-03-31' };

/** A complete run of the full profile, with `changes`, that found these verdicts. */
function verdicts(found: Record<string, CheckVerdict>, changes: Partial<JudgedRun['run']> = {}): JudgedRun {
  return {
    run: { profile: 'full', filtered: [], ...changes },
    verdicts: new Map(Object.entries(found)),
    isWhole: true,
  };
}

describe('a baseline that a run updates', () => {
  it('keeps the words and comments of entries that still fail, removes those that pass, and adds the others', () => {
    const text = `# Ours.\nknownFailures:\n  # Agreed with finance.\n${ENTRY}${ENTRY.replace('LIFE-02.approved-cancel', 'LIST-05')}`;
    const entries = read(text);
    const run = verdicts({ 'LIFE-02.approved-cancel': 'fail', 'AUTH-03.wrong': 'fail', ...passing('LIST-05') });
    const change = compareBaseline(entries, run);
    expect(change).toEqual({
      kept: ['LIFE-02.approved-cancel'],
      removed: [{ id: 'LIST-05', reason: 'passes now' }],
      added: ['AUTH-03.wrong'],
    });
    const changed = changedBaseline(text, change, words);
    expect(changed).toContain('# Agreed with finance.\n  - id: LIFE-02.approved-cancel\n');
    expect(read(changed)).toEqual([entries[0], { id: 'AUTH-03.wrong', ...words }]);
  });

  it('writes out values that an entry shares with one that is removed', () => {
    const shared = `knownFailures:
  - &first {id: LIFE-02, reason: r, issue: https://issues.example.com/1, owner: &team billing, expires: 2027-01-31}
  - {<<: *first, id: LIFE-01.small}
  - {id: LIFE-03.small, reason: r, issue: https://issues.example.com/1, owner: *team, expires: 2027-01-31}
`;
    const [first, ...others] = read(shared);
    const change = { kept: [], removed: [{ id: first?.id ?? '', reason: 'passes now' }], added: [] };
    expect(read(changedBaseline(shared, change, { reason: '', issue: '', owner: '', expires: '' }))).toEqual(others);
  });

  it('stays JSON', () => {
    const entry = { id: 'LIFE-02.small', ...words };
    const text = JSON.stringify({ knownFailures: [entry, { ...entry, id: 'LIFE-01.small' }] });
    const change = { kept: [], removed: [{ id: 'LIFE-01.small', reason: 'passes now' }], added: ['AUTH-03.wrong'] };
    const changed = { knownFailures: [entry, { id: 'AUTH-03.wrong', ...words }] };
    expect(changedBaseline(text, change as BaselineChange, words)).toBe(`${JSON.stringify(changed, null, 2)}\n`);
  });

  it('removes an entry with spaces around its id', () => {
    const text = `knownFailures:\n${ENTRY.replace('LIFE-02.approved-cancel', '" LIFE-02 "')}`;
    const change = compareBaseline(read(text), verdicts(passing('LIFE-02')));
    expect(change.removed).toEqual([{ id: 'LIFE-02', reason: 'passes now' }]);
    expect(parse(changedBaseline(text, change, words))).toEqual({ knownFailures: [] });
  });

  it('keeps the line ends of Windows', () => {
    const text = changedBaseline(
      `knownFailures:\n${ENTRY}`.replaceAll('\n', '\r\n'),
      { kept: [], removed: [], added: [] },
      words,
    );
    expect(text).toBe(`knownFailures:\n${ENTRY}`.replaceAll('\n', '\r\n'));
  });

  it('keeps an entry whose checks the run did not judge', () => {
    const entries = read(`knownFailures:\n${ENTRY}`);
    expect(compareBaseline(entries, verdicts({ 'LIFE-02.approved-cancel': 'blocked' })).kept).toHaveLength(1);
    expect(compareBaseline(entries, verdicts({})).kept).toHaveLength(1);
  });

  it('keeps an entry of an exchange rule that passes in a run of some checks', () => {
    const rule = 'REC-16.listed';
    const entries = read(`knownFailures:\n${ENTRY.replace('LIFE-02.approved-cancel', rule)}`);
    const passed = { [rule]: 'pass' } as const;
    expect(compareBaseline(entries, verdicts(passed, { budget: 500 })).kept).toEqual([rule]);
    expect(compareBaseline(entries, { ...verdicts(passed), isWhole: false }).kept).toEqual([rule]);
    expect(compareBaseline(entries, verdicts(passed)).removed).toEqual([{ id: rule, reason: 'passes now' }]);
  });

  it('is a new file with an entry for each failure', () => {
    const change = compareBaseline([], verdicts({ 'AUTH-03.wrong': 'fail', 'AUTH-03.truncated': 'warn' }));
    const text = changedBaseline(null, change, words);
    expect(parse(text)).toEqual({ knownFailures: [{ id: 'AUTH-03.wrong', ...words }] });
    expect(read(text)).toHaveLength(1);
  });
});

function passing(requirement: string): Record<string, CheckVerdict> {
  return Object.fromEntries(matchChecks(requirement).map((id) => [id, 'pass' as const]));
}
