import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FUND_NEEDS } from '../../../cli/options/shard-option.ts';
import { checkCatalogue } from '../../../specs/catalogue/catalogue.ts';
import {
  checksOfProfile,
  excludeForbidden,
  matchChecks,
  profileNames,
  profileTitle,
} from '../../../specs/catalogue/selection.ts';
import { detectedShare } from '../../../specs/fault-signatures.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { allChecks } from '../../../suites/all.ts';
import { allRules } from '../../../suites/every-exchange/all-rules.ts';

const everything = [...checkCatalogue.keys()];

describe('the profiles', () => {
  test('are smoke, core, full and read-only, each with a title', () => {
    expect([...profileNames].sort()).toEqual(['core', 'full', 'read-only', 'smoke']);
    for (const name of profileNames) expect(profileTitle(name)).not.toBe('');
  });

  test('name only existing entries', () => {
    const text = readFileSync(new URL('../../../specs/catalogue/profiles.yaml', import.meta.url), 'utf8');
    const profiles: Record<string, { checks: string[]; without?: string[] }> = parse(text);
    for (const { checks, without = [] } of Object.values(profiles)) {
      expect([...checks, ...without].filter((pattern) => matchChecks(pattern).length === 0)).toEqual([]);
    }
  });

  test.each(profileNames)('%s contains checks, each once, in the order of the contract', (name) => {
    const ids = checksOfProfile(name);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual(everything.filter((id) => ids.includes(id)));
  });

  test('full contains everything, and core only a part of it', () => {
    expect(checksOfProfile('full')).toEqual(everything);
    expect(checksOfProfile('core').length).toBeLessThan(everything.length);
  });

  test('smoke is a part of core, for targets with two keys only', () => {
    const core = checksOfProfile('core');
    expect(checksOfProfile('smoke').filter((id) => !core.includes(id))).toEqual([]);
  });

  test('smoke moves no money, and judges each area but connections and treasury, where one check costs many requests', () => {
    const smoke = new Set(checksOfProfile('smoke'));
    const needs = allChecks.filter(({ id }) => smoke.has(id)).flatMap((check) => check.needs);
    expect(needs.filter((need) => FUND_NEEDS.has(need))).toEqual([]);
    const areasOf = (ids: Iterable<string>) =>
      new Set([...ids].map((id) => checkCatalogue.get(id as CheckId)?.requirement.area));
    const judged = areasOf(smoke);
    const missing = [...areasOf(checksOfProfile('core'))].filter((area) => !judged.has(area));
    expect(['connections', 'treasury']).toEqual(expect.arrayContaining(missing));
  });

  test('smoke detects more known defects than read-only', () => {
    expect(detectedShare(checksOfProfile('smoke'))).toBeGreaterThan(detectedShare(checksOfProfile('read-only')));
    expect(detectedShare(checksOfProfile('full'))).toBe(1);
    expect(detectedShare([])).toBe(0);
  });

  test('core needs no actor but seller and buyer, no counterparty and no reset', () => {
    const core = new Set(checksOfProfile('core'));
    const beyond = [
      'outsider',
      'readOnly',
      'revoked',
      'production',
      'unconnected',
      'suspended',
      'reset',
      'productionWrites',
    ];
    const needing = allChecks.filter(({ id, needs }) => core.has(id) && needs.some((need) => beyond.includes(need)));
    expect(needing.map(({ id }) => id)).toEqual([]);
  });

  test('read-only contains no check that needs a mutating operation', () => {
    const readOnly = new Set(checksOfProfile('read-only'));
    const actors = ['seller', 'buyer', 'outsider', 'readOnly', 'revoked', 'production', 'connection'];
    // A run that only reads verifies the bound operations with GET only.
    const harmless = new Set([...actors, 'boundOperations', 'read', 'treasuryBalance', 'rateLimitProbe']);
    const changing = allChecks.filter(
      ({ id, phase, needs }) => readOnly.has(id) && (phase === 'reset' || needs.some((need) => !harmless.has(need))),
    );
    expect(changing.map(({ id }) => id)).toEqual([]);
  });

  test('read-only contains exchange rules and checks that send requests', () => {
    const readOnly = checksOfProfile('read-only');
    expect(allRules.some(({ id }) => readOnly.includes(id))).toBe(true);
    expect(allChecks.some(({ id }) => readOnly.includes(id))).toBe(true);
  });

  test('an unknown one is rejected with the names of the profiles', () => {
    expect(() => checksOfProfile('nightly')).toThrow('no profile nightly; there are smoke, core, full, read-only');
    expect(() => checksOfProfile('toString')).toThrow('no profile toString');
  });
});

describe('a pattern', () => {
  test('may be a check, a requirement, an area prefix, an area or everything', () => {
    expect(matchChecks('AUTH-01.both-missing')).toEqual(['AUTH-01.both-missing']);
    expect(matchChecks('AUTH-01')).toContain('AUTH-01.both-missing');
    expect(matchChecks('AUTH').length).toBeGreaterThan(matchChecks('AUTH-01').length);
    expect(matchChecks('authentication')).toEqual(expect.arrayContaining(matchChecks('AUTH')));
    expect(matchChecks('*')).toEqual(everything);
  });

  test('may be of either case and have spaces around it', () => {
    expect(matchChecks(' auth-01 ')).toEqual(matchChecks('AUTH-01'));
    expect(matchChecks('LIFE-02.DRAFT-approve')).toEqual(['LIFE-02.draft-approve']);
  });

  test('matches whole names only', () => {
    expect(matchChecks('AUT')).toEqual([]);
    expect(matchChecks('AUTH-0')).toEqual([]);
    expect(matchChecks('')).toEqual([]);
  });
});

describe('an opt-in check', () => {
  const nothing = { reset: false, rateLimitProbe: false, productionWrites: false };
  const all = { reset: true, rateLimitProbe: true, productionWrites: true };
  const names = ['reset', 'rateLimitProbe', 'productionWrites'] as const;

  test.each(names)('%s is left out with the field that would allow it', (name) => {
    const { selected, excluded } = excludeForbidden(everything, { ...all, [name]: false });
    expect(excluded.length).toBeGreaterThan(0);
    expect(excluded.map(({ check }) => check)).toEqual(everything.filter((id) => !selected.includes(id)));
    for (const { allowance, reason } of excluded) {
      expect(allowance).toBe(name);
      expect(reason).toBe(`allow.${name} of the target file is not true`);
    }
  });

  test('is part of the run if it is allowed', () => {
    expect(excludeForbidden(everything, all)).toEqual({ selected: everything, excluded: [] });
  });

  test.each(names)('%s covers every check that needs it', (name) => {
    const { selected } = excludeForbidden(everything, nothing);
    const needing = allChecks.filter(({ needs }) => needs.includes(name)).map(({ id }) => id);
    expect(needing.length).toBeGreaterThan(0);
    expect(needing.filter((id) => selected.includes(id))).toEqual([]);
  });
});
