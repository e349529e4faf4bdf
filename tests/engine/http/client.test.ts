import { describe, expect, test, vi } from 'vitest';
import { GuardError } from '../../../engine/http/production-guard.ts';
import { Interrupted } from '../../../engine/model/outcomes.ts';
import { exchangeRecord } from '../../../specs/formats/journal.ts';
import { ask, clientFor } from '../support/clients.ts';
import { httpServer } from '../support/servers.ts';
import { production, seller, targetAt } from '../support/targets.ts';

interface Heard {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** A server that records its requests and always gives the same response. */
async function listening(status = 200, body = '{}', headers: Record<string, string> = {}) {
  const heard: Heard[] = [];
  const baseUrl = await httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url } = request;
      heard.push({ method, url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
  return { baseUrl, heard };
}

describe('a request', () => {
  test('goes below the base URL with its path', async () => {
    const { baseUrl, heard } = await listening();
    const target = targetAt(`${baseUrl}/tenant/a/`);
    const answer = await clientFor(target).client.send(ask(target, { path: '/api/v1/invoices?page=0' }), null);
    expect(heard[0]?.url).toBe('/tenant/a/api/v1/invoices?page=0');
    expect(answer.requestLine).toBe('GET /api/v1/invoices?page=0');
  });

  test('carries its credentials and accepts JSON', async () => {
    const { baseUrl, heard } = await listening();
    const target = targetAt(baseUrl);
    await clientFor(target).client.send(ask(target), null);
    expect(heard[0]).toMatchObject({
      method: 'GET',
      body: '',
      headers: { 'x-api-key': seller.key, 'x-api-secret': seller.secret, accept: 'application/json' },
    });
    expect(heard[0]?.headers).not.toHaveProperty('content-type');
  });

  test('sends an object as JSON and a text as it is', async () => {
    const { baseUrl, heard } = await listening();
    const target = targetAt(baseUrl);
    const { client } = clientFor(target);
    await client.send(ask(target, { method: 'POST', body: { a: 'ü' } }), null);
    await client.send(ask(target, { method: 'POST', body: '{"a":' }), null);
    await client.send(ask(target, { method: 'POST', body: 'a=b', headers: [['Content-Type', 'text/plain']] }), null);
    expect(heard.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
      ['{"a":"ü"}', 'application/json'],
      ['{"a":', 'application/json'],
      ['a=b', 'text/plain'],
    ]);
  });

  test('is not sent if the guard forbids it', async () => {
    const { baseUrl, heard } = await listening();
    const target = targetAt(baseUrl, { actors: { seller, production } });
    const mutation = ask(target, { operation: 'submit', method: 'POST', credentials: [['X-API-Key', production.key]] });
    await expect(clientFor(target).client.send(mutation, null)).rejects.toThrow(GuardError);
    const onlyReading = clientFor(target, { mayMutate: false }).client;
    await expect(onlyReading.send(ask(target, { operation: 'delete', method: 'DELETE' }), null)).rejects.toThrow(
      GuardError,
    );
    expect(heard).toEqual([]);
  });
});

describe('a response', () => {
  test.each([
    ['JSON', '{"a":1}', { a: 1 }],
    ['text that is not JSON', '<html>', undefined],
    ['nothing', '', undefined],
    ['the JSON null', 'null', null],
  ])('with %s is passed on unchanged', async (_, body, json) => {
    const { baseUrl } = await listening(200, body, { 'X-Two': 'b' });
    const target = targetAt(baseUrl);
    const answer = await clientFor(target).client.send(ask(target), null);
    expect(answer).toMatchObject({ status: 200, text: body, sentBody: null });
    expect(answer.json).toEqual(json);
    expect(answer.headers).toContainEqual(['x-two', 'b']);
  });
});

describe('the evidence', () => {
  test('of an exchange is a journal record with the complete request and response', async () => {
    const { baseUrl } = await listening(201, '{"id":"1"}');
    const target = targetAt(baseUrl);
    const { client, exchanges } = clientFor(target);
    await client.send(ask(target, { operation: 'create', method: 'POST', body: { a: 1 } }), 'CREATE-13.required-only');
    const [record] = exchanges.map((each) => exchangeRecord.parse(each));
    expect(record).toMatchObject({
      id: 'x1',
      check: 'CREATE-13.required-only',
      label: 'seller: create',
      actor: 'seller',
      attempt: 1,
      request: { method: 'POST', url: `${baseUrl}/api/v1/invoices/1`, body: '{"a":1}' },
      response: { status: 201, body: '{"id":"1"}', bytes: 10, truncated: false },
      failure: null,
    });
  });

  test('contains no secret in any field, expected or not', async () => {
    const { baseUrl } = await listening(200, '{}', { [`x-${seller.secret.toLowerCase()}`]: 'echo' });
    const target = targetAt(baseUrl);
    const { client, exchanges } = clientFor(target);
    await client.send(
      ask(target, { path: `/api/v1/invoices?q=${seller.secret}`, actorLabel: `seller ${seller.secret}` }),
      null,
    );
    // The journal writes an exchange unchanged.
    const kept = JSON.stringify(exchanges).toLowerCase();
    expect(kept).toContain('<seller.secret>');
    expect(kept).not.toContain(seller.secret.toLowerCase());
  });

  test('contains no secret, sent or received', async () => {
    const echo = { secret: seller.secret, basic: Buffer.from(seller.secret).toString('base64') };
    const { baseUrl } = await listening(200, JSON.stringify(echo), { 'X-Echo': seller.key, 'Set-Cookie': 'session=1' });
    const target = targetAt(baseUrl);
    const { client, exchanges } = clientFor(target);
    const path = `/api/v1/invoices/${seller.key}`;
    await client.send(ask(target, { method: 'POST', path, body: { note: seller.secret } }), null);
    const [record] = exchanges;
    expect(record?.request.headers).toContainEqual(['X-API-Key', '<seller.key>']);
    expect(record?.request.headers).toContainEqual(['X-API-Secret', '<seller.secret>']);
    expect(record?.response?.headers).toContainEqual(['set-cookie', '<masked: 9 characters>']);
    const { url: _, ...request } = record?.request ?? { url: '' };
    const kept = JSON.stringify([request, record?.response]);
    for (const secret of [seller.key, ...Object.values(echo)]) expect(kept).not.toContain(secret);
  });

  test('of a long body is truncated and shows its length', async () => {
    const long = JSON.stringify({ a: 'x'.repeat(200_000) });
    const { baseUrl } = await listening(200, long);
    const target = targetAt(baseUrl);
    const { client, exchanges } = clientFor(target);
    expect((await client.send(ask(target), null)).text).toBe(long);
    expect(exchanges[0]?.response).toMatchObject({ bytes: long.length, truncated: true });
    expect(exchanges[0]?.response?.body).toHaveLength(64 * 1024);
  });

  test('is numbered with the prefix of its client', async () => {
    const { baseUrl } = await listening();
    const target = targetAt(baseUrl);
    const { client, exchanges } = clientFor(target, { idPrefix: 'p' });
    await client.send(ask(target), null);
    await client.send(ask(target), null);
    expect(exchanges.map(({ id }) => id)).toEqual(['p1', 'p2']);
  });
});

test('never more requests are under way than the target allows', async () => {
  let busy = 0;
  let busiest = 0;
  const baseUrl = await httpServer((_, response) => {
    busy += 1;
    busiest = Math.max(busiest, busy);
    setImmediate(() => {
      busy -= 1;
      response.end('{}');
    });
  });
  const target = targetAt(baseUrl, { limits: { concurrency: 3 } });
  const { client } = clientFor(target);
  await Promise.all(Array.from({ length: 40 }, () => client.send(ask(target), null)));
  expect(busiest).toBeLessThanOrEqual(3);
});

describe('last-byte synchronization', () => {
  test('sends as many requests at once as the limits allow, and then the rest', async () => {
    let underWay = 0;
    let most = 0;
    let served = 0;
    let arrived = () => {};
    const firstWave = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const baseUrl = await httpServer(async (request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      request.resume();
      // No request of the first group completes before all have arrived, and a little later, so that excess requests
      // would show.
      if (underWay === 7 && served === 0) setTimeout(arrived, 50);
      await firstWave;
      underWay -= 1;
      served += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const target = targetAt(baseUrl, { limits: { concurrency: 7 } });
    const { client } = clientFor(target);
    const responses = await client.sendSimultaneously(Array(12).fill(ask(target, { method: 'POST', body: {} })), null);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(most).toBe(7);
  });
});

describe('a client that is closed', () => {
  test('has no request under way and sends nothing more', async () => {
    const heard: string[] = [];
    const baseUrl = await httpServer((request) => void heard.push(String(request.url)));
    const target = targetAt(baseUrl);
    const { client, exchanges, answers: responses } = clientFor(target);
    const underWay = expect(client.send(ask(target), null)).rejects.toThrow(Interrupted);
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    await client.close();
    await underWay;
    await expect(client.send(ask(target), null)).rejects.toThrow(Interrupted);
    expect([heard.length, exchanges, responses]).toEqual([1, [], []]);
  });
});
