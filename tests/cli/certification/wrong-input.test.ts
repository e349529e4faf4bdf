import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { packFiles } from '../../../reporting/certification/archive.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';
import { certifyReference } from './support/certified-run.ts';
import { writeKeyFiles } from './support/key-files.ts';
import { sealRun } from './support/packages.ts';
import { withHeader } from './support/record-edits.ts';
import { writeRun } from './support/run-folder.ts';
import { shortened } from './support/small-run.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const here = { cwd: folder };
const place = (name: string) => join(folder, name);

const POLICIES = {
  'unknown-field': 'profil: full\n',
  'unlike-any-field': 'colour: red\n',
  'wrong-value': 'warnings: ignore\n',
  'wrong-number': 'maxAgeDays: 0\n',
  'unquoted-version': 'kitVersions: [1.0]\n',
  'wrong-digest': 'kitDigests: [abc]\n',
  'unknown-requirement': waivers('ERR-2'),
  'wrong-day': waivers('ERR-02', 'tomorrow'),
  'missing-key': 'keys: [nowhere.pem]\n',
  'private-key': 'keys: [private.pem]\n',
  list: '- full\n',
};

function waivers(requirement: string, expires = '2099-12-31'): string {
  return stringify({ waivers: [{ requirement, reason: 'known', author: 'the desk', expires }] });
}

const TARGET = {
  baseUrl: 'http://127.0.0.1:9',
  implementation: { vendor: 'Acme', product: 'Ledger', version: '4.2' },
  actors: { seller: { key: 'svc_sand_seller', secret: 'the-secret-of-the-seller' } },
};

const TARGETS = {
  other: TARGET,
  unnamed: { ...TARGET, implementation: undefined },
  blank: { ...TARGET, implementation: { ...TARGET.implementation, vendor: ' ' } },
  short: { ...TARGET, actors: { seller: { ...TARGET.actors.seller, secret: 'abc12' } } },
  agent: { ...TARGET, headers: { 'user-agent': 'Acme gateway' } },
};

beforeAll(async () => {
  const run = shortened(await certifyReference());
  writeRun(place('run'), run);
  const { actors, ...rest } = parse(run.targetFile) as { actors: { buyer: object; seller: object } };
  writeFileSync(place('run/other-keys.yaml'), stringify({ ...rest, actors: { seller: actors.buyer } }));
  const plain = withHeader(run.records, ({ certification: _, ...header }) => header);
  writeRun(place('plain'), { ...run, records: plain });
  writeRun(place('damaged'), run);
  const evidence = place('damaged/evidence.jsonl');
  writeFileSync(evidence, readFileSync(evidence, 'utf8').replace('"seed":7', '"seed":8'));
  const whole = readFileSync(place('run/evidence.jsonl'), 'utf8');
  for (const [name, text] of Object.entries({ blank: `\n${whole}`, cut: `{"kind":"header"\n${whole}` })) {
    writeRun(place(name), run);
    writeFileSync(place(`${name}/evidence.jsonl`), text);
  }
  mkdirSync(place('empty'));
  writeFileSync(place('present.zip'), 'present');
  writeFileSync(place('acme.zip'), packFiles((await sealRun(run)).content));
  writeKeyFiles(folder);
  for (const [name, text] of Object.entries(POLICIES)) writeFileSync(place(`${name}.yaml`), text);
  for (const [name, content] of Object.entries(TARGETS))
    writeFileSync(place(`${name}-target.yaml`), JSON.stringify(content));
});
afterAll(remove);

type Case = [name: string, args: string[], error: string];

/** Expects exit code 2 and these lines. */
async function expectUsageError(args: readonly string[], ...errors: string[]): Promise<void> {
  const { code, stdout, stderr } = await conformance(args, here);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toEqual(errors.map((error) => expect.stringContaining(error)));
}

