import type { TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { judged } from '../support/judged-run.ts';
import { pathOf, pem, secured } from '../support/tls-server.ts';

let service: RunningReference;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

const only = ['AUTH-01', 'CREATE-11', 'LIFE-01'];
const PASSPHRASE = 'open-sesame-42';
const OWN = { certificate: pathOf('client'), key: pathOf('client-key'), passphrase: PASSPHRASE };

async function run(tls: TargetInput['tls'], maxVersion: TlsOptions['maxVersion']) {
  const demanding = { ca: pem('authority'), requestCert: true, rejectUnauthorized: true, maxVersion };
  const { baseUrl, reached } = await secured(service, 'good', demanding);
  const target = { ...service.target, baseUrl, tls: { ca: pathOf('authority'), ...tls } };
  return { baseUrl, reached, ...(await judged(target, { only })) };
}

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('a server that requires a client certificate with %s', (version) => {
  test('is judged with that of the target file, and no report holds the passphrase', async () => {
    const { exitCode, said, evidence, rendered, reached } = await run(OWN, version);
    expect(exitCode, said).toBe(0);
    expect(reached).not.toEqual([]);
    expect(evidence + rendered + said).not.toContain(PASSPHRASE);
  });

  test('ends the run with one line that names the field if the target file has none', async () => {
    const { exitCode, said, baseUrl, reached } = await run({}, version);
    expect([exitCode, reached]).toEqual([2, []]);
    expect(said).toMatch(
      /^tls\.certificate: .*client certificate.*write the paths of its PEM files in tls\.certificate.*$/,
    );
    expect(said).toContain(baseUrl);
  });

  test('ends the run if it does not trust the certificate of the target file', async () => {
    const { exitCode, said } = await run({ certificate: pathOf('stranger'), key: pathOf('server-key') }, version);
    expect(exitCode).toBe(2);
    expect(said).toMatch(/^\S+: no response from .*client certificate.*correct tls\.certificate.*$/);
  });
});
