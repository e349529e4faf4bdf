import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { findSecrets } from '../../../cli/certification/secret-scan.ts';
import { PACKAGE_FILES } from '../../../specs/certification/package.ts';
import { ACTOR_NAMES } from '../../../specs/target-file/target.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';
import { CANARIES, canaryForms, canaryTarget } from './support/canaries.ts';
import { type CertifiedRun, certifyReference } from './support/certified-run.ts';
import { sealRun } from './support/packages.ts';
import { type Records, withCheck, withExchange } from './support/record-edits.ts';
import { writeRun } from './support/run-folder.ts';
import { shortened } from './support/small-run.ts';

vi.setConfig(patient);

const { certificate: _, certificatePage: __, ...sealedFiles } = PACKAGE_FILES;
const PATHS = Object.values(sealedFiles);
const { folder, remove } = temporaryFolder();
let run: CertifiedRun;

beforeAll(async () => {
  run = shortened(await certifyReference());
});
afterAll(remove);

describe('the search for secrets', () => {
  test('knows every key, secret, header and passphrase of the target', () => {
    const fields = ACTOR_NAMES.flatMap((name) => [`${name}.key`, `${name}.secret`]);
    expect([...CANARIES.keys()]).toEqual([
      ...fields,
      'headers.X-Gateway-Token',
      'headers.Authorization',
      'proxy.password',
      'tls.passphrase',
    ]);
  });

  test.each([...CANARIES])('finds %s in each form and in each file', (label, value) => {
    const missed = Object.entries(canaryForms(value)).flatMap(([form, text]) => {
      const content = new Map(PATHS.map((path) => [path, Buffer.from(`before ${text} after`)]));
      const found = findSecrets(content, canaryTarget).filter((each) => each.label === label);
      return PATHS.filter((path) => !found.some(({ file }) => file === path)).map((path) => `${form} in ${path}`);
    });
    expect(missed).toEqual([]);
  });

  test('finds nothing in a text without secrets', () => {
    const content = new Map(PATHS.map((path) => [path, Buffer.from('<seller.key> and <seller.secret>')]));
    expect(findSecrets(content, canaryTarget)).toEqual([]);
  });

  test('finds nothing in the package of a run', async () => {
    const { content } = await sealRun(run);
    expect(findSecrets(content, run.target)).toEqual([]);
  });
});

describe('conformance seal', () => {
  const secret = () => run.target.actors.seller?.secret ?? '';

  async function seal(name: string, edit: (records: Records) => Records) {
    const { args } = writeRun(join(folder, name), { ...run, records: edit(run.records) });
    const out = join(folder, `${name}.zip`);
    return { ...(await conformance([...args, '--out', out])), isWritten: existsSync(out) };
  }

  const leak = (file: string) =>
    `conformance: seller.secret of the target file appears in ${file} of the package; nothing was written; replace the key, and report this defect of the kit\n`;

  it('seals a run without secrets', async () => {
    expect(await seal('honest', (records) => records)).toMatchObject({ code: 0, stderr: '', isWritten: true });
  });

  it('writes nothing if a response shows a secret', async () => {
    const sealed = await seal('response', (records) =>
      withExchange(
        records,
        (each) => ({ ...each, response: each.response && { ...each.response, body: `{"debug":"${secret()}"}` } }),
        0,
      ),
    );
    expect(sealed).toEqual({ code: 2, stdout: '', stderr: leak('evidence.jsonl'), isWritten: false });
  });

  it('names every file that shows a secret', async () => {
    const sealed = await seal('reason', (records) =>
      withCheck(records, 'AUTH-01.both-missing', {
        verdict: 'fail',
        reason: `the response shows ${secret()}`,
        expected: 'nothing',
        actual: `it shows ${secret()}`,
      }),
    );
    const files = ['evidence.jsonl', 'report.json', 'report.html'];
    expect(sealed).toEqual({ code: 2, stdout: '', stderr: files.map(leak).join(''), isWritten: false });
  });

  it('writes nothing if the secret of a header appears', async () => {
    const token = 'gateway-token-of-the-partner';
    const { args, targetFile } = writeRun(join(folder, 'header'), {
      ...run,
      records: withExchange(run.records, (each) => ({ ...each, label: `seller ${token}` }), 0),
    });
    writeFileSync(targetFile, `${run.targetFile}headers: { X-Gateway-Token: ${token} }\n`);
    const out = join(folder, 'header.zip');
    expect(await conformance([...args, '--out', out])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^conformance: headers\.X-Gateway-Token of the target file appears in evidence\.jsonl/,
      ),
    });
    expect(existsSync(out)).toBe(false);
  });
});