describe.concurrent('seal ends with exit code 2 and one line for', () => {
  const seal = (...more: string[]) => ['seal', 'run', '--target', 'run/target.yaml', '--out', 'new.zip', ...more];
  const keyCase = (name: string, file: string, error: string): Case => [name, seal('--key', file), error];
  test.each<Case>([
    keyCase('a missing key file', 'nowhere.pem', '--key: cannot read nowhere.pem (ENOENT)'),
    keyCase('a folder as key file', 'empty', '--key: cannot read empty (EISDIR)'),
    keyCase('a key file that is not PEM', 'text.pem', '--key: text.pem contains no private key'),
    keyCase('an RSA key', 'rsa-private.pem', '--key: rsa-private.pem contains a key of type rsa'),
    keyCase('a public key', 'public.pem', '--key: public.pem contains no private key'),
    keyCase('an encrypted key', 'encrypted.pem', '--key: encrypted.pem is encrypted'),
    [
      'a folder without a run',
      ['seal', 'empty', '--target', 'run/target.yaml', '--out', 'new.zip'],
      '<dir>: empty contains no evidence.jsonl',
    ],
    [
      'a missing folder',
      ['seal', 'nowhere', '--target', 'run/target.yaml', '--out', 'new.zip'],
      '<dir>: nowhere does not exist; name the folder of a run',
    ],
    [
      'a run of another command',
      ['seal', 'plain', '--target', 'plain/target.yaml', '--out', 'new.zip'],
      '<dir>: plain holds a run of another command',
    ],
    [
      'damaged evidence',
      ['seal', 'damaged', '--target', 'damaged/target.yaml', '--out', 'new.zip'],
      '<dir>: damaged/evidence.jsonl, line 2: the hash chain is broken',
    ],
    [
      'a first line that is cut',
      ['seal', 'cut', '--target', 'cut/target.yaml', '--out', 'new.zip'],
      '<dir>: cut/evidence.jsonl, line 1: not JSON',
    ],
    [
      'an empty first line',
      ['seal', 'blank', '--target', 'blank/target.yaml', '--out', 'new.zip'],
      '<dir>: blank/evidence.jsonl: the evidence has empty lines; run "conformance certify" again',
    ],
    [
      'the target file of another server',
      ['seal', 'run', '--target', 'other-target.yaml', '--out', 'new.zip'],
      '--target: names 127.0.0.1:9 (http://127.0.0.1:9), but run judges Reference service (http://127.0.0.1:',
    ],
    [
      'a target file of the same server with other organizations',
      ['seal', 'run', '--target', 'run/other-keys.yaml', '--out', 'new.zip'],
      '--target: names the server of run, but other organizations, counterparties or operations; name the target file of that run',
    ],
    ['no target file', ['seal', 'run', '--out', 'new.zip'], '--target: missing'],
    [
      'an existing file',
      ['seal', 'run', '--target', 'run/target.yaml', '--out', 'present.zip'],
      '--out: present.zip exists; name a new file',
    ],
    [
      'a file in a missing folder',
      ['seal', 'run', '--target', 'run/target.yaml', '--out', 'nowhere/new.zip'],
      '--out: cannot write nowhere/new.zip (ENOENT)',
    ],
  ])('%s', async (_, args, error) => {
    await expectUsageError(args, error);
    expect(existsSync(place('new.zip'))).toBe(false);
    expect(readFileSync(place('present.zip'), 'utf8')).toBe('present');
  });
});

test('verify needs no temporary folder', async () => {
  const { code, stdout } = await conformance(['verify', 'acme.zip'], { ...here, env: { TMPDIR: place('nowhere') } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('certifiable: no') });
});

test('diff ends with exit code 2 and one line for damaged evidence', async () => {
  await expectUsageError(['diff', 'run', 'damaged'], '<new>: damaged/evidence.jsonl, line 2: the hash chain is broken');
});

