import { expect, test } from 'vitest';
import { blockUnlessNeedsMet, missingField, type Need, requiredFields } from '../../../engine/target/capabilities.ts';
import { buyer, seller, targetAt } from '../support/targets.ts';

const read = { method: 'GET', path: '/api/v1/invoices/{id}' } as const;
const full = targetAt('http://127.0.0.1:1', {
  actors: { seller, buyer },
  operations: { read },
  counterparties: { suspended: 'org-x' },
  allow: { reset: true },
});
const bare = targetAt('http://127.0.0.1:1', { actors: { buyer } });
const known = { seller: 'org-s', buyer: 'org-b' };

test.each([['seller'], ['read'], ['suspended'], ['reset'], ['connection']] as const)(
  '%s is available if the target file names it',
  (need) => {
    expect(missingField(need, full, known)).toBeNull();
  },
);

test.each([
  ['outsider', 'actors.outsider'],
  ['approve', 'operations.approve'],
  ['unconnected', 'counterparties.unconnected'],
] as const)('%s is missing, and its field is named', (need, field) => {
  expect(missingField(need, full, known)).toBe(`${field} of the target file`);
});

test('a submission needs the submit operation, unless the target file declares it not-offered', () => {
  const undrafted = targetAt('http://127.0.0.1:1', { operations: { submit: 'not-offered' } });
  expect(missingField('submission', bare, known)).toBe('operations.submit of the target file');
  expect(missingField('submission', undrafted, known)).toBeNull();
  expect(requiredFields('submission')).toEqual(['operations.submit']);
  const disabledReasons = new Map<Need, string>([['submit', 'its path is wrong']]);
  expect(() =>
    blockUnlessNeedsMet(['submission'], { target: bare, plan: { organizations: known }, disabledReasons }),
  ).toThrow('its path is wrong');
});

test('a reset is missing unless it is allowed', () => {
  expect(missingField('reset', bare, {})).toBe('allow.reset of the target file');
});

test('a connection needs the seller, and both organizations', () => {
  expect(missingField('connection', bare, known)).toBe('actors.seller of the target file');
  expect(missingField('connection', full, {})).toBe('actors.seller.organizationId of the target file');
  expect(missingField('connection', full, { seller: 'org-s' })).toBe('actors.buyer.organizationId of the target file');
});

test('the required fields of a need include the one that is missing', () => {
  const needs: Need[] = ['outsider', 'approve', 'unconnected', 'suspended', 'rateLimitProbe', 'connection'];
  for (const need of needs) {
    const missing = missingField(need, bare, {})?.replace(' of the target file', '');
    expect(requiredFields(need), need).toContain(missing);
  }
});

test('a connection requires both parties, and the bound operations require no field', () => {
  expect(requiredFields('connection')).toEqual(['actors.seller', 'actors.buyer']);
  expect(requiredFields('boundOperations')).toEqual([]);
});
