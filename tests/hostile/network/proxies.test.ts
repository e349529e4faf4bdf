import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { type HttpProxyOptions, startHttpProxy } from '../support/http-proxy.ts';
import { HANDFUL, judged, LONGEST_MS } from '../support/judged-run.ts';
import { pathOf, secured } from '../support/tls-server.ts';

vi.setConfig({ testTimeout: LONGEST_MS });

let service: RunningReference;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

const PASSWORD = 'p@ss/word-of-the-proxy';
const USER = `kit:${PASSWORD}`;
const WITH_USER = `kit:${encodeURIComponent(PASSWORD)}@`;
const tls = { ca: pathOf('authority') };

/** The service under a name that only the proxy can resolve, with and without TLS. */
async function named(scheme: 'http' | 'https'): Promise<string> {
  const { baseUrl } = scheme === 'http' ? service : await secured(service, 'elsewhere');
  return `${scheme}://elsewhere.example:${new URL(baseUrl).port}`;
}

async function run(scheme: 'http' | 'https', user: string, options: HttpProxyOptions, more: Partial<TargetInput> = {}) {
  const { address, passed } = await startHttpProxy(options);
  const baseUrl = await named(scheme);
  const target = { ...service.target, baseUrl, tls, proxy: `http://${user}${address}`, ...more };
  return { address, passed, baseUrl, ...(await judged(target, { only: [...HANDFUL, 'IDEM-01'] })) };
}

describe.each(['http', 'https'] as const)('through a proxy, a service with %s', (scheme) => {
  test('is judged like any other, and no report contains the password of the proxy', async () => {
    const { exitCode, said, passed, evidence, rendered, baseUrl } = await run(scheme, WITH_USER, { user: USER });
    expect(exitCode, said).toBe(0);
    expect(new Set(passed.map(({ method }) => method)).has('CONNECT')).toBe(scheme === 'https');
    const host = new URL(baseUrl).host;
    expect(passed.every(({ target, headers }) => target.includes(host) && headers.host === host)).toBe(true);
    const written = evidence + rendered + said;
    expect(written).not.toContain(PASSWORD);
    expect(written).not.toContain('proxy-authorization');
  });

  test.each([
    ['requires a user', '', { user: USER }, /requires user and password, but the target file gives none \(407\)/],
    ['rejects the user', 'kit:x@', { user: USER }, /requires user and password, but rejects those .*\(407\)/],
  ])('that %s gives one line with the field', async (_, user, options, says) => {
    const { exitCode, said, address } = await run(scheme, user, options);
    expect([exitCode, said]).toEqual([2, expect.stringMatching(says)]);
    expect(said).toMatch(/^proxy: no response from .*$/);
    expect(said).toContain(`the proxy http://${address} `);
  });

  test('that does not run gives one line with the field', async () => {
    const { exitCode, said } = await run(scheme, '', {}, { proxy: 'http://127.0.0.1:1' });
    expect([exitCode, said]).toEqual([
      2,
      expect.stringMatching(/^proxy: no response from .*: no connection to the proxy http:\/\/127\.0\.0\.1:1 \(ECONN/),
    ]);
  });
});

test('a proxy that forwards nothing to the host gives one line with the field', async () => {
  const { exitCode, said, address } = await run('http', '', { refuses: 403 });
  expect(exitCode).toBe(2);
  expect(said).toMatch(
    /^proxy: http:\/\/elsewhere\.example:\S+, requested through the proxy \S+, returns 403 .*; allow the request in the proxy/,
  );
  expect(said).toContain(address);
});

test('a proxy that rejects every connection to the host gives one line with the field', async () => {
  const { exitCode, said } = await run('https', '', { refuses: 403 });
  expect(exitCode).toBe(2);
  expect(said).toMatch(
    /^proxy: no response from .*: the proxy \S+ rejects a connection to elsewhere\.example:\d+ \(403\)/,
  );
});

test('a target that does not run behind its proxy is named as the cause', async () => {
  const { exitCode, said } = await run('https', '', {}, { baseUrl: 'https://elsewhere.example:1' });
  expect(exitCode).toBe(2);
  expect(said).toMatch(/^proxy: no response from .*: the proxy \S+ cannot connect to elsewhere\.example:1 \(502\)/);
});

test('loopback requests bypass the proxy of any target file', async () => {
  const target = { ...service.target, proxy: 'http://127.0.0.1:1' };
  expect((await judged(target, { only: ['AUTH-01'] })).exitCode).toBe(0);
});
