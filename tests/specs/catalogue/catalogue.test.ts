import { describe, expect, test } from 'vitest';
import { catalogueCheck, catalogueDigest, checkCatalogue, requirements } from '../../../specs/catalogue/catalogue.ts';
import { requirementEntry } from '../../../specs/catalogue/requirement.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { allChecks } from '../../../suites/all.ts';
import { allRules } from '../../../suites/every-exchange/all-rules.ts';

const declared = requirements.flatMap(({ checks }) => checks.map(({ id }) => id));
const implemented = [...allChecks, ...allRules].map(({ id }): string => id);

function repeated(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

describe('the catalogue', () => {
  test('every requirement has checks, observations or the reason why it has neither', () => {
    const without = requirements.filter(
      ({ checks, observations, unjudged }) => checks.length + observations.length === 0 && !unjudged,
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test('no requirement, no check and no observation is declared twice', () => {
    expect(repeated(requirements.map(({ id }) => id))).toEqual([]);
    expect(repeated(declared)).toEqual([]);
    expect(repeated(requirements.flatMap(({ observations }) => observations))).toEqual([]);
  });

  test('every declared check is implemented', () => {
    expect(declared.filter((id) => !implemented.includes(id))).toEqual([]);
  });

  test('every implemented check is declared', () => {
    expect(implemented.filter((id) => !declared.includes(id))).toEqual([]);
  });

  test('no check is implemented twice', () => {
    expect(repeated(implemented)).toEqual([]);
  });

  test('titles and statements are sentences, and differ within a requirement', () => {
    for (const { id, statement, checks } of requirements) {
      expect(statement, id).toMatch(/^\S.*\.$/s);
      expect(repeated(checks.map(({ title }) => title)), id).toEqual([]);
    }
  });

  test('a failed required check breaks the contract: each derived rule of a required requirement is necessary', () => {
    const deduced = requirements
      .filter(({ level }) => level === 'required')
      .flatMap(({ id, derived }) => derived.filter(({ necessary }) => !necessary).map(({ rule }) => `${id}: ${rule}`));
    expect(deduced).toEqual([]);
  });

  test('the number of requirements matches the specification', () => {
    expect(requirements.length).toBeGreaterThanOrEqual(80);
    expect(checkCatalogue.size).toBeGreaterThanOrEqual(150);
  });

  test('a check is found with its requirement and level', () => {
    const entry = catalogueCheck('AUTH-01.both-missing');
    expect(entry).toMatchObject({ level: 'required', requirement: { id: 'AUTH-01', area: 'authentication' } });
  });

  test('an unknown id is rejected by name', () => {
    expect(() => catalogueCheck('AUTH-01.nowhere' as CheckId)).toThrow('AUTH-01.nowhere');
  });

  test('its digest is a SHA-256', () => {
    expect(catalogueDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('an entry of the catalogue', () => {
  const entry = { id: 'XX-01', place: 'X, rule 1', level: 'required', statement: 'Something is so.' };
  const check = { id: 'XX-01.one', title: 'Something is so' };

  const fixes = ['Check the state before the transition.'];

  test('is accepted with checks, with observations or with a reason', () => {
    expect(requirementEntry.safeParse({ ...entry, checks: [check], fixes }).success).toBe(true);
    expect(requirementEntry.safeParse({ ...entry, unjudged: 'No response shows it.' }).success).toBe(true);
    expect(requirementEntry.safeParse({ ...entry, level: 'observed', observations: ['x'] }).success).toBe(true);
  });

  test.each([
    ['neither checks nor a reason', {}],
    ['both checks and a reason', { checks: [check], fixes, unjudged: 'No response shows it.' }],
    ['observations of a required requirement', { observations: ['x'] }],
    ['checks of an observed requirement', { level: 'observed', checks: [check], fixes }],
    ['a check of another requirement', { checks: [{ ...check, id: 'XX-02.one' }], fixes }],
    ['a check with an id of another form', { checks: [{ ...check, id: 'XX-01.One' }], fixes }],
    ['checks without a fix', { checks: [check] }],
    ['fixes without a check', { unjudged: 'No response shows it.', fixes }],
    ['an unknown field', { checks: [check], fixes, severity: 'high' }],
  ])('is rejected with %s', (_, more) => {
    expect(requirementEntry.safeParse({ ...entry, ...more }).success).toBe(false);
  });
});
