import { expect, test } from 'vitest';
import { zoneOffsetMinutes } from '../../../helpers/data/time-zone-offset.ts';

const MINUTE = 60_000;

test.each([
  ['clocks that agree', 0, 0],
  ['clocks that nearly agree', 4.9, 0],
  ['an hour', 60, 60],
  ['an hour behind', -60, -60],
  ['five hours and a half', 330, 330],
  ['a quarter', 15, 15],
  ['a zone and a bit', 62.5, 60],
  ['a zone and a bit less', 57.5, 60],
  ['too far from any zone', 52, 0],
  ['too far from any zone, on the other side', 62.6, 0],
  ['the clocks five minutes apart', 5, 0],
  ['the last zone there is', 960, 960],
  ['what lies behind the last zone', 975, 0],
])('a difference of clocks: %s', (_, minutes, offset) => {
  expect(zoneOffsetMinutes(minutes * MINUTE) + 0).toBe(offset);
});
