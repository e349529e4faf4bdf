import { describe, expect, test } from 'vitest';
import { derivationText, placeText, requirementLines } from '../../../reporting/text/requirement-text.ts';
import type { RequirementReport } from '../../../specs/formats/report.ts';

const paidOnce = {
  rule: 'Each settled invoice is paid once.',
  because: 'SETTLED means that its payment is completed.',
  necessary: false,
  checks: ['LIFE-04.paid-once'],
};
const requirement = {
  id: 'LIFE-04',
  statement: 'SETTLED means that payment is completed.',
  place: 'States and transitions, row SETTLED',
  derived: [{ ...paidOnce, rule: 'Another rule.', checks: ['LIFE-04.cancel'] }, paidOnce],
} as unknown as RequirementReport;

describe('the lines of a failure', () => {
  test('name the derived rule that the check judges, and no other', () => {
    expect(requirementLines(requirement, 'LIFE-04.paid-once')).toEqual([
      ['requirement', 'LIFE-04 SETTLED means that payment is completed.'],
      ['contract', 'States and transitions, row SETTLED'],
      ['derived', 'Each settled invoice is paid once. Deduced: SETTLED means that its payment is completed.'],
    ]);
  });

  test('name no derived rule if the check judges the statement', () => {
    expect(requirementLines(requirement, 'LIFE-04.settle').map(([label]) => label)).toEqual([
      'requirement',
      'contract',
    ]);
  });
});

test.each([
  ['Create invoice, rule 2', 'Create invoice, rule 2'],
  ['Events, text; Events, row PAYMENT_COMPLETED', 'Events, text and row PAYMENT_COMPLETED'],
  [
    'Create invoice, rule 3; Create invoice, row amount; Create invoice, row dueDate; Errors, Module codes, row INV002',
    'Create invoice, rule 3 and rows amount and dueDate; Errors, Module codes, row INV002',
  ],
  ['Limits, row A; Limits, row B; Limits, row C; Limits, row D; Limits, row E', 'Limits, rows A, B, C, D and E'],
  ['A place of a custom check', 'A place of a custom check'],
])('the places %s are written as %s', (place, text) => {
  expect(placeText(place)).toBe(text);
});

test('a rule that follows necessarily says so', () => {
  expect(derivationText({ ...paidOnce, necessary: true, because: 'INV004 is the code.' })).toBe(
    'Each settled invoice is paid once. Follows necessarily: INV004 is the code.',
  );
});
