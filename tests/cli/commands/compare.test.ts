import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allFaults } from '../../../reference/faults/all.ts';
import { startReference } from '../../../reference/service/start.ts';
import { comparison } from '../../../specs/formats/comparison.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

const FAULT = allFaults.find(({ id }) => id === 'life-approved-cancel-allowed');
const [acme, umbrella, narrow] = ['acme', 'umbrella', 'narrow'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

/** A run against a server of this name, with or without the fault. */
async function run(out: string, name: string, fault: typeof FAULT | undefined, only: string): Promise<void> {
  const server = await startReference(fault);
  const target = join(folder, 'target.json');
  const implementation = { vendor: `${name} Ltd`, version: '4.2.0' };
  writeFileSync(target, JSON.stringify({ ...server.target, name, implementation }));
  const { code, stderr } = await conformance(['run', '--target', target, '--only', only, '--out', out]);
  await server.close();
  expect({ code, stderr }).toMatchObject({ code: fault === undefined ? 0 : 1 });
}

beforeAll(async () => {
  await run(acme, 'Acme', FAULT, 'LIFE-02.approved-cancel,AUTH-01.both-missing');
  await run(umbrella, 'Umbrella', undefined, 'LIFE-02.approved-cancel,AUTH-01.both-missing');
  await run(narrow, 'Narrow', undefined, 'LIFE-02.approved-cancel');
});

describe('compare', () => {
  it('prints each requirement with different verdicts, and the counts', async () => {
    const { code, stdout, stderr } = await conformance(['compare', acme, umbrella]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('requirement  LIFE-02: failed (Acme) · passed (Umbrella)');
    expect(lines.at(-2)).toMatch(/^requirements: 1 different · \d+ equal · \d+ in no run$/);
    expect(lines.at(-1)).toMatch(/^unspecified behaviour: \d+ different · \d+ equal/);
  });

  it('says that the runs have different scopes: what a run did not select is not a difference', async () => {
    const { stdout } = await conformance(['compare', umbrella, narrow]);
    expect(stdout).toMatch(
      /^The runs have different selections of checks: a verdict or an observation that a run lacks/,
    );
    expect(stdout).toMatch(/^requirements: 0 different · \d+ equal · 1 in some runs only/m);
  });

  it('prints JSON that matches its schema', async () => {
    const { code, stdout } = await conformance(['compare', acme, umbrella, narrow, '--json']);
    const compared = comparison.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(compared.implementations.map(({ label, verdict }) => [label, verdict])).toEqual([
      ['Acme', 'non-conformant'],
      ['Umbrella', 'passed'],
      ['Narrow', 'passed'],
    ]);
    expect(compared.requirements.find(({ id }) => id === 'LIFE-02')?.verdicts).toEqual(['fail', 'pass', 'pass']);
    expect(compared.requirements.find(({ id }) => id === 'AUTH-01')?.verdicts).toEqual([
      'pass',
      'pass',
      'not-selected',
    ]);
  });

  it('writes a page with links to the reports, and prints the same lines', async () => {
    const html = join(folder, 'compare.html');
    const { stdout } = await conformance(['compare', acme, umbrella, '--html', html]);
    expect(stdout).toBe((await conformance(['compare', acme, umbrella])).stdout);
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('href="acme/report.html#LIFE-02"');
    expect(page).toContain('<dd>Umbrella Ltd</dd>');
  });
});

describe('compare rejects in one line', () => {
  const history = join(folder, 'history');
  const copy = join(folder, 'copy');
  const torn = join(folder, 'torn');
  const foreign = join(folder, 'foreign');
  const empty = join(folder, 'empty');

  beforeAll(() => {
    mkdirSync(join(history, '2026-11-27T02-00-00.000Z-1f0c9a3e'), { recursive: true });
    cpSync(acme, copy, { recursive: true });
    mkdirSync(join(folder, 'odd', 'evidence.jsonl'), { recursive: true });
    const journal = readFileSync(join(acme, 'evidence.jsonl'), 'utf8');
    for (const [damaged, text] of [
      [torn, journal.replace('\n', '\n{"kind":\n')],
      [foreign, journal.replace('\n', '\n{"kind":"exchange"}\n')],
      [empty, ''],
    ] as const) {
      mkdirSync(damaged);
      writeFileSync(join(damaged, 'evidence.jsonl'), text);
    }
  });

  const cases: readonly [string, readonly string[], string][] = [
    ['no folder', [], '<run>: missing; --help says what to write there'],
    ['an empty name', [acme, ''], '<run>: found ""; name the folder of a run'],
    ['one folder', [acme], `<run>: found only ${acme}; write the folders of two or more runs`],
    ['a folder that is named twice', [acme, acme], `<run>: ${acme} is named twice; write each run once`],
    ['a copy of a run', [acme, copy], `<run>: ${copy} is the same run as ${acme}; write each run once`],
    ['a missing folder', [acme, `${folder}/none`], `<run>: ${folder}/none does not exist; name the folder of a run`],
    ['a folder without a run', [acme, folder], `<run>: ${folder} contains no evidence.jsonl; name the folder of a run`],
    [
      'a folder in place of the evidence',
      [acme, `${folder}/odd`],
      `<run>: ${folder}/odd contains no evidence.jsonl; name the folder of a run`,
    ],
    [
      'a file',
      [`${acme}/evidence.jsonl`, umbrella],
      `<run>: ${acme}/evidence.jsonl is a file; name the folder of a run, such as ${acme}`,
    ],
    [
      'a history',
      [acme, history],
      `<run>: ${history} belongs to a history, which keeps no evidence.jsonl; write the folder of --out`,
    ],
    [
      'evidence that is not JSON',
      [acme, torn],
      `<run>: ${torn}/evidence.jsonl, line 2: not JSON; write the folder of another run`,
    ],
    [
      'evidence with a field that the kit never writes',
      [acme, foreign],
      `<run>: ${foreign}/evidence.jsonl, line 2: id: found nothing, which this version of the kit never writes; run the checks again`,
    ],
    [
      'empty evidence',
      [acme, empty],
      `<run>: ${empty}/evidence.jsonl: the journal has no header: it is empty, or the run ended before its first line; write the folder of another run`,
    ],
    [
      'a page in a folder that does not exist',
      [acme, umbrella, '--html', `${folder}/none/compare.html`],
      `--html: cannot write ${folder}/none/compare.html (ENOENT); name a file in a writable folder`,
    ],
  ];

  it.each(cases)('%s', async (_, args, line) => {
    expect(await conformance(['compare', ...args])).toEqual({ code: 2, stdout: '', stderr: `conformance: ${line}\n` });
  });

  it('JSON together with a page', async () => {
    const { code, stderr } = await conformance(['compare', acme, umbrella, '--json', '--html', 'compare.html']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^conformance: .*--json.*--html.*\n$/);
  });
});

it('the help of compare has examples', async () => {
  const { stdout } = await conformance(['compare', '--help']);
  expect(stdout).toMatch(/^Examples:\n {2}\$ conformance compare /m);
  expect((await conformance(['--help'])).stdout).toMatch(/diff .*(\n.*)+\n {2}compare /);
});
