import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../engine/evidence/redactor.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { readClientCertificate } from '../../../engine/target/network/client-certificate.ts';
import { addTargetSecrets } from '../../../engine/target/target-secrets.ts';
import { networkProblems } from '../../../engine/target/validation/network-problems.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { pathOf } from '../../hostile/support/tls-server.ts';
import { targetAt } from '../support/targets.ts';

const PASSPHRASE = 'open-sesame-42';
const [certificate, key] = [pathOf('client'), pathOf('client-key')];

function problem(tls: TargetInput['tls']): string {
  try {
    readClientCertificate({ tls });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('no problem was found');
}

describe('the client certificate', () => {
  test('is read with its key', () => {
    expect(readClientCertificate({ tls: { certificate, key, passphrase: PASSPHRASE } })).toMatchObject({
      cert: expect.stringContaining('BEGIN CERTIFICATE'),
      key: expect.stringContaining('BEGIN ENCRYPTED PRIVATE KEY'),
    });
    expect(readClientCertificate({ tls: {} })).toBeUndefined();
  });

  test.each([
    ['tls.certificate', 'a file that is not there', { certificate: 'no.pem', key }, /cannot read no\.pem \(ENOENT\)/],
    ['tls.certificate', 'a file without one', { certificate: key, key }, /contains no readable certificate/],
    ['tls.key', 'a file that is not there', { certificate, key: 'no.pem' }, /cannot read no\.pem \(ENOENT\)/],
    ['tls.key', 'a file without one', { certificate, key: certificate }, /contains no readable private key/],
    ['tls.key', 'the key of another', { certificate, key: pathOf('server-key') }, /does not match the certificate/],
    ['tls.passphrase', 'no passphrase', { certificate, key }, /missing, but \S+ is encrypted/],
    [
      'tls.passphrase',
      'another passphrase',
      { certificate, key, passphrase: 'wrong' },
      /does not decrypt \S+; write the correct passphrase/,
    ],
  ])('names %s for %s', (field, _, tls, says) => {
    const line = problem(tls);
    expect(line).toMatch(says);
    expect(line.startsWith(`${field}: `)).toBe(true);
    expect(line).not.toContain('\n');
  });

  test('has a masked passphrase, which may be literal only for this machine', () => {
    const target = targetAt('https://sandbox.example.com', { tls: { certificate, key, passphrase: PASSPHRASE } });
    const redactor = new Redactor();
    addTargetSecrets(target, redactor);
    expect(redactor.mask(`pass ${PASSPHRASE}`)).toBe('pass <tls.passphrase>');
    expect(networkProblems(target, { tls: { passphrase: PASSPHRASE } })).toEqual([
      { path: ['tls', 'passphrase'], text: expect.stringMatching(/^tls\.passphrase: found a literal value/) },
    ]);
    expect(networkProblems(target, { tls: { passphrase: '${PASS}' } })).toEqual([]);
  });
});
