import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningReference, startReference } from '../../reference/start.ts';
import { judged } from './judged.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`certificates/${name}.pem`, import.meta.url));
const pem = (name: string) => readFileSync(pathOf(name));

let service: RunningReference;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

/** The honest service behind TLS with this certificate. Its base URL, and the requests that reached it. */
async function secured(certificate: string): Promise<{ baseUrl: string; reached: string[] }> {
  const reached: string[] = [];
  const server = createServer({ key: pem('server-key'), cert: pem(certificate) }, (incoming, outgoing) => {
    reached.push(incoming.url ?? '');
    const { method, headers } = incoming;
    const passed = request(`${service.baseUrl}${incoming.url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, reached };
}

const only = ['AUTH-01', 'CREATE-11'];
const ca = pathOf('authority');

describe('a certificate', () => {
  test.each([
    ['of an authority that nobody knows', 'good', {}, /an authority that this machine does not trust .*--ca FILE/],
    ['that has expired', 'expired', { ca }, /its certificate has expired \(CERT_HAS_EXPIRED\)/],
    ['for another host', 'elsewhere', { ca }, /its certificate is for another host name/],
  ])('%s ends the run before anything is sent', async (_, certificate, more, says) => {
    const { baseUrl, reached } = await secured(certificate);
    const { exitCode, said } = await judged({ ...service.target, baseUrl, ...more }, { only });
    expect([exitCode, said]).toEqual([2, expect.stringMatching(says)]);
    expect(said).toContain(`baseUrl: no answer from ${baseUrl}`);
    expect(reached).toEqual([]);
  });

  test('of an authority that the target file names is as good as any', async () => {
    const { baseUrl, reached } = await secured('good');
    const { exitCode, said } = await judged({ ...service.target, baseUrl, ca }, { only });
    expect(exitCode, said).toBe(0);
    expect(reached).not.toEqual([]);
  });

  test('is of no use where nobody speaks TLS', async () => {
    const baseUrl = service.baseUrl.replace('http:', 'https:');
    const { exitCode, said } = await judged({ ...service.target, baseUrl }, { only });
    expect([exitCode, said]).toEqual([2, expect.stringMatching(/does not speak TLS .*write http:\/\/ in baseUrl/)]);
  });
});

test('a name that nobody knows is told by its name', async () => {
  const { exitCode, said } = await judged({ ...service.target, baseUrl: 'https://nobody.invalid' }, { only });
  expect(exitCode).toBe(2);
  expect(said).toMatch(
    /^baseUrl: no answer from https:\/\/nobody\.invalid: the host name does not resolve \(E\w+\); correct the host name in baseUrl$/,
  );
});
