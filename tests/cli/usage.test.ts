import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { doctorCommand } from '../../cli/doctor.ts';
import { explainCommand } from '../../cli/explain.ts';
import { initCommand } from '../../cli/init.ts';
import { listCommand } from '../../cli/list.ts';
import { referenceCommand } from '../../cli/reference.ts';
import { reportCommand } from '../../cli/report.ts';
import { runCommand } from '../../cli/run.ts';
import { loadTarget } from '../../engine/target/load.ts';
import { checkCatalogue } from '../../specs/catalogue.ts';
import { DEAD_URL } from '../engine/servers.ts';
import { conformance, patient, temporaryFolder } from './command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);
const here = { cwd: folder };
const SECRET = 'hush-this-is-a-secret';
const keys = { CONFORMANCE_SELLER_KEY: 'svc_sand_1', CONFORMANCE_SELLER_SECRET: SECRET };

const commands = [runCommand, doctorCommand, initCommand, listCommand, explainCommand, reportCommand, referenceCommand];

describe('--help', () => {
  test.each(commands.map((command) => ({ command, name: command.name() })))('of $name has examples', ({ command }) => {
    let help = '';
    const writeOut = (text: string) => {
      help += text;
    };
    command.configureOutput({ writeOut }).outputHelp();
    expect(help).toMatch(/^Examples:\n {2}\$ (.* )?conformance /m);
    expect(help).toContain(`$ conformance ${command.name()}`);
  });

  test('of the whole command names the commands and the exit codes', async () => {
    const { code, stdout } = await conformance(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Exit codes: 0 conformant');
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^ {2}${command.name()}\\b`, 'm'));
  });
});

describe.concurrent('a wrong command line ends with exit 2, one helpful line and no stack:', () => {
  test.each([
    ['an unknown profile', ['run', '--profile', 'nightly'], /profile.*smoke, core, full, read-only/],
    ['an unknown format', ['run', '--format', 'pdf'], /pdf is none of json, html, junit, markdown, allure/],
    ['a filter that matches nothing', ['run', '--only', 'AUTH,NOPE'], /--only: NOPE names no check.*conformance list/],
    [
      'a filter outside of the profile',
      ['run', '--profile', 'smoke', '--only', 'RESET'],
      /--only: RESET names no check of the profile smoke/,
    ],
    [
      'a target file that does not exist',
      ['run', '--target', 'none.yaml'],
      /--target: cannot read none\.yaml \(ENOENT\)/,
    ],
    ['no room for requests', ['run', '--concurrency', '0'], /concurrency/],
    ['an unknown command', ['judge'], /unknown command 'judge'/],
    ['an unknown check', ['explain', 'AUTH-01.nope'], /AUTH-01\.nope: no requirement or check has this id/],
    ['a folder that is none of a run', ['report', '.'], /holds no evidence\.jsonl/],
    ['a proof without a target', ['doctor'], /no target: name a file with --target/],
  ] as [string, string[], RegExp][])('%s', async (_, args, line) => {
    const { code, stdout, stderr } = await conformance(args, here);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  });

  test('a folder that cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = await conformance(['run', '--out', 'file'], here);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^conformance: --out: cannot write (to )?file/);
  });

  test('a target file with a misspelt field and a variable that is not set', async () => {
    writeFileSync(
      join(folder, 'bad.yaml'),
      'baseUrl: http://127.0.0.1:1\nactors:\n  seller: { key: a, secret: ${NOT_SET} }\n',
    );
    const { code, stderr } = await conformance(['doctor', '--target', 'bad.yaml'], here);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'conformance: bad.yaml:3: actors.seller.secret: the environment variable NOT_SET is not set; set it or name another\n',
    );
  });

  test('a dead port, for run and for doctor, and nothing is left in the folder', async () => {
    const baseUrl = DEAD_URL;
    const run = await conformance(['run', '--base-url', baseUrl, '--out', 'dead'], { ...here, env: keys });
    const doctor = await conformance(['doctor', '--base-url', baseUrl], { ...here, env: keys });
    for (const { code, stdout, stderr } of [run, doctor]) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`^conformance: baseUrl: no answer from ${baseUrl}`));
      expect(stderr).not.toContain(SECRET);
    }
    expect(existsSync(join(folder, 'dead', 'evidence.jsonl'))).toBe(false);
    expect(existsSync(join(folder, 'dead', 'report.json'))).toBe(false);
  });
});

describe('the catalogue on the command line', () => {
  test('is listed with its sentences', async () => {
    const { code, stdout } = await conformance(['list', '--profile', 'smoke', '--only', 'life']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^LIFE-01 \(required\) \S/m);
    expect(stdout).toMatch(/^ {2}LIFE-01\.draft-submit +\S/m);
    expect(stdout).toMatch(/^\d+ checks of the profile smoke$/m);
  });

  test('is listed as far as any of several --only names it', async () => {
    const { stdout } = await conformance(['list', '--only', 'LIFE-10', '--only', 'VER-01,RATE-04']);
    const ids = [...stdout.matchAll(/^([A-Z]+-\d+) /gm)].map(([, id]) => id);
    expect(ids.toSorted()).toEqual(['LIFE-10', 'RATE-04', 'VER-01']);
  });

  test('is listed as ids alone, one a line', async () => {
    const said: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text));
    onTestFinished(() => void vi.restoreAllMocks());
    await listCommand.parseAsync(['--ids'], { from: 'user' });
    expect(said.join('\n').split('\n')).toEqual([...checkCatalogue.keys()]);
  });

  test('is explained by check or by requirement, in either case of letters', async () => {
    const { code, stdout } = await conformance(['explain', 'life-02.DRAFT-approve']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^LIFE-02 {2}\S/);
    expect(stdout).toMatch(/needs: .*approve/);
    expect(stdout).toMatch(/profiles: .*full/);
    expect(stdout).not.toContain('LIFE-02.draft-cancel');
  });
});

test('init writes a target file that is valid once its variables are set, and overwrites none', async () => {
  expect((await conformance(['init', 'new.yaml', '--base-url', 'https://a.example/x'], here)).code).toBe(0);
  const environment = { SELLER_KEY: 'svc_sand_1', SELLER_SECRET: 's-1', BUYER_KEY: 'svc_sand_2', BUYER_SECRET: 's-2' };
  expect(loadTarget({ file: join(folder, 'new.yaml'), environment }).baseUrl).toBe('https://a.example/x');
  const written = readFileSync(join(folder, 'new.yaml'), 'utf8');
  const again = await conformance(['init', 'new.yaml'], here);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('new.yaml: exists already')]);
  expect(readFileSync(join(folder, 'new.yaml'), 'utf8')).toBe(written);
});
