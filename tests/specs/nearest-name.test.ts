import { expect, test } from 'vitest';
import { editDistance, nearestName } from '../../specs/nearest-name.ts';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', '', 3],
  ['aprove', 'approve', 1],
  ['taget', 'target', 1],
  ['lfie', 'life', 1],
  ['kitten', 'sitting', 3],
])('the distance of %s and %s is %d', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
  expect(editDistance(other, one)).toBe(distance);
});

const NAMES = ['name', 'baseUrl', 'readOnly', 'requestsPerSecond', 'organizationId', 'settleWithinMs', 'id'];

test.each([
  ['baseURL', 'baseUrl'],
  ['base-url', 'baseUrl'],
  ['url', 'baseUrl'],
  ['read_only', 'readOnly'],
  ['reedOnly', 'readOnly'],
  ['requestPerSecond', 'requestsPerSecond'],
  ['rps', 'requestsPerSecond'],
  ['orgId', 'organizationId'],
  ['organisationId', 'organizationId'],
  ['ID', 'id'],
  ['bar', undefined],
  ['x', undefined],
  ['frobnicate', undefined],
])('%s is corrected to %s', (name, meant) => {
  expect(nearestName(name, NAMES)).toBe(meant);
});
