import { describe, expect, test } from 'vitest';
import { findSuspect, LostOperations } from '../../../engine/diagnosis/lost-operations.ts';
import { Permissions } from '../../../engine/diagnosis/permissions.ts';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { answerTo, type Reply } from '../../helpers/support/contexts.ts';

const ask = (operation: ApiRequest['operation'], actor: ApiRequest['actor'] = 'buyer'): ApiRequest => ({
  operation,
  method: 'POST',
  path: `/invoices/1/${operation}`,
  actorLabel: String(actor),
  actor,
  credentials: [],
});
const approve = ask('approve');
const APPROVE = { actor: 'buyer', operation: 'approve' } as const;

/** The suspected operation after a response, in a run in which these operations have succeeded. */
function suspect(asked: ApiRequest, reply: Reply, worked: readonly ApiRequest[] = [asked]) {
  const permissions = new Permissions();
  for (const each of worked) permissions.observe(answerTo(each, { status: 200 }));
  return findSuspect(answerTo(asked, reply), permissions);
}

describe('an operation that succeeded is suspected to be lost', () => {
  test.each<[string, ApiRequest, Reply]>([
    ['after a 403', approve, { status: 403, json: { code: 'AUTHZ001' } }],
    ['after a 404 with a code other than that of invoices', approve, { status: 404, json: { code: 'REQ003' } }],
    ['after a 405', approve, { status: 405 }],
    ['after a 404 without valid credentials', ask('approve', null), { status: 404 }],
    [
      'after the loss of a connection that existed',
      ask('create', 'seller'),
      { status: 412, json: { code: 'CONN010' } },
    ],
    ['after a 404 to a creation', ask('create', 'seller'), { status: 404, json: { message: 'no Route matched' } }],
  ])('%s', (_, asked, reply) => {
    expect(suspect(asked, reply)).toEqual({ actor: asked.actor, operation: asked.operation });
  });

  test.each<[string, ApiRequest, Reply]>([
    ['after a 404 with the code of invoices', approve, { status: 404, json: { code: 'INV001' } }],
    ['after a rejection because of the state', approve, { status: 412, json: { code: 'INV004' } }],
    ['after a 403 because of the environment', approve, { status: 403, json: { code: 'GW_ENVIRONMENT_KEY_MISMATCH' } }],
    ['after an invalid creation', ask('create', 'seller'), { status: 400, json: { code: 'INV002' } }],
    ['after a 403 without valid credentials', ask('approve', null), { status: 403 }],
  ])('but not %s', (_, asked, reply) => {
    expect(suspect(asked, reply)).toBeNull();
  });

  test('but not if it never succeeded', () => {
    expect(suspect(approve, { status: 404 }, [ask('submit', 'seller')])).toBeNull();
  });
});

describe('a suspected operation', () => {
  const answering = (...replies: Reply[]) => {
    let uses = 0;
    return { use: async () => answerTo(approve, replies[uses++] ?? { status: 200 }), uses: () => uses };
  };

  test('is lost if a valid use of it is rejected in the same way twice', async () => {
    const gone = { status: 404, json: { code: 'REQ003' } };
    const { use } = answering(gone, gone);
    expect(await new LostOperations().confirm(APPROVE, use)).toMatchObject({
      blockedBy: 'operations.approve of the target file',
      reason: expect.stringMatching(
        /^operations\.approve: POST \S+ succeeded earlier in this run, and now it returns 404/,
      ),
    });
  });

  test('is lost for one key if that key gets a 403', async () => {
    const { use } = answering({ status: 403 }, { status: 403 });
    expect(await new LostOperations().confirm(APPROVE, use)).toMatchObject({
      blockedBy: 'actors.buyer of the target file',
      reason: expect.stringContaining('the key has lost a permission'),
    });
  });

  test('is not lost if a valid use is accepted, and is not probed again soon', async () => {
    const losses = new LostOperations();
    const { use, uses } = answering({ status: 404 }, { status: 200 });
    expect(await losses.confirm(APPROVE, use)).toBeNull();
    expect(await losses.confirm(APPROVE, use)).toBeNull();
    expect(uses()).toBe(2);
  });

  test('is not probed if no valid use is possible', async () => {
    expect(await new LostOperations().confirm(APPROVE, async () => null)).toBeNull();
  });
});
