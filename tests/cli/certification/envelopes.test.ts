import { createPublicKey } from 'node:crypto';
import { crypto, dsse } from '@sigstore/core';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { PackageContent } from '../../../reporting/certification/archive.ts';
import { patient } from '../support/command.ts';
import { certifyReference } from './support/certified-run.ts';
import { statementSchema, testResultSchema } from './support/in-toto-schemas.ts';
import { partner, type SealedRun, sealRun, stranger } from './support/packages.ts';
import { withCheck } from './support/record-edits.ts';
import { shortened } from './support/small-run.ts';

vi.setConfig(patient);

const ENVELOPES = ['test-result.dsse.json', 'run.dsse.json'];

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

interface Statement {
  subject: { name: string; digest: { sha256: string } }[];
  predicate: Record<string, unknown>;
}

let sealed: SealedRun;

beforeAll(async () => {
  sealed = await sealRun(shortened(await certifyReference()));
});

function envelopeIn(content: PackageContent, path: string): Envelope {
  return JSON.parse(Buffer.from(content.get(path) ?? []).toString()) as Envelope;
}

function statementIn(content: PackageContent, path: string): Statement {
  return JSON.parse(Buffer.from(envelopeIn(content, path).payload, 'base64').toString()) as Statement;
}

/** Whether another implementation of DSSE accepts the first signature. */
function isSignedBy({ payloadType, payload, signatures }: Envelope, key: typeof partner): boolean {
  const signed = dsse.preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' });
  return crypto.verify(signed, createPublicKey(pem), Buffer.from(signatures[0]?.sig ?? '', 'base64'));
}

describe.each(ENVELOPES)('%s', (path) => {
  it('has a signature that another implementation of DSSE accepts', () => {
    const envelope = envelopeIn(sealed.content, path);
    expect(envelope.payloadType).toBe('application/vnd.in-toto+json');
    expect(envelope.signatures).toHaveLength(1);
    expect(isSignedBy(envelope, partner)).toBe(true);
    expect(isSignedBy(envelope, stranger)).toBe(false);
    const payload = Buffer.from(`${Buffer.from(envelope.payload, 'base64')} `).toString('base64');
    expect(isSignedBy({ ...envelope, payload }, partner)).toBe(false);
    expect(isSignedBy({ ...envelope, payloadType: 'application/json' }, partner)).toBe(false);
  });

  it('names the SHA-256 of the public key in its DER form', () => {
    const der = partner.publicKey.export({ type: 'spki', format: 'der' });
    expect(envelopeIn(sealed.content, path).signatures[0]?.keyid).toBe(crypto.digest('sha256', der).toString('hex'));
  });

  it('contains an in-toto Statement v1 about every other file of the package', () => {
    const statement = statementIn(sealed.content, path);
    const validate = new Ajv({ strict: true }).compile(statementSchema);
    expect(validate(statement) ? [] : validate.errors).toEqual([]);
    const files = [...sealed.content].filter(([name]) => !ENVELOPES.includes(name));
    expect(statement.subject).toEqual(
      files.map(([name, bytes]) => ({
        name,
        digest: { sha256: crypto.digest('sha256', bytes).toString('hex') },
      })),
    );
  });

  it('has no signature without a key', async () => {
    const { content } = await sealRun(sealed.run, { key: null });
    expect(envelopeIn(content, path).signatures).toEqual([]);
  });
});

describe('the test result', () => {
  const resultOf = ({ content }: SealedRun) => statementIn(content, 'test-result.dsse.json');

  it('has the shape of the in-toto predicate v0.1', () => {
    const validate = new Ajv({ strict: true }).compile(testResultSchema);
    expect(validate(resultOf(sealed)) ? [] : validate.errors).toEqual([]);
  });

  it('names each judged check once', () => {
    const { predicate } = resultOf(sealed);
    const idsWith = (wanted: string) =>
      sealed.run.records.flatMap((record) => (record.kind === 'check' && record.verdict === wanted ? [record.id] : []));
    expect(new Set(predicate.passedTests as string[])).toEqual(new Set(idsWith('pass')));
    expect(predicate).toMatchObject({ result: 'WARNED', warnedTests: [], failedTests: [] });
  });

  it.each([
    ['FAILED', 'fail', 'AUTH-01.both-missing', 'failedTests'],
    ['WARNED', 'warn', 'CREATE-04.plus', 'warnedTests'],
    ['FAILED', 'error', 'AUTH-01.both-missing', 'failedTests'],
  ] as const)('is %s with the verdict %s', async (result, verdict, id, list) => {
    const words = { verdict, reason: 'broken', expected: '401', actual: '200' };
    const changed = await sealRun({ ...sealed.run, records: withCheck(sealed.run.records, id, words) });
    expect(resultOf(changed).predicate).toMatchObject({ result, [list]: [id] });
  });
});
