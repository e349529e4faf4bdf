import { describe, expect, test } from 'vitest';
import { revoked, secretsOfOthers, type WayToFail, waysToFail } from '../../helpers/bad-credentials.ts';
import { targetFile } from '../../specs/target.ts';
import { labOf } from './labs.ts';

const seller = { key: 'svc_sand_Abc123xyz', secret: 'Secret-Of-The-Seller-09' };
const buyer = { key: 'svc_sand_buyer', secret: 'secret-of-the-buyer' };
const target = (actors: object) => targetFile.parse({ baseUrl: 'http://127.0.0.1:1', actors });
const lab = () => labOf({ target: target({ seller, buyer, revoked: { key: 'svc_sand_gone', secret: 'gone' } }) });

function headers(way: WayToFail): Record<string, string> {
  return Object.fromEntries(waysToFail[way](lab()).headers);
}

describe('credentials that are to be refused', () => {
  test.each(Object.keys(waysToFail) as WayToFail[])('%s are nobody’s, and not those of the seller', (way) => {
    const { actor, as } = waysToFail[way](lab());
    expect(actor).toBeNull();
    expect(as).toMatch(/\w/);
    const { 'X-API-Key': key, 'X-API-Secret': secret } = headers(way);
    expect(key === seller.key && secret === seller.secret).toBe(false);
  });

  test.each([
    ['key-missing', { 'X-API-Secret': seller.secret }],
    ['secret-missing', { 'X-API-Key': seller.key }],
    ['both-missing', {}],
    ['swapped', { 'X-API-Key': seller.secret, 'X-API-Secret': seller.key }],
    ['secret-truncated', { 'X-API-Key': seller.key, 'X-API-Secret': 'Secret-Of-The-Seller-0' }],
    ['secret-last-changed', { 'X-API-Key': seller.key, 'X-API-Secret': 'Secret-Of-The-Seller-0a' }],
    ['key-other-case', { 'X-API-Key': 'svc_sand_abc123xyz', 'X-API-Secret': seller.secret }],
    ['secret-empty', { 'X-API-Key': seller.key, 'X-API-Secret': '' }],
  ] as const)('%s are wrong in that one way only', (way, expected) => {
    expect(headers(way)).toEqual(expected);
  });

  test('may be the seller’s key with somebody else’s secret', () => {
    expect(secretsOfOthers(lab()).map(({ headers: pairs }) => Object.fromEntries(pairs))).toContainEqual({
      'X-API-Key': seller.key,
      'X-API-Secret': buyer.secret,
    });
  });

  test('may be those of the revoked key', () => {
    expect(Object.fromEntries(revoked(lab()).headers)).toEqual({
      'X-API-Key': 'svc_sand_gone',
      'X-API-Secret': 'gone',
    });
  });

  test('need what the target file does not hold: then the check is blocked', () => {
    const alone = labOf({ target: target({ seller }) });
    expect(() => revoked(alone)).toThrow('the target file names no actors.revoked');
    expect(() => secretsOfOthers(alone)).toThrow('a second key');
  });
});
