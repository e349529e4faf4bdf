import { describe, expect, test } from 'vitest';
import { NotApplicable } from '../../../engine/model/outcomes.ts';
import {
  allRejectedCredentials,
  type InvalidCredentialsName,
  ifSupported,
  invalidCredentials,
  nonSellerActors,
  otherKeysWithWrongSecret,
  rejectedCredentials,
  revokedCredentials,
  sellerKeyWithOtherSecrets,
  unissuedProductionKeys,
} from '../../../helpers/api/invalid-credentials.ts';
import { parseTarget } from '../../../specs/target-file/target.ts';
import { labOf, scripted } from '../support/contexts.ts';

const seller = { key: 'svc_sand_Abc123xyz', secret: 'Secret-Of-The-Seller-09' };
const buyer = { key: 'svc_sand_buyer', secret: 'secret-of-the-buyer' };
const target = (actors: object) => parseTarget({ baseUrl: 'http://127.0.0.1:1', actors });
const ctx = () => labOf({ target: target({ seller, buyer, revoked: { key: 'svc_sand_gone', secret: 'gone' } }) });

function headers(way: InvalidCredentialsName): Record<string, string> {
  return Object.fromEntries(invalidCredentials[way](ctx()).headers);
}

describe('invalid credentials', () => {
  test.each(Object.keys(invalidCredentials) as InvalidCredentialsName[])('%s belong to no actor', (way) => {
    const { actor, actorLabel } = invalidCredentials[way](ctx());
    expect(actor).toBeNull();
    expect(actorLabel).toMatch(/\w/);
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
  ] as const)('%s are invalid in only one way', (way, expected) => {
    expect(headers(way)).toEqual(expected);
  });

  test("may be the seller's key with the secret of another actor", () => {
    expect(sellerKeyWithOtherSecrets(ctx()).map(({ headers: pairs }) => Object.fromEntries(pairs))).toContainEqual({
      'X-API-Key': seller.key,
      'X-API-Secret': buyer.secret,
    });
  });

  test('may be those of the revoked key', () => {
    expect(Object.fromEntries(revokedCredentials(ctx()).headers)).toEqual({
      'X-API-Key': 'svc_sand_gone',
      'X-API-Secret': 'gone',
    });
  });

  test.each([
    ['secret-extended', 'buyer', { 'X-API-Key': buyer.key, 'X-API-Secret': `${buyer.secret}0` }],
    ['key-other-case', 'buyer', { 'X-API-Key': 'svc_sand_BUYER', 'X-API-Secret': buyer.secret }],
    ['key-extended', 'buyer', { 'X-API-Key': `${buyer.key}0`, 'X-API-Secret': buyer.secret }],
    ['secret-first-half', 'seller', { 'X-API-Key': seller.key, 'X-API-Secret': 'Secret-Of-Th' }],
    ['secret-other-case', 'seller', { 'X-API-Key': seller.key, 'X-API-Secret': 'secret-of-the-seller-09' }],
    ['key-prefix-only', 'seller', { 'X-API-Key': 'svc_sand_', 'X-API-Secret': seller.secret }],
    ['key-empty', 'seller', { 'X-API-Key': '', 'X-API-Secret': seller.secret }],
  ] as const)('%s may be those of %s', (way, of, expected) => {
    const { actorLabel, headers: pairs } = invalidCredentials[way](ctx(), of);
    expect(Object.fromEntries(pairs)).toEqual(expected);
    expect(actorLabel).toMatch(new RegExp(`^${of} with`));
  });

  test.each([
    ['8', '9'],
    ['9', 'a'],
    ['0', '1'],
    ['a', 'b'],
    ['z', 'a'],
    ['Y', 'Z'],
    ['-', 'a'],
  ])('end with another character than %s', (last, other) => {
    const own = labOf({ target: target({ seller: { key: 'svc_sand_x1', secret: `secret-of-it-${last}` } }) });
    expect(Object.fromEntries(invalidCredentials['secret-last-changed'](own).headers)['X-API-Secret']).toBe(
      `secret-of-it-${other}`,
    );
  });

  test('keep the prefix of a production key in another case', () => {
    const production = { key: 'svc_prod_abc', secret: 'of-production' };
    const own = labOf({ target: target({ seller, production }) });
    const { headers: pairs } = invalidCredentials['key-other-case'](own, 'production');
    expect(Object.fromEntries(pairs)['X-API-Key']).toBe('svc_prod_ABC');
  });

  test('omit the forms that the value does not allow', () => {
    const digits = labOf({ target: target({ seller: { key: 'svc_sand_123', secret: '123456' } }) });
    expect(() => invalidCredentials['secret-other-case'](digits)).toThrow(NotApplicable);
    expect(ifSupported(() => invalidCredentials['secret-other-case'](digits))).toEqual([]);
    expect(ifSupported(() => invalidCredentials['secret-missing'](digits))).toHaveLength(1);
    expect(() => ifSupported(() => revokedCredentials(digits))).toThrow('actors.revoked');
  });

  test('are every other accepted key with an unknown secret', () => {
    expect(nonSellerActors(ctx())).toEqual(['buyer']);
    const [wrong, ...more] = otherKeysWithWrongSecret(ctx());
    expect(more).toEqual([]);
    expect(Object.fromEntries(wrong?.headers ?? [])).toEqual({
      'X-API-Key': buyer.key,
      'X-API-Secret': 'conformance-never-issued-secret-0000',
    });
  });

  test('are of the other environment, except for issued keys', () => {
    const keys = (own: ReturnType<typeof ctx>) =>
      unissuedProductionKeys(own).map(({ headers: pairs }) => pairs[0]?.[1]);
    expect(keys(ctx())).toEqual(['svc_prod_Abc123xyz', 'svc_prod_conformance_never_issued_0000']);
    const issued = labOf({ target: target({ seller, production: { key: 'svc_prod_Abc123xyz', secret: 'p' } }) });
    expect(keys(issued)).toEqual(['svc_prod_conformance_never_issued_0000']);
  });

  test('are tried for every operation unless the list accepts them', async () => {
    const actors = { seller, buyer, revoked: { key: 'svc_sand_gone', secret: 'gone' } };
    const refusing = scripted(() => ({ status: 401 }), { actors });
    const names = (await allRejectedCredentials(refusing.ctx)).map(({ actorLabel }) => actorLabel);
    expect(names).toContain('a revoked key');
    expect(names).toContain('seller with the secret of buyer');
    expect(names).not.toContain('seller with the first half of the secret');
    expect(names).toHaveLength(new Set(names).size);
    expect(refusing.asks).toHaveLength(names.length);
    // Requested once for all callers, which leave out the keys that are similar to the valid one.
    const crucial = (await rejectedCredentials(refusing.ctx)).map(({ actorLabel }) => actorLabel);
    expect(refusing.asks).toHaveLength(names.length);
    expect(names.filter((name) => !crucial.includes(name))).toEqual([
      'seller without key',
      'seller with an empty key',
      'seller with a truncated key',
      'seller with an extended key',
      'seller with only the key prefix',
      'seller with the key in another letter case',
      'seller with key and secret swapped',
    ]);

    const lenient = scripted(({ actorLabel }) => ({ status: actorLabel === 'a revoked key' ? 200 : 401 }), { actors });
    const left = (await allRejectedCredentials(lenient.ctx)).map(({ actorLabel }) => actorLabel);
    expect(left).toEqual(names.filter((name) => name !== 'a revoked key'));

    // No mutation contains a production credential.
    const production = { key: 'svc_prod_x', secret: 'of-production' };
    const guarded = scripted(() => ({ status: 401 }), { actors: { seller, production } });
    const secrets = (await rejectedCredentials(guarded.ctx)).flatMap(({ headers: pairs }) =>
      pairs.map(([, value]) => value),
    );
    expect(secrets).not.toContain(production.secret);

    const alone = scripted(() => ({ status: 401 }), { actors: { seller } });
    expect((await rejectedCredentials(alone.ctx)).map(({ actorLabel }) => actorLabel)).not.toContain('a revoked key');
  });

  test('block the check if the target file lacks the required actor', () => {
    const alone = labOf({ target: target({ seller }) });
    expect(() => revokedCredentials(alone)).toThrow('the target file has no actors.revoked');
    expect(() => sellerKeyWithOtherSecrets(alone)).toThrow('no second key');
  });
});
