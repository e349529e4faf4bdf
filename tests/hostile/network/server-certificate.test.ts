import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverCertificate } from '../../../engine/transport/server-certificate.ts';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { judged } from '../support/judged-run.ts';
import { pathOf, secured } from '../support/tls-server.ts';

let service: RunningReference;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

const only = ['AUTH-01', 'CREATE-11'];
const ca = pathOf('authority');

describe('a certificate', () => {
  test.each([
    ['of an unknown authority', 'good', {}, /an authority that this machine does not trust .*--ca FILE/],
    ['that has expired', 'expired', { tls: { ca } }, /its certificate has expired \(CERT_HAS_EXPIRED\)/],
    ['for another host', 'elsewhere', { tls: { ca } }, /its certificate is for another host name/],
  ])('%s ends the run before anything is sent', async (_, certificate, more, says) => {
    const { baseUrl, reached } = await secured(service, certificate);
    const { exitCode, said } = await judged({ ...service.target, baseUrl, ...more }, { only });
    expect([exitCode, said]).toEqual([2, expect.stringMatching(says)]);
    expect(said).toContain(`baseUrl: no response from ${baseUrl}`);
    expect(reached).toEqual([]);
  });

  test('of an authority that the target file names is accepted', async () => {
    const { baseUrl, reached } = await secured(service, 'good');
    const { exitCode, said } = await judged({ ...service.target, baseUrl, tls: { ca } }, { only });
    expect(exitCode, said).toBe(0);
    expect(reached).not.toEqual([]);
  });

  test('has no effect without TLS', async () => {
    const baseUrl = service.baseUrl.replace('http:', 'https:');
    const { exitCode, said } = await judged({ ...service.target, baseUrl }, { only });
    expect([exitCode, said]).toEqual([2, expect.stringMatching(/does not use TLS .*write http:\/\/ in baseUrl/)]);
  });
});

test('the fingerprint of a certificate is that of the server; null without TLS or without a trusted certificate', async () => {
  const { baseUrl: url } = await secured(service, 'good');
  const authority = readFileSync(ca, 'utf8');
  const { fingerprint256 } = new X509Certificate(readFileSync(pathOf('good'), 'utf8'));
  const asked = { certificate: undefined, timeoutMs: 5000 };
  expect(await serverCertificate({ ...asked, url, ca: authority })).toBe(fingerprint256);
  expect(await serverCertificate({ ...asked, url, ca: undefined })).toBeNull();
  expect(await serverCertificate({ ...asked, url: service.baseUrl, ca: undefined })).toBeNull();
});

test('an unknown host name is named', async () => {
  const { exitCode, said } = await judged({ ...service.target, baseUrl: 'https://nobody.invalid' }, { only });
  expect(exitCode).toBe(2);
  expect(said).toMatch(
    /^baseUrl: no response from https:\/\/nobody\.invalid: the host name does not resolve \(E\w+\); correct the host name in baseUrl$/,
  );
});
