import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CheckRecord, ExchangeRecord } from '../../specs/formats/journal.ts';
import {
  everyCheck,
  exchange,
  footer,
  header,
  reportOf,
  requirement,
  response,
  result,
} from '../reporting/journal/journal-builders.ts';

const [check = ''] = everyCheck;
const RUN_ID = '5a136beb-0000-4000-8000-000000000000';
const ID = '307d4994-bb5f-49b8-b25c-8644606ed8de';
const SELLER = [
  ['X-API-Key', '<seller.key>'],
  ['X-API-Secret', '<seller.secret>'],
] satisfies [string, string][];

interface Sent {
  method?: string;
  path?: string;
  body?: object;
  headers?: [string, string][];
  actor?: string;
}

let position = 0;

function sent(id: string, operation: string, request: Sent, answer: ExchangeRecord['response']): ExchangeRecord {
  position += 1;
  const { method = 'POST', path = '', body, headers = SELLER, actor = 'seller' } = request;
  return exchange(id, {
    label: `${actor}: ${operation}`,
    actor,
    at: new Date(Date.parse('2026-01-31T09:30:00.000Z') + position * 20).toISOString(),
    request: {
      method,
      url: `https://staging.example.com/api/v1/invoices${path}`,
      headers: [...headers, ...(body ? [['content-type', 'application/json'] satisfies [string, string]] : [])],
      body: body ? JSON.stringify(body) : null,
    },
    response: answer,
  });
}

const created = (requestId: string) =>
  sent(
    'x1',
    'create',
    {
      body: {
        sellerId: 'organization-1',
        amount: '10.00',
        requestId,
        description: "Bob's bike (conformance 5a136beb 1)",
      },
    },
    response(JSON.stringify({ invoice: { id: ID, status: 'DRAFT', sellerOrganizationId: 'organization-1' } }), 201),
  );
const submitted = sent('x2', 'submit', { path: `/${ID}/submit`, body: {} }, response('{"status":"SUBMITTED"}'));
const cancelled = sent('x3', 'cancel', { path: `/${ID}/cancel` }, response('{"status":"CANCELLED"}'));

async function reproduction(records: ExchangeRecord[], found: Partial<CheckRecord>) {
  const report = await reportOf([header({}, { id: RUN_ID }), ...records, result(check, 'fail', found), footer()]);
  return report.checks.find(({ id }) => id === check)?.reproduction;
}

interface Seen {
  path: string;
  key: string | undefined;
  secret: string | undefined;
  body: { requestId?: string; description?: string };
}

/** The server closes the connection instead. */
const NO_RESPONSE = 0;

/** Runs the script against a server that answers the requests in this order. */
async function execute(script: string, answers: readonly (readonly [number, object])[]) {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const [status, body] = answers[seen.length] ?? [500, {}];
    if (status === NO_RESPONSE) incoming.socket.destroy();
    seen.push({
      path: incoming.url ?? '',
      key: incoming.headers['x-api-key'] as string | undefined,
      secret: incoming.headers['x-api-secret'] as string | undefined,
      body: text === '' ? {} : JSON.parse(text),
    });
    if (status !== NO_RESPONSE)
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'kit-script-'));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'script.sh');
  writeFileSync(file, script);
  const env = {
    PATH: process.env.PATH ?? '',
    BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CONFORMANCE_SELLER_KEY: 'svc_sand_Abc1',
    CONFORMANCE_SELLER_SECRET: "it's $ecret",
  };
  return await new Promise<{ code: number; output: string; seen: Seen[] }>((resolve) => {
    execFile('sh', [file], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr, seen });
    });
  });
}

