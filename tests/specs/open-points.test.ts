import { describe, expect, test } from 'vitest';
import { allVariations } from '../../reference/variations/all.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { openPoint, openPoints } from '../../specs/contract/open-points.ts';

const declared = requirements.flatMap(({ observations }) => observations);
const recorded = openPoints.flatMap(({ observations }) => observations);

describe('the open points', () => {
  test('are numbered one after the other', () => {
    expect(openPoints.map(({ id }) => id)).toEqual(openPoints.map((_, at) => `OP-${String(at + 1).padStart(2, '0')}`));
    expect(openPoints.length).toBeGreaterThanOrEqual(50);
  });

  test('name every observation that exists', () => {
    expect(recorded.filter((id) => !declared.includes(id))).toEqual([]);
    expect(declared.filter((id) => !recorded.some((each) => each === id))).toEqual([]);
  });

  test('have a variation, or a reason why none is possible', () => {
    const tried = new Set<string>(allVariations.map(({ openPoint: id }) => id));
    expect(openPoints.filter(({ id, unexercised }) => !tried.has(id) && !unexercised).map(({ id }) => id)).toEqual([]);
    expect(openPoints.filter(({ id, unexercised }) => tried.has(id) && unexercised).map(({ id }) => id)).toEqual([]);
  });

  test('are cited by every variation', () => {
    const known = new Set(openPoints.map(({ id }) => id));
    expect(allVariations.filter(({ openPoint: id }) => !known.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('name the choice of the reference service and another one', () => {
    expect(openPoints.filter(({ choices, unexercised }) => choices.length < 2 && !unexercised)).toEqual([]);
  });
});

describe('an open point', () => {
  const point = { id: 'OP-01', section: 'Limits', question: 'Whether something is so', choices: ['yes'], copes: 'So.' };

  test.each([
    ['neither an observation nor a reason', {}],
    ['both an observation and a reason', { observations: ['rate-limit'], unrecorded: 'Nothing shows it.' }],
    ['an unknown field', { observations: ['rate-limit'], since: '2026' }],
  ])('is rejected with %s', (_, more) => {
    expect(openPoint.safeParse({ ...point, ...more }).success).toBe(false);
  });

  test('is accepted with an observation, or with the reason for having none', () => {
    expect(openPoint.safeParse({ ...point, observations: ['rate-limit'] }).success).toBe(true);
    expect(openPoint.safeParse({ ...point, unrecorded: 'Nothing shows it.' }).success).toBe(true);
  });
});
