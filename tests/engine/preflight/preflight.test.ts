import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { runPreflight } from '../../../engine/preflight/preflight.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { clientFor } from '../support/clients.ts';
import { invoice } from '../support/responses.ts';
import { DEAD_URL, httpServer, rawServer } from '../support/servers.ts';
import { buyer, production, seller, targetAt } from '../support/targets.ts';

const outsider = { key: 'svc_sand_outsider_04', secret: 'secret-of-the-outsider' };

const JSON_TYPE = { 'content-type': 'application/json' };
const REFUSAL = JSON.stringify({ error: 'no', code: 'EDGE1' });

interface Service {
  actors?: TargetInput['actors'];
  /** Keys that get a 401. */
  refused?: string[];
  /** The list of each key. */
  lists?: Record<string, unknown[]>;
  date?: string;
}

async function proved({ actors = { seller }, refused = [], lists = {}, date }: Service) {
  const requests: IncomingMessage[] = [];
  const baseUrl = await httpServer((request, response) => {
    requests.push(request);
    const key = String(request.headers['x-api-key']);
    const items = lists[key] ?? [];
    const known = key !== 'undefined' && !refused.includes(key);
    if (date !== undefined) response.setHeader('Date', date);
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? { items, total: items.length } : { error: 'no', message: 'no' }));
  });
  const target = targetAt(baseUrl, { actors });
  const { client, exchanges } = clientFor(target, { mayMutate: false });
  return { requests, exchanges, baseUrl, found: runPreflight(target, client) };
}

function between(sellerId: string, buyerId: string, id = '1') {
  return invoice({ id, sellerOrganizationId: sellerId, buyerOrganizationId: buyerId });
}

/** The preflight of a run that creates invoices, with a server that responds by the kind of the request. */
async function preflightOf(respond: (isCreation: boolean, hasKey: boolean) => [status: number, body: object]) {
  const url = await httpServer(({ method, headers, url: path }, response) => {
    if (!path?.startsWith('/api/v1/invoices')) return void response.writeHead(404, JSON_TYPE).end(REFUSAL);
    const [status, body] = respond(method === 'POST', headers['x-api-secret'] === seller.secret);
    response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
  });
  const actors = { seller: { ...seller, organizationId: 'S' }, buyer: { ...seller, organizationId: 'B' } };
  const target = targetAt(url, { actors });
  const options = { createsInvoices: true, needsCounterparties: false, runMark: '1a2b3c4d' };
  return await runPreflight(target, clientFor(target).client, options);
}

test('the preflight recognises a gateway that requires a client certificate by its page', async () => {
  const page = '<html><h1>400 Bad Request</h1>No required SSL certificate was sent<hr>nginx</html>';
  const url = await httpServer((_, response) =>
    response.writeHead(400, { 'content-type': 'text/html', server: 'nginx' }).end(page),
  );
  const target = targetAt(url);
  await expect(runPreflight(target, clientFor(target).client)).rejects.toThrow(
    /^tls\.certificate: \S+ returns 400 with a web page \(text\/html: <html><h1>400 Bad Request.*…\): an intermediary seems to have responded, .*\(server: nginx\); write the path of the client/,
  );
});