describe('the script of a failure', () => {
  const rejected = { exchanges: ['x3'], decisive: ['x3'], expectation: { status: [412, 409] } };

  test('repeats the whole chain with the id of the new invoice', async () => {
    const { script } = (await reproduction([created('conf-5a136beb-0001'), submitted, cancelled], rejected)) ?? {};
    const { code, output, seen } = await execute(script ?? '', [
      [201, { invoice: { id: 'new-invoice-1' } }],
      [200, {}],
      [200, { status: 'CANCELLED' }],
    ]);
    expect(code, output).toBe(0);
    expect(output).toContain('REPRODUCED');
    expect(seen.map(({ path }) => path)).toEqual([
      '/api/v1/invoices',
      '/api/v1/invoices/new-invoice-1/submit',
      '/api/v1/invoices/new-invoice-1/cancel',
    ]);
    expect(seen[0]).toMatchObject({ key: 'svc_sand_Abc1', secret: "it's $ecret" });
    expect(seen[0]?.body.requestId).toMatch(/^conf-[0-9a-f]{8}-0001$/);
    expect(seen[0]?.body.requestId).not.toContain('5a136beb');
    expect(seen[0]?.body.description).toMatch(/^Bob's bike \(conformance [0-9a-f]{8} 1\)$/);
  });

  test('exits with 1 if the response is as expected, and with 2 if it is neither', async () => {
    const { script = '' } = (await reproduction([created('conf-5a136beb-0001'), submitted, cancelled], rejected)) ?? {};
    const setUp = [
      [201, { invoice: { id: 'new-invoice-1' } }],
      [200, {}],
    ] as const;
    expect((await execute(script ?? '', [...setUp, [409, {}]])).code).toBe(1);
    expect((await execute(script ?? '', [...setUp, [401, {}]])).code).toBe(2);
    const unmade = await execute(script ?? '', [[401, {}]]);
    expect([unmade.code, unmade.seen.length]).toEqual([2, 1]);
    expect(unmade.output).toContain('INCONCLUSIVE: the set-up request step1 was rejected');
  });

  test('names the variables that are not set', async () => {
    const { script = '' } = (await reproduction([cancelled], rejected)) ?? {};
    const { code, output } = await execute((script ?? '').replaceAll('CONFORMANCE_SELLER_KEY', 'NO_SUCH_KEY'), []);
    expect(code).toBe(2);
    expect(output).toContain('Set NO_SUCH_KEY to the key of the actor seller.');
  });

  test('tests the code and the body, too', async () => {
    const found = {
      ...rejected,
      expectation: { status: [200], code: 'INV001', body: '.total == 3 and $status == 200' },
    };
    const { script } = (await reproduction([cancelled], found)) ?? {};
    expect((await execute(script ?? '', [[200, { code: 'INV001', total: 3 }]])).code).toBe(1);
    expect((await execute(script ?? '', [[200, { code: 'INV001', total: 4 }]])).code).toBe(0);
    expect((await execute(script ?? '', [[200, { code: 'INV002', total: 3 }]])).code).toBe(0);
  });

  test('compares a replay with the original response', async () => {
    const again = { ...created('conf-5a136beb-0001'), id: 'x4' };
    const found = { exchanges: ['x1', 'x4'], decisive: ['x4', 'x1'], expectation: { sameAs: 'x1' } };
    const { script } = (await reproduction([created('conf-5a136beb-0001'), again], found)) ?? {};
    const one = { invoiceNumber: '1', id: 'a' };
    expect(
      (
        await execute(script ?? '', [
          [201, one],
          [201, one],
        ])
      ).code,
    ).toBe(1);
    const { code, seen } = await execute(script ?? '', [
      [201, one],
      [201, { ...one, id: 'b' }],
    ]);
    expect(code).toBe(0);
    expect(seen[0]?.body.requestId).toBe(seen[1]?.body.requestId);
  });

  test('shows the wrong items of a list, and creates the item that the kit created', async () => {
    const listed = sent('x4', 'list', { method: 'GET' }, response(JSON.stringify({ items: [{ id: ID }] })));
    const expectation = {
      body: `all(.items[]; .id != "${ID}")`,
      wrong: '.items[] | select(.sellerOrganizationId != "organization-2")',
    };
    const found = { exchanges: ['x4'], decisive: ['x4'], expectation };
    const { script } = (await reproduction([created('conf-5a136beb-0001'), listed], found)) ?? {};
    const made = [201, { invoice: { id: 'new-invoice-1' } }] as const;
    const own = { id: 'own', sellerOrganizationId: 'organization-2' };
    const foreign = { id: 'new-invoice-1', sellerOrganizationId: 'organization-1' };
    const again = await execute(script ?? '', [made, [200, { items: [own, foreign] }]]);
    expect(again.code, again.output).toBe(0);
    expect(again.output).toContain(`Wrong:    ${JSON.stringify(foreign)}\nREPRODUCED`);
    expect((await execute(script ?? '', [made, [200, { items: [own] }]])).code).toBe(1);
    const another = { id: 'new-invoice-2', sellerOrganizationId: 'organization-1' };
    expect((await execute(script ?? '', [made, [200, { items: [another] }]])).code).toBe(0);
  });

  test('compares a response with the one to another organization', async () => {
    const path = '/treasury/balance';
    const body = { requestId: 'conf-5a136beb-0002' };
    const first = sent('x1', 'treasuryBalance', { path, body }, response('{"available":"1.00"}'));
    const own = sent('x2', 'treasuryBalance', { path, body: {} }, response('{"available":"2.00"}'));
    const theirs = sent('x3', 'treasuryBalance', { path, body }, response('{"available":"1.00"}'));
    const found = {
      exchanges: ['x1', 'x2', 'x3'],
      decisive: ['x3', 'x1', 'x2'],
      expectation: { differentFrom: { original: 'x1', control: 'x2' } },
    };
    const { script } = (await reproduction([first, own, theirs], found)) ?? {};
    const balances = (...texts: string[]) =>
      execute(
        script ?? '',
        texts.map((available) => [200, { available }] as const),
      );
    const again = await balances('3.00', '4.00', '3.00');
    expect([again.code, again.seen.length], again.output).toEqual([0, 3]);
    expect(again.output).toContain('REPRODUCED: the server still fails this check.');
    expect((await balances('3.00', '4.00', '4.00')).code).toBe(1);
    const equal = await balances('3.00', '3.00', '3.00');
    expect(equal.code).toBe(2);
    expect(equal.output).toContain('INCONCLUSIVE: the two organizations');
  });

  test('computes a derived credential from the valid one', async () => {
    const headers: [string, string][] = [
      ['X-API-Key', '<seller.key>'],
      ['X-API-Secret', '<seller with the secret reversed: X-API-Secret>'],
    ];
    const actor = 'seller with the secret reversed';
    const asked = sent('x3', 'create', { headers, actor, body: { amount: '1.00' } }, response('{}', 201));
    const { script } = (await reproduction([asked], { ...rejected, expectation: { status: [401] } })) ?? {};
    const { code, seen } = await execute(script ?? '', [[201, {}]]);
    expect([code, seen[0]?.secret]).toEqual([0, "terce$ s'ti"]);
  });

  test('shows a connection that the server closes without a response', async () => {
    const lost = { ...cancelled, response: null };
    const found = { ...rejected, expectation: {} };
    const { script } = (await reproduction([created('conf-5a136beb-0001'), submitted, lost], found)) ?? {};
    const setUp = [
      [201, { invoice: { id: 'new-invoice-1' } }],
      [200, {}],
    ] as const;
    const again = await execute(script ?? '', [...setUp, [NO_RESPONSE, {}]]);
    expect([again.code, again.seen.length], again.output).toEqual([0, 3]);
    expect(again.output).toContain('REPRODUCED: the server still closes the connection without a response.');
    expect((await execute(script ?? '', [...setUp, [412, {}]])).code).toBe(1);
    expect((await execute(script ?? '', [[NO_RESPONSE, {}]])).code).toBe(2);
  });

  test('warns in its first line before it moves money', async () => {
    const settled = sent('x3', 'settle', { path: `/${ID}/settle` }, response('{}'));
    const { script } = (await reproduction([created('conf-5a136beb-0001'), settled], rejected)) ?? {};
    expect(script?.split('\n')[1]).toBe('# WARNING: this script moves money in the sandbox.');
  });
});

describe('a failure without a script says why', () => {
  const found = { exchanges: ['x3'], decisive: ['x3'], expectation: { status: [412] } };

  test.each<[string, ExchangeRecord[], Partial<CheckRecord>, RegExp]>([
    [
      'without one expected response',
      [cancelled],
      { ...found, expectation: null },
      /depends on other responses of the run/,
    ],
    [
      'with masked credentials',
      [{ ...cancelled, request: { ...cancelled.request, headers: [['X-API-Key', '<masked: 9 characters>']] } }],
      found,
      /masks the credentials/,
    ],
    [
      'with a requestId that cannot be new',
      [created('0123456789'), submitted, cancelled],
      found,
      /already used the requestId/,
    ],
    ['whose request has no response', [{ ...cancelled, response: null }], found, /no response/],
  ])('%s', async (_, records, changes, reason) => {
    const { script, reason: said } = (await reproduction(records, changes)) ?? {};
    expect(script).toBeNull();
    expect(said).toMatch(reason);
  });

  test('of a webhook delivery', async () => {
    const id = 'HOOK-04.settlement';
    const requirements = [requirement('HOOK-04', 'webhooks', 'required', ['settlement'])];
    const catalogue = { digest: 'sha256:0', requirements };
    const records = [
      header({ catalogue, selected: [id] }, { id: RUN_ID }),
      cancelled,
      result(id, 'fail', { ...found, expectation: null }),
      footer(),
    ];
    const { reproduction } = (await reportOf(records)).checks.find((each) => each.id === id) ?? {};
    expect(reproduction?.reason).toBe(
      'a script cannot receive deliveries; run the check again and compare with the log of deliveries of the server',
    );
  });

  test('passed checks have no script', async () => {
    const report = await reportOf([header(), result(check, 'pass'), footer()]);
    expect(report.checks.find(({ id }) => id === check)?.reproduction).toBeNull();
  });
});
