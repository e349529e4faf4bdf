import { expect, test } from 'vitest';
import { mentionsId } from '../../../helpers/data/id-mention.ts';

test('a long id is found anywhere in a text', () => {
  expect(mentionsId('{"url":"/invoices/7d4f9a52-8a6f/lines"}', '7d4f9a52-8a6f')).toBe(true);
  expect(mentionsId('{"id":"7d4f9a52-8a60"}', '7d4f9a52-8a6f')).toBe(false);
});

test('a short id is found as a whole value only', () => {
  expect(mentionsId('{"invoiceId":"17"}', '17')).toBe(true);
  expect(mentionsId('{"at":"2017-01-17T17:17:17Z","total":17}', '17')).toBe(false);
});

test('an id is found in a text that escapes its characters', () => {
  expect(mentionsId('{"id":"INV\\/2026\\/ä-0001"}', 'INV/2026/ä-0001')).toBe(true);
  expect(mentionsId('{"id":"INV-2026-\\u00e4-0001"}', 'INV-2026-ä-0001')).toBe(true);
  expect(mentionsId('not JSON: \\/', '/')).toBe(false);
});