describe.concurrent('verify ends with exit code 2 and one line for', () => {
  const keyCase = (name: string, file: string, error: string): Case => [
    name,
    ['verify', 'acme.zip', '--key', file],
    error,
  ];
  const policyCase = (name: string, policy: keyof typeof POLICIES, error: string): Case => [
    name,
    ['verify', 'acme.zip', '--policy', `${policy}.yaml`],
    error,
  ];
  test.each<Case>([
    [
      'a file that is no package',
      ['verify', 'present.zip'],
      '<package>: present.zip is not a ZIP file, or is damaged; ask for the package as it was sealed',
    ],
    ['a missing package', ['verify', 'nowhere.zip'], '<package>: cannot read nowhere.zip (ENOENT)'],
    ['a folder', ['verify', 'empty'], '<package>: cannot read empty (EISDIR)'],
    keyCase('a missing key file', 'nowhere.pem', '--key: cannot read nowhere.pem (ENOENT)'),
    keyCase('a key file that is not PEM', 'text.pem', '--key: text.pem contains no public key'),
    keyCase('an RSA key', 'rsa-public.pem', '--key: rsa-public.pem contains a key of type rsa'),
    keyCase('a private key', 'private.pem', '--key: private.pem contains a private key'),
    keyCase('an encrypted private key', 'encrypted.pem', '--key: encrypted.pem contains a private key'),
    [
      'a missing policy',
      ['verify', 'acme.zip', '--policy', 'nowhere.yaml'],
      '--policy: cannot read nowhere.yaml (ENOENT)',
    ],
    policyCase('a policy with a mistyped field', 'unknown-field', 'unknown field profil; did you mean profile?'),
    policyCase('a policy with an unknown field', 'unlike-any-field', 'unknown field colour; the fields are profile,'),
    policyCase('a policy with a wrong word', 'wrong-value', 'warnings: found "ignore"; write accept or reject'),
    policyCase('a policy with a wrong number', 'wrong-number', 'maxAgeDays: found 0; write a whole number of days'),
    policyCase(
      'a version without quotes',
      'unquoted-version',
      'kitVersions.0: found 1; write a list of versions in quotes',
    ),
    policyCase('a wrong digest', 'wrong-digest', 'kitDigests.0: found "abc"; write a list of SHA-256 digests'),
    policyCase(
      'a waiver of an unknown requirement',
      'unknown-requirement',
      'waivers.0.requirement: found ERR-2; did you mean ERR-',
    ),
    policyCase(
      'a waiver until no day',
      'wrong-day',
      'waivers.0.expires: found "tomorrow"; write a day such as 2027-06-30',
    ),
    policyCase('a policy with a missing key file', 'missing-key', 'missing-key.yaml: keys: cannot read '),
    policyCase('a policy with a private key', 'private-key', 'private.pem contains a private key'),
    policyCase('a policy that is a list', 'list', 'list.yaml:1: found a list; write a mapping'),
  ])('%s', (_, args, error) => expectUsageError(args, error));
});

describe.concurrent('certify ends with exit code 2 and a line for', () => {
  const certify = (name: keyof typeof TARGETS, ...more: string[]) => [
    'certify',
    '--target',
    `${name}-target.yaml`,
    '--out',
    'certified',
    ...more,
  ];
  const operator = ['--operator', 'Acme QA'];
  const missing = (name: string) => `implementation.${name}: missing`;
  test.each<[name: string, args: string[], ...errors: string[]]>([
    ['each missing word', certify('unnamed', ...operator), missing('vendor'), missing('product'), missing('version')],
    ['a blank vendor', certify('blank', ...operator), missing('vendor')],
    ['a short secret', certify('short', ...operator), 'actors.seller.secret: has fewer than 6 characters'],
    [
      'a User-Agent of the target',
      certify('agent', ...operator),
      'headers.user-agent: certify sends its own User-Agent',
    ],
    ['no operator', certify('other'), '--operator: missing; write --operator <name>'],
    ['a blank operator', certify('other', '--operator', ' '), 'write a name'],
    [
      'a ticket with spaces',
      certify('other', ...operator, '--ticket', 'CERT 118'),
      'write letters, digits and . : / # _ -, at most 100 characters',
    ],
    ['no target', ['certify', ...operator, '--out', 'certified'], '--target: missing'],
    ['no folder', ['certify', '--target', 'other-target.yaml', ...operator], '--out: missing; write --out <dir>'],
  ])('%s', async (_, args, ...errors) => {
    await expectUsageError(args, ...errors);
    expect(readdirSync(folder)).not.toContain('certified');
  });
});