describe('the preflight rejects', () => {
  test.each([
    [
      200,
      { 'content-type': 'text/html' },
      /^headers: POST \S+\/api\/v1\/invoices returns 200 with a web page.*, although the list is returned; write the headers/,
    ],
    [
      302,
      { location: '/login' },
      /^headers: POST \S+\/api\/v1\/invoices redirects to \/login, although the list is returned; write the headers/,
    ],
  ])('a gateway that responds to a creation with %i', async (status, headers, expected) => {
    const url = await httpServer((request, response) => {
      const isList = request.method === 'GET' && request.headers['x-api-key'] !== undefined;
      if (isList) response.writeHead(200, JSON_TYPE).end('{"items":[],"total":0}');
      else response.writeHead(status, headers).end('<!doctype html><html><title>Login</title></html>');
    });
    const actors = { seller: { ...seller, organizationId: 'S' }, buyer: { ...buyer, organizationId: 'B' } };
    const target = targetAt(url, { actors });
    const options = { createsInvoices: true, needsCounterparties: false, runMark: '1a2b3c4d' };
    await expect(runPreflight(target, clientFor(target).client, options)).rejects.toThrow(expected);
  });

  test.each<[string, (isCreation: boolean, hasKey: boolean) => [number, object], RegExp]>([
    [
      'a mock with one response to every request at this path',
      () => [200, { items: [], total: 0 }],
      /^baseUrl: POST \S+ creates nothing and returns the same response as GET.*another service/,
    ],
    [
      'a gateway whose 401 for creations is not the one of the service',
      (isCreation, hasKey) =>
        isCreation
          ? [401, { message: 'session required' }]
          : hasKey
            ? [200, { items: [], total: 0 }]
            : [401, { error: 'x' }],
      /^headers: POST \S+ is rejected with a 401 that is not the one of the service \(401 .*session required.*\), although the same key lists/,
    ],
  ])('%s', async (_, respond, expected) => {
    const found = preflightOf(respond);
    await expect(found).rejects.toThrow(expected);
  });

  test('nothing if the service itself rejects creations with its 401', async () => {
    const rejected = { error: 'UNAUTHORIZED' };
    const { problems } = await preflightOf((isCreation, hasKey) =>
      isCreation || !hasKey ? [401, rejected] : [200, { items: [], total: 0 }],
    );
    expect(problems).toEqual([]);
  });

  test('a request timeout in which a long list does not arrive', async () => {
    const url = await httpServer((request, response) => {
      if (request.url?.endsWith('?limit=1')) response.writeHead(200, JSON_TYPE).end('{"items":[],"total":0}');
    });
    const target = targetAt(url, { limits: { requestTimeoutMs: 400 } });
    await expect(runPreflight(target, clientFor(target).client)).rejects.toThrow(
      /^limits\.requestTimeoutMs: no response to GET \/api\/v1\/invoices\S* ?.*; increase limits\.requestTimeoutMs/,
    );
  });

  test("the keys of readOnly and revoked in each other's place", async () => {
    const readOnly = { key: 'svc_sand_ended_05', secret: 'secret-of-the-ended' };
    const revoked = { key: 'svc_sand_reader_06', secret: 'secret-of-the-reader' };
    const { found } = await proved({ actors: { seller, readOnly, revoked }, refused: [readOnly.key] });
    await expect(found).rejects.toThrow(
      /^actors\.readOnly and actors\.revoked: the server rejects the first key \(401\) and accepts the second \(200\); swap them/,
    );
  });

  test('a closed port, with the base URL', async () => {
    const baseUrl = DEAD_URL;
    const target = targetAt(baseUrl);
    const proving = runPreflight(target, clientFor(target).client);
    await expect(proving).rejects.toThrow(ConfigurationError);
    await expect(proving).rejects.toThrow(`baseUrl: no response from ${baseUrl}`);
  });

  test('a server that does not use HTTP', async () => {
    const target = targetAt(await rawServer((socket) => socket.end('SSH-2.0-x\r\n')));
    await expect(runPreflight(target, clientFor(target).client)).rejects.toThrow(/^baseUrl: no response/);
  });

  test('a key and secret of the seller that the target does not know, without showing them', async () => {
    const { found, baseUrl } = await proved({ refused: [seller.key] });
    const thrown = await found.catch((error: unknown) => error);
    if (!(thrown instanceof ConfigurationError)) throw thrown;
    expect(thrown.problems).toEqual([
      `actors.seller: ${baseUrl} rejects this key and secret (401); correct actors.seller.key and actors.seller.secret (a run with allow.reset invalidates them)`,
    ]);
  });

  test('a secret in quotation marks, without other causes', async () => {
    const quoted = { ...seller, secret: `"${seller.secret}"` };
    const { found, baseUrl } = await proved({ actors: { seller: quoted }, refused: [seller.key] });
    await expect(found).rejects.toHaveProperty('problems', [
      `actors.seller: ${baseUrl} rejects this key and secret (401); correct actors.seller.key and actors.seller.secret; the secret contains quotation marks`,
    ]);
  });

  test('the seller and the buyer in one message', async () => {
    const { found } = await proved({ actors: { seller, buyer }, refused: [seller.key, buyer.key] });
    const thrown = await found.catch((error: unknown) => error);
    expect(thrown).toHaveProperty('problems', [
      expect.stringMatching(/^actors\.seller/),
      expect.stringMatching(/^actors\.buyer/),
    ]);
  });
});

