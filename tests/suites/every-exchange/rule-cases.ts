import { describe, expect, test } from 'vitest';
import { ChangedRecords } from '../../../engine/judges/changed-records.ts';
import type { ExchangeRule, RuleContext, Ruling } from '../../../engine/judges/exchange-rule.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';

/** Responses by description. Of several responses in a row, the last one is judged. */
type Trials = Record<string, ApiResponse | ApiResponse[]>;

export interface Cases {
  keeps: Trials;
  breaks: Trials;
  /** Responses to which the requirement does not apply. */
  silent: Trials;
}

const organizations: Record<string, string> = { seller: 'org-seller', buyer: 'org-buyer', outsider: 'org-outsider' };

/** The context of the exchange rules of one run. */
export function knowledge(): RuleContext {
  const news = new ChangedRecords();
  return {
    organizationOf: (actor) => organizations[actor],
    changedRecords: (response) => news.changesIn(response),
    secrets: new Map([
      ['seller', 'secret-of-the-seller'],
      ['buyer', 'short'],
    ]),
    settleWithinMs: 1000,
    roundingMs: 0,
  };
}

export function ruled(judge: ExchangeRule, trial: ApiResponse | ApiResponse[]): Ruling {
  const rule = judge.start(knowledge());
  const { evaluate, atEnd } = typeof rule === 'function' ? { evaluate: rule, atEnd: () => [] } : rule;
  const last =
    [trial]
      .flat()
      .map((response) => (judge.appliesTo(response) ? evaluate(response) : null))
      .at(-1) ?? null;
  return atEnd()[0]?.finding ?? last;
}

/** One test for each case, and one that requires cases for every rule. */
export function tryEach(judges: readonly ExchangeRule[], cases: Record<string, Cases>): void {
  test('every exchange rule is tested with conforming, breaking and unrelated responses', () => {
    expect(Object.keys(cases).sort()).toEqual(judges.map(({ id }): string => id).sort());
  });

  describe.each(judges.map((judge) => ({ judge, id: judge.id, ...cases[judge.id] })))('$id', ({ judge, ...trials }) => {
    test.each(Object.entries(trials.keeps ?? {}))('accepts %s', (_, trial) => {
      expect(ruled(judge, trial)).toBe('kept');
    });

    test.each(Object.entries(trials.breaks ?? {}))('rejects %s', (_, trial) => {
      const ruling = ruled(judge, trial);
      if (ruling === null || ruling === 'kept') throw new Error(`the ruling is ${ruling}`);
      for (const words of [ruling.reason, ruling.expected, ruling.actual]) expect(words).toMatch(/\S/);
    });

    test.each(Object.entries(trials.silent ?? {}))('does not apply to %s', (_, trial) => {
      expect(ruled(judge, trial)).toBeNull();
    });
  });
}
