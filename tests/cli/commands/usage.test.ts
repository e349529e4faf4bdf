import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { doctorCommand } from '../../../cli/commands/doctor.ts';
import { explainCommand } from '../../../cli/commands/explain.ts';
import { initCommand } from '../../../cli/commands/init.ts';
import { listCommand } from '../../../cli/commands/list.ts';
import { referenceCommand } from '../../../cli/commands/reference.ts';
import { reportCommand } from '../../../cli/commands/report.ts';
import { runCommand } from '../../../cli/commands/run.ts';
import { checkCatalogue } from '../../../specs/catalogue/catalogue.ts';
import { DEAD_URL } from '../../engine/support/servers.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);
const here = { cwd: folder };
writeFileSync(join(folder, 'a-file'), '');
mkdirSync(join(folder, 'odd', 'evidence.jsonl'), { recursive: true });
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
    expect(stdout).toContain('Exit codes:\n  0  conformant');
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^ {2}${command.name()}\\b`, 'm'));
  });
});

describe.concurrent('a wrong command line ends with exit 2, one helpful line and no stack:', () => {
  test.each([
    [
      'an unknown profile',
      ['run', '--profile', 'nightly'],
      /--profile: found "nightly"; write one of smoke, core, full, read/,
    ],
    [
      'a mistyped profile',
      ['run', '--profile', 'fulll'],
      /--profile: found "fulll"; did you mean full\? There are smoke/,
    ],
    [
      'the title of a check',
      ['run', '--only', 'cancelling an APPROVED invoice is rejected and changes nothing'],
      /nothing names no check, requirement or area; it is the title of LIFE-02\.approved-cancel; write LIFE-02\.approved-cancel$/m,
    ],
    [
      'an option and its value in one word',
      ['run', '--shard 1/2'],
      /^conformance: --shard: the option and its value are one word; write --shard and its value as two words$/m,
    ],
    [
      'an unknown format',
      ['run', '--format', 'pdf'],
      /--format: found "pdf"; pdf is not one of json, html, junit, markdown/,
    ],
    ['a filter that matches nothing', ['run', '--only', 'AUTH,NOPE'], /--only: NOPE names no check.*conformance list/],
    [
      'names that are not separated with commas',
      ['list', '--only', 'LIFE-02;AUTH-01'],
      /--only: LIFE-02;AUTH-01 names no check, requirement or area; separate several names with commas$/m,
    ],
    [
      'a long filter outside of the profile',
      [
        'list',
        '--profile',
        'smoke',
        '--only',
        'LIFE-02.large,LIFE-02.once-disputed,LIFE-02.all-fields,LIFE-02.simultaneous',
      ],
      /--only: LIFE-02\.large,LIFE-02\.once-disputed,LIFE-02\.all-fields,… names no check of the profile smoke/,
    ],
    [
      'two options that exclude each other',
      ['run', '--watch', '--budget', '500'],
      /^conformance: --watch: cannot be combined with --budget; remove one of the two$/m,
    ],
    ['a mistyped area', ['run', '--only', 'LFIE'], /--only: LFIE names no check.*; did you mean LIFE\?/],
    ['a mistyped requirement', ['list', '--only', 'AUTH-3'], /--only: AUTH-3 names no check.*; did you mean AUTH-03\?/],
    ['a mistyped check', ['list', '--only', 'auth-01.both-mising'], /; did you mean AUTH-01\.both-missing\?/],
    [
      'a filter outside of the profile',
      ['run', '--profile', 'smoke', '--only', 'RESET'],
      /--only: RESET names no check of the profile smoke/,
    ],
    [
      'a filter that names only what the target file does not allow',
      ['run', '--base-url', DEAD_URL, '--only', 'RESET'],
      /^conformance: --only: RESET names only checks that the target file does not allow \(allow\.reset.*\); set allow\.reset.* to true, or name other checks$/m,
    ],
    [
      'a target file that does not exist',
      ['run', '--target', 'none.yaml'],
      /--target: cannot read none\.yaml \(ENOENT\); give the path of an existing target file/,
    ],
    [
      'a folder as a target file',
      ['run', '--target', '.'],
      /--target: \. is a folder; give the path of an existing target file/,
    ],
    ['a target without a name', ['run', '--target', ''], /--target: found ""; name an existing target file/],
    ['no port', ['reference', '--port', ''], /--port: found ""; write a port from 0 to 65535/],
    [
      'a fault that does not exist',
      ['reference', '--fault', 'life-approved-cancel'],
      /--fault: found life-approved-cancel, which is no known fault; did you mean life-approved-cancel-allowed\?/,
    ],
    [
      'a comparison with no earlier run',
      ['run', '--fail-on', 'new'],
      /--fail-on: new compares with an earlier run, and no folder is named; add --history DIR, or the --out DIR/,
    ],
    ['no file to write', ['init', ''], /<file>: found ""; name the file to write/],
    [
      'an address of another machine',
      ['reference', '--host', '192.0.2.1'],
      /--host: cannot listen on 192\.0\.2\.1 \(EADDRNOTAVAIL\); name an address of this machine/,
    ],
    ['secrets without a target', ['run', '--secrets', 'none.env'], /--secrets: needs a target; name one with --target/],
    [
      'a request budget of 0',
      ['run', '--concurrency', '0'],
      /--concurrency: found "0"; write a whole number from 1 to 256/,
    ],
    ['an invalid seed', ['run', '--seed', 'x'], /--seed: found "x"; write a whole number/],
    ['a seed in hexadecimal', ['run', '--seed', '0x10'], /--seed: found "0x10"; write a whole number/],
    ['no seed', ['run', '--seed', ''], /--seed: found ""; write a whole number/],
    ['an option of other commands', ['run', '--limit', '9'], /unknown option --limit; did you mean --max-requests\?/],
    ['an unknown command', ['runn'], /unknown command runn; did you mean run\?/],
    ['an unknown option', ['run', '--taget', 'x'], /unknown option --taget; did you mean --target\?/],
    ['another unknown option', ['run', '--frobnicate'], /unknown option --frobnicate; --help lists the options/],
    [
      'an option with two values',
      ['run', '--target', 'a.yaml', '-t', 'b.yaml'],
      /--target: found "a\.yaml and b\.yaml"; the option has two values; write it once/,
    ],
    [
      'a group in place of a requirement',
      ['explain', 'LIFE'],
      /LIFE: names a group of requirements; name one of them, such as LIFE-\d\d \("conformance list"/,
    ],
    ['an option without its value', ['run', '--target'], /--target: found no value; write --target <file>/],
    ['a missing argument', ['explain'], /<id>: missing; --help says/],
    [
      'an option without its value before another one',
      ['run', '--only', '--out', 'x'],
      /--only: found no value; write --only <\w+>/,
    ],
    [
      'an option without its value before a short one',
      ['run', '--target', '-o', 'x'],
      /--target: found no value; write/,
    ],
    [
      'an unexpected argument',
      ['list', 'all of them', '--ids'],
      /too many arguments for list: expected 0, found 1 \(all of them\); write/,
    ],
    [
      'a target file without its option',
      ['run', 'staging.yaml'],
      /^conformance: run accepts no staging\.yaml alone; write --target staging\.yaml$/m,
    ],
    [
      'any existing file without its option',
      ['doctor', '--probe', 'a-file'],
      /^conformance: doctor accepts no a-file alone; write --target a-file$/m,
    ],
    ['an unknown check', ['explain', 'AUTH-01.nope'], /AUTH-01\.nope: no requirement or check has this id/],
    [
      'a mistyped requirement to explain',
      ['explain', 'LIFE-2'],
      /LIFE-2: no requirement or check has this id; did you mean LIFE-0?2/,
    ],
    ['a folder without a run', ['report', '.'], /contains no evidence\.jsonl/],
    [
      'a file in place of the folder of a run',
      ['report', 'a-file'],
      /a-file: is a file; name its folder: conformance report \./,
    ],
    ['a file in place of the output folder', ['run', '--out', 'a-file'], /--out: a-file is a file; name a folder/],
    [
      'a file in place of the folder of a proof',
      ['prove', '--out', 'a-file'],
      /--out: a-file is a file; name a folder/,
    ],
    ['a folder as evidence', ['report', 'odd'], /odd: contains no evidence\.jsonl; name the folder of a run/],
    ['a proof without a target', ['doctor'], /no target: give a target file with --target/],
  ] as [string, string[], RegExp][])('%s', async (_, args, line) => {
    const env = args.includes('--base-url') ? keys : {};
    const { code, stdout, stderr } = await conformance(args, { ...here, env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).toMatch(/^conformance: .*\n$/);
  });

  test('two wrong names, each with a line', async () => {
    const { code, stderr } = await conformance(['run', '--only', 'LIFE-2,AUHT'], here);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^conformance: --only: LIFE-2 names no check.*\nconformance: --only: AUHT names no check.*\n$/,
    );
  });

  test('keys of a seller without a server', async () => {
    const { code, stderr } = await conformance(['run'], { ...here, env: keys });
    const line = 'CONFORMANCE_SELLER_KEY: needs a target; name one with --target or --base-url';
    expect([code, stderr]).toEqual([2, `conformance: ${line}\n`]);
  });

  test('a missing folder for temporary files, before anything starts', async () => {
    // The loader would create the folder for its own cache.
    const env = { TMPDIR: join(folder, 'none'), TSX_DISABLE_CACHE: '1' };
    const run = await conformance(['run', '--only', 'AUTH-01', '--out', 'no-tmp'], { ...here, env });
    const found = `conformance: TMPDIR: cannot create a temporary folder in ${env.TMPDIR} (ENOENT); `;
    expect(run).toEqual({ code: 2, stdout: '', stderr: `${found}set TMPDIR to a folder that can be written\n` });
    expect(existsSync(join(folder, 'no-tmp'))).toBe(false);
  });

  test('a target file named by CONFORMANCE_TARGET that does not exist', async () => {
    const { code, stderr } = await conformance(['doctor'], { ...here, env: { CONFORMANCE_TARGET: 'none.yaml' } });
    const line = 'CONFORMANCE_TARGET: cannot read none.yaml (ENOENT); give the path of an existing target file';
    expect([code, stderr]).toEqual([2, `conformance: ${line}\n`]);
  });

  test.each([
    [['run', '--last-failed', 'a-file/below'], '--last-failed: a-file/below does not exist; name the folder of a run'],
    [['run', '--history', 'a-file/below'], '--history: cannot write to a-file/below (ENOTDIR); name a folder'],
    [['baseline', '--from', 'a-file/below', '--out', 'b.yaml'], '--from: a-file/below does not exist; name the folder'],
    [['merge', 'a-file/below'], '<dir>: a-file/below does not exist; name the folder of a run'],
    [['diff', 'a-file/below', 'odd'], '<old>: a-file/below does not exist; name the folder of a run'],
  ])('a path below a file: %j', async (args, line) => {
    const { code, stderr } = await conformance(args, here);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`conformance: ${line}`)]);
  });

  test('a folder that cannot be written', async () => {
    const { code, stderr } = await conformance(['run', '--out', 'a-file/below'], here);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^conformance: --out: cannot write to a-file\/below/)]);
  });

  test('a target file with a misspelt field and a variable that is not set', async () => {
    writeFileSync(
      join(folder, 'bad.yaml'),
      'baseUrl: http://127.0.0.1:1\nactors:\n  seller: { key: a, secret: ${NOT_SET} }\n',
    );
    const { code, stderr } = await conformance(['doctor', '--target', 'bad.yaml'], here);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'conformance: bad.yaml:3: actors.seller.secret: the environment variable NOT_SET is not set; set it, or use another variable\n',
    );
  });

  test('a closed port, for run and for doctor, without a file in the folder', async () => {
    const baseUrl = DEAD_URL;
    const run = await conformance(['run', '--base-url', baseUrl, '--out', 'dead'], { ...here, env: keys });
    const doctor = await conformance(['doctor', '--base-url', baseUrl], { ...here, env: keys });
    for (const { code, stdout, stderr } of [run, doctor]) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`^conformance: baseUrl: no response from ${baseUrl}`));
      expect(stderr).not.toContain(SECRET);
    }
    expect(existsSync(join(folder, 'dead', 'evidence.jsonl'))).toBe(false);
    expect(existsSync(join(folder, 'dead', 'report.json'))).toBe(false);
  });
});

describe('the catalogue on the command line', () => {
  test('is listed with its statements', async () => {
    const { code, stdout } = await conformance(['list', '--profile', 'smoke', '--only', 'life']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^LIFE-01 \(required\) \S/m);
    expect(stdout).toMatch(/^ {2}LIFE-01\.submitted-\w+ +\S/m);
    expect(stdout).toMatch(/^\d+ checks of the profile smoke; they detect \d+ % of the known defects$/m);
  });

  test('is listed for the union of several --only values', async () => {
    const { stdout } = await conformance(['list', '--only', 'LIFE-10', '--only', 'VER-01,RATE-04']);
    const ids = [...stdout.matchAll(/^([A-Z]+-\d+) /gm)].map(([, id]) => id);
    expect(ids.toSorted()).toEqual(['LIFE-10', 'RATE-04', 'VER-01']);
  });

  test('is listed as ids, one per line', async () => {
    const said: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text));
    onTestFinished(() => void vi.restoreAllMocks());
    await listCommand.parseAsync(['--ids'], { from: 'user' });
    expect(said.join('\n').split('\n')).toEqual([...checkCatalogue.keys()]);
  });

  test('is explained by check or by requirement, in upper or lower case', async () => {
    const { code, stdout } = await conformance(['explain', 'life-02.DRAFT-approve']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^LIFE-02 {2}\S/);
    expect(stdout).toMatch(/^ {2}usual fix {5}Check and change the state in one statement/m);
    expect(stdout).toMatch(/needs: .*approve/);
    expect(stdout).toMatch(/profiles: .*full/);
    expect(stdout).not.toContain('LIFE-02.draft-cancel');
    expect(stdout).toMatch(/^ {2}page {10}docs\/requirements\/lifecycle\.md#life-02-draft-approve$/m);
    const requirement = await conformance(['explain', 'life-02']);
    expect(requirement.stdout.trimEnd().split('\n').at(-1)).toBe(
      '  page          docs/requirements/lifecycle.md#life-02',
    );
  });
});

test('init does not overwrite a file', async () => {
  writeFileSync(join(folder, 'new.yaml'), 'mine');
  const { code, stderr } = await conformance(['init', 'new.yaml'], here);
  expect([code, stderr]).toEqual([2, expect.stringContaining('new.yaml: already exists')]);
  expect(readFileSync(join(folder, 'new.yaml'), 'utf8')).toBe('mine');
});
