import { Zip, ZipDeflate } from 'fflate';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { countersignPackage } from '../../../cli/certification/countersign-package.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import type { PackageContent } from '../../../reporting/certification/archive.ts';
import { keyId } from '../../../reporting/certification/envelope.ts';
import { PACKAGE_FILES } from '../../../specs/certification/package.ts';
import { patient } from '../support/command.ts';
import { certifyReference } from './support/certified-run.ts';
import { type Desk, type PolicyInput, partner, sealRun, stranger, verified } from './support/packages.ts';
import { type Records, withCheck } from './support/record-edits.ts';
import { shortened } from './support/small-run.ts';
import { asCore, asLaterVersion, strictPolicies } from './support/strict-policies.ts';
import { damagedFiles, tamperedFiles } from './support/tampered-files.ts';
import { tamperedPackages } from './support/tampered-package.ts';
import { tamperedRuns } from './support/tampered-run.ts';
import { tamperedSignatures } from './support/tampered-signatures.ts';
import type { Bases, Tampering } from './support/tampering.ts';

vi.setConfig(patient);

let bases: Bases;

beforeAll(async () => {
  const [good, broken] = [await certifyReference(), await certifyReference('err-error-object')];
  bases = { conformant: await sealRun(shortened(good)), failing: await sealRun(shortened(broken)) };
});

describe('an untampered package', () => {
  it('is certifiable if the policy accepts its exceptions', async () => {
    const result = await verified(bases.conformant.content, bases.conformant);
    expect(result.blockers).toEqual([]);
    expect(result).toMatchObject({
      certifiable: 'yes',
      signers: [keyId(partner.publicKey)],
      run: { verdict: 'conformant' },
    });
  });

  it('has no other blocker than its failure', async () => {
    const { blockers, run } = await verified(bases.failing.content, bases.failing);
    expect(blockers.map(({ problem }) => problem)).toEqual(['1 check fails (ERR-02.error)']);
    expect(run).toMatchObject({ verdict: 'non-conformant', failed: ['ERR-02.error'] });
  });

  it('is not certifiable if another version judged it, even if the policy accepts the version', async () => {
    const { run } = bases.conformant;
    const sealed = await sealRun({ ...run, records: asLaterVersion(run.records) });
    const { blockers } = await verified(sealed.content, sealed, { policy: { kitVersions: ['9.8.7'] } });
    expect(blockers.map(({ problem }) => problem)).toContainEqual(
      expect.stringMatching(/^version 9\.8\.7 of the kit wrote the reports, /),
    );
  });

  it.each<[string, PolicyInput, (records: Records) => Records]>([
    ['the profile core', { profile: 'core' }, asCore],
    ['age, attempts and ticket', { maxAgeDays: 1, maxAttempts: 1, ticket: 'CERT-118' }, (records) => records],
  ])('is certifiable with a policy that accepts %s', async (_, policy, edit) => {
    const { run } = bases.conformant;
    const sealed = await sealRun({ ...run, records: edit(run.records) });
    expect((await verified(sealed.content, sealed, { policy })).blockers).toEqual([]);
  });
});

