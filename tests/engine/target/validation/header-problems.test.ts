import { describe, expect, test } from 'vitest';
import { headerProblems } from '../../../../engine/target/validation/header-problems.ts';
import { ask, clientFor } from '../../support/clients.ts';
import { httpServer } from '../../support/servers.ts';
import { production, seller, targetAt } from '../../support/targets.ts';

const REMOTE = 'https://sandbox.example.com';

function faults(headers: Record<string, string>, { baseUrl = REMOTE, written = headers } = {}) {
  const target = targetAt(baseUrl, { headers, actors: { seller, production } });
  return headerProblems(target, { headers: written });
}

describe('a header of the target file', () => {
  test.each(['X-API-Key', 'x-api-secret', 'X-Environment', 'Content-Type', 'accept', 'Host', 'Content-Length', 'TE'])(
    'cannot be %s',
    (name) => {
      const problem = `headers.${name}: the kit sets this header itself; remove it`;
      expect(faults({ [name]: 'x' })).toEqual([{ path: ['headers', name], text: problem }]);
    },
  );

  test.each(['Idempotency-Key', 'If-None-Match', 'X-HTTP-Method-Override', 'Range'])(
    'cannot be %s, which changes requests',
    (name) => {
      const problem = `headers.${name}: changes the meaning of every request; remove it`;
      expect(faults({ [name]: 'x' })).toEqual([{ path: ['headers', name], text: problem }]);
    },
  );

  test('is named once, in any case', () => {
    expect(faults({ 'X-Token': 'a', 'x-token': 'b' }, { written: { 'X-Token': '${A}', 'x-token': '${B}' } })).toEqual([
      { path: ['headers', 'x-token'], text: expect.stringMatching(/^headers\.x-token: appears twice/) },
    ]);
  });

  test('contains no production credential', () => {
    const [fault] = faults({ 'X-Token': `Bearer ${production.key}` });
    expect(fault?.text).toMatch(/^headers\.X-Token: contains a credential of actors\.production/);
  });

  test('may be literal only for loopback targets', () => {
    const headers = { 'X-Token': 'secret' };
    expect(faults(headers)[0]?.text).toMatch(
      /^headers\.X-Token: found a literal value, which is accepted only for loopback/,
    );
    expect(faults(headers, { written: { 'X-Token': '${TOKEN}' } })).toEqual([]);
    expect(faults(headers, { baseUrl: 'http://localhost:8080' })).toEqual([]);
  });
});

describe('the headers of the target file', () => {
  async function gateway() {
    const seen: (string | undefined)[] = [];
    const baseUrl = await httpServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const target = targetAt(baseUrl, { headers: { Authorization: 'Bearer 123456', 'X-Pin': '42' } });
    return { seen, target };
  }

  test('replace the headers of a check', async () => {
    const { seen, target } = await gateway();
    const { client } = clientFor(target);
    await client.send(ask(target, { headers: [['authorization', 'Basic x']] }), null);
    expect(seen).toEqual(['Bearer 123456']);
  });

  test('are masked in the evidence, even short ones, and the token without its scheme', async () => {
    const { target } = await gateway();
    const { client, exchanges } = clientFor(target);
    await client.send(ask(target, { path: '/x?token=123456' }), null);
    expect(exchanges[0]?.request.headers).toEqual(
      expect.arrayContaining([
        ['Authorization', '<headers.Authorization>'],
        ['X-Pin', '<masked: 2 characters>'],
      ]),
    );
    expect(exchanges[0]?.request.url).toMatch(/token=<headers\.Authorization>$/);
  });
});
