import { expect, test } from 'vitest';
import { textPattern } from '../../../helpers/data/text-pattern.ts';

test.each([
  [['INV-2026-000009', 'INV-2026-000010', 'INV-2026-000123'], 'INV-9-9'],
  [['INV-2027-9', 'INV-2027-10'], 'INV-9-9'],
  [['17', '18', '19'], '9'],
  [['877762f5-9c8e-4cf0-bb14-8df5ddae9b17', '877762f5-9c8f-7cf0-bb14-8df5ddae9b17'], 'a UUID'],
  [['inv_877762f5-9c8e-4cf0-bb14-8df5ddae9b17', 'inv_976762f5-9c8f-7cf0-bb14-8df5ddae9b17'], 'inv_ and a UUID'],
  [['inv_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'inv_01ARZ3NDEKTSV4RRFFQ69G5FBW'], 'inv_ and other text'],
  [['V1StGXR8', 'V1abcdef'], 'other text'],
  [['A-7f3'], 'other text'],
])('the form of %j is %s', (texts, form) => {
  expect(textPattern(texts)).toBe(form);
});
