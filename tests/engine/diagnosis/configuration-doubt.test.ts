import { expect, test } from 'vitest';
import { configurationDoubt } from '../../../engine/diagnosis/configuration-doubt.ts';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import type { CheckContext } from '../../../helpers/context/check.ts';
import { type ActorName, parseTarget } from '../../../specs/target-file/target.ts';
import { answerTo, labOf, scripted } from '../../helpers/support/contexts.ts';

const READER = { key: 'svc_sand_reader', secret: 'secret-of-the-reader' };
const asked = (changes: Partial<ApiRequest>): ApiRequest => ({
  operation: 'approve',
  method: 'POST',
  path: '/x',
  actorLabel: 'seller',
  actor: 'seller',
  credentials: [],
  ...changes,
});
const INV001 = { status: 404, json: { code: 'INV001' } };
const doubt = (ctx: CheckContext, changes: Partial<ApiRequest>, reply: { status: number; json?: unknown } = INV001) =>
  configurationDoubt(ctx.run, answerTo(asked(changes), reply));

test('an invoice that is not found by an operation that never worked may have another path', () => {
  const ctx = labOf();
  expect(doubt(ctx, {})).toBe('if the service approves an invoice at another path, correct operations.approve; ');
  expect(doubt(ctx, { operation: 'read', actor: 'buyer' })).toBe(
    'if the service reads an invoice at another path, correct operations.read; ',
  );
});

test.each<[string, Partial<ApiRequest>, { status: number; json?: unknown }?]>([
  ['of an outsider', { actor: 'outsider' }],
  ['without credentials', { actor: null }],
  ['without the code', {}, { status: 404, json: { code: 'X' } }],
  ['with another status', {}, { status: 412, json: { code: 'INV001' } }],
  ['for the balance', { operation: 'treasuryBalance' }],
])('there is no advice for a request %s', (_, changes, reply) => {
  expect(doubt(labOf(), changes, reply)).toBe('');
});

test('a treasury operation that only returns 500 may have another path or body', () => {
  const ctx = labOf({
    target: parseTarget({
      baseUrl: 'http://127.0.0.1:1',
      actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' } },
      operations: { treasuryWithdraw: { method: 'POST', path: '/withdraw' } },
    }),
  });
  const withdrawal = { operation: 'treasuryWithdraw' } as const;
  expect(doubt(ctx, withdrawal, { status: 500 })).toBe(
    'if POST /withdraw is not the withdrawal, or takes another body, correct operations.treasuryWithdraw; ',
  );
  expect(doubt(ctx, withdrawal, { status: 409 })).toBe('');
  ctx.run.permissions.observe(answerTo(asked(withdrawal), { status: 200 }));
  expect(doubt(ctx, withdrawal, { status: 500 })).toBe('');
});

test('there is no advice for an operation that has succeeded', () => {
  const ctx = labOf();
  ctx.run.permissions.observe(answerTo(asked({}), { status: 200 }));
  expect(doubt(ctx, {})).toBe('');
  expect(doubt(ctx, { operation: 'cancel' })).toContain('operations.cancel');
});

test('a read-only key is questioned for its permission, or for its organization if it only reads', () => {
  const { ctx } = scripted(() => ({ status: 200 }), {
    actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' }, readOnly: READER },
  });
  const credentials = [['X-API-Key', READER.key]] as const;
  const asReader = (operation: ApiRequest['operation']) =>
    doubt(ctx, { operation, actor: 'readOnly', actorLabel: 'readOnly', credentials }, { status: 200 });
  expect(asReader('approve')).toBe('if this key may change data, correct actors.readOnly; ');
  expect(asReader('treasuryBalance')).toBe(
    "if this key is not of the seller's organization, correct actors.readOnly; ",
  );
});

test('a read-only key is not questioned for an operation that the server has rejected with 403', () => {
  const { ctx } = scripted(() => ({ status: 200 }), {
    actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' }, readOnly: READER },
  });
  const withReader = (operation: ApiRequest['operation']) =>
    ({ operation, actor: 'readOnly', credentials: [['X-API-Key', READER.key]] }) as const;
  ctx.run.permissions.observe(answerTo(asked(withReader('create')), { status: 403 }));
  expect(doubt(ctx, withReader('create'), { status: 201 })).toBe('');
  expect(doubt(ctx, withReader('submit'), { status: 200 })).toContain('actors.readOnly');
});

test('a revoked key is not questioned if the preflight has found it rejected', () => {
  const changes = {
    actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' }, revoked: READER },
  };
  const withKey = { actor: null, credentials: [['X-API-Key', READER.key]] } as const;
  const accepted = (rejectedActors: readonly ActorName[]) =>
    doubt(scripted(() => ({ status: 200 }), changes, { rejectedActors }).ctx, withKey, { status: 200 });
  expect(accepted([])).toContain('if this key was never revoked, correct actors.revoked; ');
  expect(accepted(['revoked'])).not.toContain('actors.revoked');
});

test('a key is not questioned for a rejection with the status that the target file leads to', () => {
  const { ctx } = scripted(() => ({ status: 200 }), {
    actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' }, outsider: READER },
  });
  const asOutsider = { operation: 'read', actor: 'outsider', credentials: [['X-API-Key', READER.key]] } as const;
  expect(doubt(ctx, asOutsider, { status: 404, json: { code: 'NOT_FOUND' } })).toBe('');
  expect(doubt(ctx, asOutsider, { status: 403 })).toContain('correct actors.outsider');
});