describe('the preflight judges nothing:', () => {
  test.each([
    ['outsider', outsider],
    ['readOnly', outsider],
    ['production', production],
    ['revoked', outsider],
  ])('a 401 for %s is left to the checks', async (name, actor) => {
    const { found } = await proved({ actors: { seller, [name]: actor }, refused: [actor.key] });
    expect((await found).actors).toContainEqual(expect.objectContaining({ actor: name, status: 401 }));
  });

  test('a revoked key that works is a later failure, not a problem of the file', async () => {
    const { found } = await proved({ actors: { seller, revoked: outsider } });
    expect((await found).actors).toContainEqual(expect.objectContaining({ actor: 'revoked', status: 200 }));
  });

  test.each([403, 500])('a list that always returns %i is a breach if other operations work', async (status) => {
    const statusOf = (url: string | undefined) => (url?.startsWith('/api/v1/invoices') ? status : 404);
    const target = targetAt(
      await httpServer(({ url }, response) => response.writeHead(statusOf(url), JSON_TYPE).end(REFUSAL)),
    );
    expect((await runPreflight(target, clientFor(target).client)).actors).toEqual([
      { actor: 'seller', status, organization: null, source: null },
    ]);
  });

  test.each([{ seller }, { seller, buyer }])(
    'an address that always returns the same list is not the service',
    async (actors) => {
      const url = await httpServer((_, response) => response.writeHead(200, JSON_TYPE).end('{"items":[],"total":0}'));
      const target = targetAt(url, { actors });
      await expect(runPreflight(target, clientFor(target).client)).rejects.toThrow(
        /^baseUrl: \S+ returns the same response to every request, .* \(application\/json: 200 \{"items":\[\].*; correct baseUrl/,
      );
    },
  );

  test.each([403, 500])('an address that always returns %i is not the service', async (status) => {
    const target = targetAt(await httpServer((_, response) => response.writeHead(status, JSON_TYPE).end(REFUSAL)));
    await expect(runPreflight(target, clientFor(target).client)).rejects.toThrow(
      /^baseUrl: \S+ returns the same response with and without credentials .*correct baseUrl/,
    );
  });
});

describe('the preflight sends', () => {
  test('one reading request for each actor, with evidence', async () => {
    const lists = { [seller.key]: [between('org-s', 'org-b')] };
    const { found, requests, exchanges } = await proved({ actors: { seller, buyer, production }, lists });
    await found;
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
    expect(exchanges.map(({ actor, check }) => [actor, check])).toEqual([
      ['seller', null],
      ['buyer', null],
      ['production', null],
    ]);
  });
});

describe('the organizations', () => {
  test('come from the target file if it names them', async () => {
    const actors = { seller: { ...seller, organizationId: 'given' }, buyer: { ...buyer, organizationId: 'too' } };
    const { found } = await proved({ actors, lists: { [seller.key]: [between('given', 'another')] } });
    expect(await found).toMatchObject({ organizations: { seller: 'given', buyer: 'too' } });
  });

  test('are found in existing invoices', async () => {
    const records = [between('org-s', 'org-b', '1'), between('org-s', 'org-b', '2')];
    const { found } = await proved({
      actors: { seller, buyer },
      lists: { [seller.key]: records, [buyer.key]: records },
    });
    const { organizations, actors } = await found;
    expect(organizations).toEqual({ seller: 'org-s', buyer: 'org-b' });
    expect(actors.map(({ source }) => source)).toEqual([
      'its role in existing invoices',
      'its role in existing invoices',
    ]);
  });

  test('are found with the seller’s key alone', async () => {
    const { found } = await proved({ lists: { [seller.key]: [between('org-s', 'org-b')] } });
    expect((await found).organizations).toEqual({ seller: 'org-s', buyer: 'org-b' });
  });

  test('stay unknown in an empty sandbox', async () => {
    const { found } = await proved({ actors: { seller, buyer } });
    expect((await found).organizations).toEqual({});
  });

  test('are common to all invoices, with the seller on either side', async () => {
    const records = [between('org-c', 'org-s', '2'), between('org-s', 'org-b', '1')];
    const { found } = await proved({ lists: { [seller.key]: records } });
    expect((await found).organizations).toEqual({ seller: 'org-s', buyer: 'org-b' });
  });

  test('stay unknown if two organizations trade in both directions', async () => {
    const records = [between('org-s', 'org-b', '1'), between('org-b', 'org-s', '2')];
    const { found } = await proved({
      actors: { seller, buyer },
      lists: { [seller.key]: records, [buyer.key]: records },
    });
    expect((await found).organizations).toEqual({});
  });

  test('stay unknown if the invoices have none in common', async () => {
    const records = [between('org-a', 'org-b', '1'), between('org-c', 'org-d', '2')];
    const { found } = await proved({ actors: { seller, buyer }, lists: { [seller.key]: records } });
    expect((await found).organizations).toEqual({});
  });
});

describe('the clock', () => {
  test('of the target is compared with that of this machine', async () => {
    const { found } = await proved({ date: new Date(Date.now() + 3_600_000).toUTCString() });
    const { clockSkewMs } = await found;
    expect(clockSkewMs).toBeGreaterThan(3_500_000);
    expect(clockSkewMs).toBeLessThan(3_700_000);
  });

  test('stays unknown if the target sends no time', async () => {
    const { found } = await proved({ date: 'soon' });
    expect((await found).clockSkewMs).toBeNull();
  });
});
