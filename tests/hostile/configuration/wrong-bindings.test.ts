import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { startFront } from '../support/hostile-proxy.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

type Described = RunningReference['target'];
type Change = (target: Described) => object;

/** Checks that a wrong binding would fail, or that pass without the operation. */
const SOME = [
  'LIFE-01',
  'LIFE-02.draft-approve',
  'LIFE-03',
  'TREAS-01',
  'ISO-05',
  'ERR-01',
  'ERR-03',
  'CREATE-14',
  'PERM-01',
];
const INVOICE = '/api/v1/invoices/{id}';
const NOBODY = '7c0e9c1d-7a46-4f13-8d2e-91c6a3f0b7d4';

async function run(change: Change, only: readonly string[] = SOME) {
  const service = await startReference();
  onTestFinished(() => service.close());
  const target = { ...service.target, allow: {}, ...change(service.target) } as BoundTargetInput;
  return await judged(target, { only });
}

const bound =
  (name: keyof Described['operations'], changes: object): Change =>
  ({ operations }) => ({ operations: { ...operations, [name]: { ...operations[name], ...changes } } });

const actors =
  (changes: (actors: Described['actors']) => object): Change =>
  (target) => ({ actors: { ...target.actors, ...changes(target.actors) } });

describe('a wrong binding blocks its checks, and no check fails:', () => {
  test.each<[string, string, Change]>([
    ['a path that does not exist', 'submit', bound('submit', { path: `${INVOICE}/submitt` })],
    ['another method', 'approve', bound('approve', { method: 'PUT' })],
    ['a read path that does not exist', 'read', bound('read', { path: '/api/v1/invoice/{id}' })],
    ['the request of another action', 'settle', bound('settle', { path: `${INVOICE}/approve` })],
    ['another action for the same state', 'cancel', bound('cancel', { path: `${INVOICE}/approve`, actor: 'seller' })],
    ['a body that is always rejected', 'dispute', bound('dispute', { body: { because: '{text}' } })],
    ['a withdrawal of a fixed amount', 'treasuryWithdraw', bound('treasuryWithdraw', { body: { amount: '25.00' } })],
    [
      'a balance that is a list',
      'treasuryBalance',
      bound('treasuryBalance', { method: 'GET', path: '/api/v1/invoices' }),
    ],
  ])('%s', async (_, name, change) => {
    const found = await run(change);
    expect(having(found, 'fail'), found.said).toEqual([]);
    expect(having(found, 'error')).toEqual([]);
    expect(found.exitCode).toBe(3);
    const blocked = found.report?.checks.filter(({ verdict }) => verdict === 'blocked') ?? [];
    const by = blocked.filter(({ blockedBy }) => blockedBy === `operations.${name} of the target file`);
    expect(by.length).toBeGreaterThan(0);
    expect(by[0]?.reason).toMatch(new RegExp(`^operations\\.${name}: [A-Z]+ /\\S+ .*(correct|write) `));
  });

  test('two paths that do not exist, one of which leads to the other', async () => {
    const found = await run((target) => {
      const { operations } = { ...target, ...bound('submit', { path: `${INVOICE}/send` })(target) } as Described;
      return bound('approve', { path: `${INVOICE}/accept` })({ ...target, operations });
    });
    expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
    const fields = new Set(found.report?.checks.map(({ blockedBy }) => blockedBy));
    expect(fields).toContain('operations.submit of the target file');
  });

  test('a second key of the seller as the buyer, if neither file nor records name organizations', async () => {
    const service = await startReference();
    onTestFinished(() => service.close());
    const { keys, worlds } = service.reference.service.store;
    worlds.SANDBOX.invoices.clear();
    const { seller } = service.target.actors;
    const second = { key: 'svc_sand_second', secret: 'secret-of-the-second' };
    const sellers = [...keys.values()].find(({ key }) => key === seller.key);
    if (sellers) keys.set(second.key, { ...sellers, ...second });
    const { key, secret } = seller;
    const target = { ...service.target, allow: {}, actors: { seller: { key, secret }, buyer: second } };
    const found = await judged(target, { only: ['ISO-07', 'IDEM-07', 'AUTH-01'] });
    expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
    expect(found.report?.checks.map(({ blockedBy }) => blockedBy)).toContain(
      'actors.seller.organizationId of the target file',
    );
  });

  test('a rejection of another key blocks the checks that need that key', async () => {
    const found = await run(actors(({ readOnly }) => ({ readOnly: { ...readOnly, secret: 'a-secret-of-nobody' } })));
    expect([found.exitCode, having(found, 'fail')]).toEqual([3, []]);
    expect(found.report?.checks.map(({ blockedBy }) => blockedBy)).toContain('actors.readOnly of the target file');
  });
});

