import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Check } from '../../../helpers/context/check.ts';
import { steadyFailuresChecks } from '../../../suites/errors/steady-failures.ts';
import { answerTo, keeping, type Reply, scripted } from '../../helpers/support/contexts.ts';

/** A clock that only the waits of the checks move. Other files share the modules: none may be loaded already, or stay loaded. */
const clock = vi.hoisted(() => {
  vi.resetModules();
  return { ms: 0 };
});
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    clock.ms += ms;
  },
}));

afterAll(() => {
  vi.resetModules();
});

const operations = {
  read: { method: 'GET', path: '/invoices/{id}' },
  treasuryBalance: { method: 'GET', path: '/balance' },
  treasuryWithdraw: { method: 'POST', path: '/withdraw', body: { amount: '{amount}' } },
};

const run = async (id: string, reply: Parameters<typeof scripted>[0]) => {
  clock.ms = 0;
  const { ctx, asks } = scripted(reply, { operations });
  ctx.execution.id = id as NonNullable<typeof ctx.execution.id>;
  const found = steadyFailuresChecks.find((each) => each.id === id) as Check;
  return { ctx, asks, found, judged: () => found.body(ctx) };
};

const replying = (...replies: Reply[]) => {
  const left = [...replies];
  return () => left.shift() ?? (replies.at(-1) as Reply);
};
const failed: Reply = { status: 500, json: { code: 'X' } };
const unfunded: Reply = { status: 412, json: { code: 'TREAS007' } };

describe('an operation of the treasury', () => {
  test.each([
    ['ERR-12.balance', 'GET /balance is not the balance', 'correct operations.treasuryBalance'],
    ['ERR-12.withdrawal', 'POST /withdraw is not the withdrawal', 'correct operations.treasuryWithdraw'],
  ])('%s fails if each response is a 500, and doubts the target file', async (id, doubt, remedy) => {
    const { judged } = await run(id, replying(failed));
    const thrown: unknown = await judged().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: 'Breach', message: expect.stringContaining(doubt) });
    expect(thrown).toHaveProperty('message', expect.stringContaining(remedy));
    expect(clock.ms).toBeGreaterThanOrEqual(2000);
  });

  test.each<[string, Reply]>([
    ['accepted', { status: 200, json: {} }],
    ['rejected for its state', unfunded],
  ])('works if a later request is %s', async (_, reply) => {
    const { judged } = await run('ERR-12.withdrawal', replying(failed, failed, reply));
    await expect(judged()).resolves.toBeUndefined();
  });

  test.each([503, 401, 400, 404])('is not judged by a %i', async (status) => {
    const { judged } = await run('ERR-12.withdrawal', replying(failed, { status, json: { code: 'X' } }));
    await expect(judged()).rejects.toMatchObject({
      name: 'NotApplicable',
      message: expect.stringContaining(`${status}`),
    });
  });

  test('is blocked by a 403', async () => {
    const { judged } = await run('ERR-12.withdrawal', replying({ status: 403, json: { code: 'X' } }));
    await expect(judged()).rejects.toMatchObject({ name: 'Blocked' });
  });

  test('is not called again if it has succeeded, which the late phase knows', async () => {
    const { ctx, asks, found, judged } = await run('ERR-12.withdrawal', replying(failed));
    const ask = { operation: 'treasuryWithdraw', method: 'POST', path: '/withdraw' } as const;
    ctx.run.permissions.observe(
      answerTo({ ...ask, actorLabel: 'seller', actor: 'seller', credentials: [] }, { status: 200 }),
    );
    await judged();
    expect(asks).toHaveLength(0);
    expect(found.phase).toBe('late');
  });
});

describe('reads of an existing invoice', () => {
  /** A server whose reads fail if `isAbsent` says so for the number of the read and the time since the creation. */
  const reading = (isAbsent: (read: number, ms: number) => boolean) => {
    const server = keeping();
    let reads = 0;
    return run('ERR-10.existing-invoice', (ask) => {
      if (ask.operation !== 'read') return server.reply(ask);
      reads += 1;
      return isAbsent(reads, clock.ms) ? { status: 404, json: { code: 'INV001' } } : server.reply(ask);
    });
  };

  test('that all return it pass after eight reads, without a wait', async () => {
    const { judged, asks } = await reading(() => false);
    await judged();
    expect(asks.filter(({ operation }) => operation === 'read')).toHaveLength(8);
    expect(clock.ms).toBe(0);
  });

  test('of which every second is a 404 fail', async () => {
    const { judged } = await reading((read) => read % 2 === 0);
    await expect(judged()).rejects.toMatchObject({ name: 'Breach' });
  });

  test('of a replica that is some seconds behind are blocked by the limit', async () => {
    const { judged } = await reading((read, ms) => ms < 6000 && read % 2 === 0);
    await expect(judged()).rejects.toMatchObject({
      name: 'Blocked',
      blockedBy: 'limits.settleWithinMs of the target file',
    });
  });

  test.each<[string, (read: number) => boolean]>([
    ['before', (read) => read <= 20],
    ['afterwards', (read) => read === 1 || read > 12],
    ['at all', () => true],
  ])('that do not return it %s are not judged', async (_, isAbsent) => {
    const { judged } = await reading(isAbsent);
    await expect(judged()).rejects.toMatchObject({ name: 'NotApplicable' });
  });
});
