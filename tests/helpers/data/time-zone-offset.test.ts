import { expect, test } from 'vitest';
import { zoneOffsetMinutes } from '../../../helpers/data/time-zone-offset.ts';

const MINUTE = 60_000;

test.each([
  ['clocks that agree', 0, 0],
  ['clocks that nearly agree', 4.9, 0],
  ['an hour', 60, 60],
  ['an hour behind', -60, -60],
  ['five and a half hours', 330, 330],
  ['a quarter of an hour', 15, 15],
  ['a little more than a zone', 62.5, 60],
  ['a little less than a zone', 57.5, 60],
  ['too short for a zone', 52, 0],
  ['too long for a zone', 62.6, 0],
  ['five minutes', 5, 0],
  ['the largest offset', 960, 960],
  ['more than the largest offset', 975, 0],
])('a difference of clocks: %s', (_, minutes, offset) => {
  expect(zoneOffsetMinutes(minutes * MINUTE) + 0).toBe(offset);
});
