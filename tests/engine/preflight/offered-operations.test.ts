import { expect, test } from 'vitest';
import { offeredOperations } from '../../../engine/preflight/offered-operations.ts';
import { clientFor } from '../support/clients.ts';
import { httpServer } from '../support/servers.ts';
import { targetAt } from '../support/targets.ts';

const NO_ROUTE = { error: 'no', code: 'ROUTE1' };
const NOT_FOUND = { error: 'no', code: 'INV001' };

/** The notices for a server that knows some paths, with what it received. */
async function noticesFor(knows: (request: string) => object | null, mayMutate = true) {
  const received: string[] = [];
  const url = await httpServer(({ method, url: path }, response) => {
    const request = `${method} ${path?.replace(/[0-9a-f-]{36}/, '{id}')}`;
    received.push(request);
    const body = knows(request);
    const status = body === null || body === NOT_FOUND ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? NO_ROUTE));
  });
  const absent = 'not-offered' as const;
  const operations = {
    dispute: absent,
    cancel: absent,
    read: absent,
    treasuryBalance: absent,
    treasuryWithdraw: absent,
  };
  const target = targetAt(url, { operations });
  return { notices: await offeredOperations(target, clientFor(target).client, mayMutate), received };
}

test('an operation that the server has at its usual path is named', async () => {
  const known: Record<string, object> = {
    'POST /api/v1/invoices/{id}/dispute': NOT_FOUND,
    'GET /api/v1/invoices/{id}': NOT_FOUND,
    'GET /api/v1/treasury/balance': { amount: '1.00' },
  };
  const { notices, received } = await noticesFor((request) => known[request] ?? null);
  expect(notices).toEqual([
    expect.stringMatching(
      /^operations\.read: is declared not-offered, but GET \S+\{id\} returns 404 INV001 .*; bind it/,
    ),
    expect.stringMatching(
      /^operations\.dispute: is declared not-offered, but POST \S+\/\{id\}\/dispute returns 404 INV001/,
    ),
    'operations.treasuryBalance: is declared not-offered, but GET /api/v1/treasury/balance returns 200; bind it, otherwise its checks are not judged',
  ]);
  expect(received.filter((request) => request.includes('withdraw'))).toEqual([]);
});

test.each([
  ['no usual path', () => null],
  ['every path as an invoice', () => NOT_FOUND],
  ['every path as a success', () => ({})],
])('a server that knows %s has none of them', async (_, knows) => {
  expect((await noticesFor(knows)).notices).toEqual([]);
});

test('without permission to change anything, only reading operations are requested', async () => {
  const { received } = await noticesFor(() => NOT_FOUND, false);
  expect(received.filter((request) => !request.startsWith('GET '))).toEqual([]);
});