describe('a target file with wrong basic entries ends with exit 2 and names the field:', () => {
  test.each<[string, RegExp, Change]>([
    ['a prefix', /^baseUrl: .* returns 404 /, ({ baseUrl }) => ({ baseUrl: `${baseUrl}/gateway` })],
    [
      'the version as a prefix',
      /without \/api\/v1, which the kit adds itself$/,
      ({ baseUrl }) => ({ baseUrl: `${baseUrl}/api/v1` }),
    ],
    [
      'swapped organization ids',
      /^actors\.seller\.organizationId and actors\.buyer\.organizationId: /,
      actors(({ seller, buyer }) => ({
        seller: { ...seller, organizationId: buyer.organizationId },
        buyer: { ...buyer, organizationId: seller.organizationId },
      })),
    ],
    [
      'swapped keys',
      /^actors\.seller and actors\.buyer: /,
      actors(({ seller, buyer }) => ({
        seller: { ...buyer, organizationId: seller.organizationId },
        buyer: { ...seller, organizationId: buyer.organizationId },
      })),
    ],
    [
      'a read-only key as the key of the seller',
      /^actors\.seller: this key may not create invoices/,
      ({ actors: { readOnly, ...others } }) => ({ actors: { ...others, seller: readOnly } }),
    ],
    [
      'an organization that the records do not name',
      /^actors\.buyer\.organizationId: /,
      actors(({ buyer }) => ({ buyer: { ...buyer, organizationId: NOBODY } })),
    ],
    [
      'swapped counterparties',
      /^counterparties\.unconnected and counterparties\.suspended: /,
      ({ counterparties: { unconnected, suspended } }) => ({
        counterparties: { unconnected: suspended, suspended: unconnected },
      }),
    ],
    [
      'a suspended organization that is the buyer',
      /^counterparties\.suspended: /,
      ({ counterparties, actors: { buyer } }) => ({
        counterparties: { ...counterparties, suspended: buyer.organizationId },
      }),
    ],
  ])('%s', async (_, line, change) => {
    const found = await run(change, ['CREATE-13', 'CONN']);
    expect([found.exitCode, found.said]).toEqual([2, expect.stringMatching(line)]);
  });
});

test('an entry that cannot be verified is named if it could explain the failure', async () => {
  const revoked = actors(({ readOnly }) => ({ revoked: readOnly }));
  const found = await run((target) => revoked(target), ['AUTH-04']);
  expect(found.exitCode).toBe(1);
  expect(found.said).toMatch(
    /Check the target file first: if this key was never revoked, correct\s+actors\.revoked\. Otherwise the server breaks AUTH-04/,
  );
});

describe('another service at baseUrl ends with exit 2, and no check fails:', () => {
  test.each<[string, number, string, string]>([
    [
      'with other items',
      200,
      'application/json',
      '{"items":[{"sku":"A1"}],"total":1,"page":0,"limit":20,"totalPages":1}',
    ],
    ['with a bare array', 200, 'application/json', '[]'],
    ['with an empty response', 204, 'text/plain', ''],
    [
      'that requires a query of its own',
      400,
      'application/json',
      '{"errors":[{"message":"Must provide query string."}]}',
    ],
    ['that requires a login to the network', 511, 'text/html', '<html>Log in to this network</html>'],
  ])('%s', async (_, status, type, body) => {
    const front = await startFront({
      changes: () => ({ status, headers: [['Content-Type', type]], body: Buffer.from(body) }),
    });
    onTestFinished(() => front.close());
    const found = await judged(front.target(), { only: ['*'] });
    expect([found.exitCode, found.report]).toEqual([2, null]);
    expect(found.said).toMatch(/baseUrl: .*; correct baseUrl/);
  });

  test('with empty lists for every key, and no creation', async () => {
    const empty = JSON.stringify({ items: [], total: 0, totalPages: 0, page: 0, limit: 100 });
    const front = await startFront({
      changes: (_, { method }) => ({
        status: method === 'GET' ? 200 : 404,
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from(method === 'GET' ? empty : '{"error":"Not found"}'),
      }),
    });
    onTestFinished(() => front.close());
    const found = await judged(front.target(), { only: ['*'] });
    expect([found.exitCode, found.report]).toEqual([2, null]);
    expect(found.said).toMatch(/baseUrl: .* returns the same response to every request.*; correct baseUrl/);
  });

  test('a list with another member name and with authentication is judged', async () => {
    const front = await startFront({
      changes: (response) => ({
        ...response,
        body: Buffer.from(response.body.toString().replace('"items":', '"data":')),
      }),
    });
    onTestFinished(() => front.close());
    const found = await judged(front.target(), { only: ['LIST-01', 'LIST-02'] });
    expect(found.exitCode).toBe(1);
    expect(having(found, 'fail')).toEqual(['LIST-01.items']);
  });
});