/** As programs write an archive to a pipe: checksum and sizes follow each file. */
function streamed(content: PackageContent): Uint8Array {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((_, chunk) => chunks.push(chunk));
  for (const [path, bytes] of content) {
    const file = new ZipDeflate(path);
    zip.add(file);
    file.push(bytes, true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

function rejects(tamperings: readonly Tampering[]): void {
  it.each(tamperings)('$name', async ({ make, problem }) => {
    const { archive, ...desk } = await make(bases);
    const { certifiable, blockers } = await verified(archive, bases.conformant, desk);
    expect(blockers.map((blocker) => blocker.problem)).toContainEqual(expect.stringMatching(problem));
    expect(certifiable).toBe('no');
  });
}

describe('verify reads no archive with more than one reading:', () => {
  it.each(damagedFiles)('$name', async ({ make, problem }) => {
    const { archive } = await make(bases);
    const opened = verified(archive, bases.conformant);
    await expect(opened).rejects.toThrow(ConfigurationError);
    await expect(opened).rejects.toThrow(problem);
  });

  it('reads one of a program that writes sizes behind the files', async () => {
    const { blockers } = await verified(streamed(bases.conformant.content), bases.conformant);
    expect(blockers).toEqual([]);
  });
});

describe('verify rejects changed files:', () => rejects(tamperedFiles));
describe('verify rejects an edited run with a new seal of the partner:', () => rejects(tamperedRuns));
describe('verify rejects parts that do not belong together:', () => rejects(tamperedPackages));
describe('verify rejects signatures:', () => rejects(tamperedSignatures));
describe('verify rejects what the policy does not accept:', () => rejects(strictPolicies));

describe('a waiver', () => {
  const waiver = { requirement: 'ERR-02', reason: 'corrected in 4.3', author: 'the desk', expires: '2099-12-31' };
  const judge = (expires: string) =>
    verified(bases.failing.content, bases.failing, { policy: { waivers: [{ ...waiver, expires }] } });

  it('lifts the failures of its requirement, and not the verdict', async () => {
    const { certifiable, blockers, waivers, run } = await judge('2099-12-31');
    expect(blockers).toEqual([]);
    expect(certifiable).toBe('yes');
    expect(waivers).toEqual([waiver]);
    expect(run).toMatchObject({ verdict: 'non-conformant', failed: ['ERR-02.error'] });
  });

  it('lifts what these failures block', async () => {
    const { run } = bases.failing;
    const records = withCheck(run.records, 'AUTH-01.both-missing', { verdict: 'blocked', blockedBy: 'ERR-02.error' });
    const sealed = await sealRun({ ...run, records });
    const { blockers } = await verified(sealed.content, sealed, { policy: { waivers: [waiver] } });
    expect(blockers).toEqual([]);
    const { blockers: open } = await verified(sealed.content, sealed);
    expect(open.map(({ problem }) => problem)).toEqual([
      '1 check fails (ERR-02.error)',
      '1 required check could not be judged (AUTH-01.both-missing)',
    ]);
  });

  it('holds on its last day', async () => {
    const now = bases.failing.sealedAt.toISOString().slice(0, 10);
    const last = new Date(`${now}T23:59:59.000Z`);
    const policy = { waivers: [{ ...waiver, expires: now }] };
    expect((await verified(bases.failing.content, bases.failing, { policy, now: last })).certifiable).toBe('yes');
  });

  it('does nothing after that day, and the reason names the day', async () => {
    const { certifiable, blockers, waivers } = await judge('2020-01-01');
    expect(certifiable).toBe('no');
    expect(waivers).toEqual([]);
    expect(blockers.map(({ problem }) => problem)).toEqual(['1 check fails (ERR-02.error)']);
    expect(blockers[0]?.remedy).toMatch(
      /; a desk can add waivers to its policy; that for ERR-02 expired on 2020-01-01$/,
    );
  });

  it('does not lift the failure of another requirement', async () => {
    const policy = { waivers: [{ ...waiver, requirement: 'ERR-03' }] };
    expect((await verified(bases.failing.content, bases.failing, { policy })).certifiable).toBe('no');
  });
});

describe('a certificate', () => {
  const { certificate: statement, certificatePage } = PACKAGE_FILES;
  const both = { keys: [partner.publicKey, stranger.publicKey] };
  /** The desk signs with the key that is a stranger to the other tests. */
  const certified = (key = stranger) => {
    const { content, report } = bases.conformant;
    const policy = { name: 'policy.yaml', digest: { sha256: 'a'.repeat(64) } };
    const verifier = 'https://desk.example.com/v1';
    const certificate = { report, waivers: [], verifier, policy, createdAt: new Date('2026-01-31T12:00:00Z') };
    return countersignPackage(content, { certificate, key, signers: [keyId(partner.publicKey)] });
  };

  it('is valid with the keys of both sides', async () => {
    const { blockers, certificate, signers } = await verified(certified(), bases.conformant, both);
    expect(blockers).toEqual([]);
    expect(certificate).toMatchObject({
      verifier: { id: 'https://desk.example.com/v1' },
      properties: ['INVOICING_NETWORK_CERTIFIED_FULL_WITH_EXCEPTIONS'],
      signers: [keyId(stranger.publicKey)],
    });
    expect([...signers].sort()).toEqual([partner, stranger].map(({ publicKey }) => keyId(publicKey)).sort());
  });

  it.each<[string, () => PackageContent, Desk, RegExp]>([
    ['of an unknown key', () => certified(), {}, /^no accepted key has signed the certificate$/],
    ['with the key of the partner', () => certified(partner), {}, /^no accepted key but that of the certificate /],
    ['with only the key of the desk', () => certified(), { keys: [stranger.publicKey] }, /^no accepted key but that /],
    [
      'with another page',
      () => new Map([...certified(), [certificatePage, Buffer.from('certified')]]),
      both,
      /^certificate\.dsse\.json certifies another certificate\.html$/,
    ],
    [
      'of another package',
      () => new Map([...bases.failing.content, ...[...certified()].filter(([path]) => path === statement)]),
      both,
      /^certificate\.dsse\.json certifies another manifest\.json$/,
    ],
  ])('%s is rejected', async (_, make, desk, problem) => {
    const { blockers } = await verified(make(), bases.conformant, desk);
    expect(blockers.map((blocker) => blocker.problem)).toContainEqual(expect.stringMatching(problem));
  });
});
