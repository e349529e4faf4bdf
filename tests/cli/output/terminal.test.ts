import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TestCase } from 'vitest/node';
import { Progress } from '../../../cli/output/progress.ts';
import { canAsk, handleBrokenPipes, hasColors, hasCursor } from '../../../cli/output/terminal.ts';
import type { CheckVerdict } from '../../../specs/verdicts.ts';
import { conformance, MAIN, node, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

describe('colours', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [undefined, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, false],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('with a terminal: %s, and %j: %s', (isTTY, env, expected) => {
    expect(hasColors({ isTTY }, env)).toBe(expected);
  });

  test('do not decide whether a line may be overwritten', () => {
    expect(hasCursor({ isTTY: true }, { NO_COLOR: '1' })).toBe(true);
    expect(hasCursor({ isTTY: false }, { FORCE_COLOR: '1' })).toBe(false);
  });

  test.each([
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '', NO_COLOR: '' }, false],
  ])('of the progress follow the same rule: %j', async (env, expected) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => {
      vi.unstubAllEnvs();
      said.mockRestore();
    });
    const progress = await Progress.create({ isTTY: false } as NodeJS.WriteStream, 1, 'normal');
    progress.onTestCaseResult(ended('AUTH-01.both-missing', 'fail'));
    expect(String(said.mock.calls[0]?.[0]).includes('\u001b[31m')).toBe(expected);
  });

  test('and cursor movements do not appear on a simple terminal', async () => {
    const terminal = 'data:text/javascript,process.stdout.isTTY=true';
    const run = ['run', '--only', 'AUTH-01', '--out', 'simple', '--quiet'];
    const { code, stdout } = await node(['--import', terminal, MAIN, ...run], { cwd: folder, env: { TERM: 'dumb' } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('\u001b') });
  });

  test('that are forced appear on the screen and in no file', async () => {
    const run = ['run', '--only', 'AUTH-01', '--out', 'colours'];
    const { stdout } = await conformance(run, { cwd: folder, env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[');
    const again = await conformance(['report', 'colours'], { cwd: folder, env: { FORCE_COLOR: '1' } });
    expect(again.stdout).toContain('\u001b[');
    const files = readdirSync(join(folder, 'colours'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.\w+$/.test(name),
    );
    expect(files.length).toBeGreaterThan(4);
    for (const name of files) expect(readFileSync(join(folder, 'colours', name), 'utf8'), name).not.toContain('\u001b');
  });
});

function ended(id: string, verdict: CheckVerdict): TestCase {
  const conformance = { id, verdict, reason: verdict === 'pass' ? '' : 'a reason', durationMs: 12 };
  return { name: `${id} A title`, meta: () => ({ conformance }) } as unknown as TestCase;
}

test.each([
  ['quiet', []],
  ['normal', ['fail  AUTH-01.both-missing  a reason']],
  ['verbose', ['pass    AUTH-02.unknown  12 ms', 'fail    AUTH-01.both-missing  a reason']],
] as const)('the progress is %s', async (detail, lines) => {
  vi.stubEnv('NO_COLOR', '1');
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    said.mockRestore();
  });
  const progress = await Progress.create({ isTTY: false } as NodeJS.WriteStream, 2, detail);
  progress.onTestCaseResult(ended('AUTH-02.unknown', 'pass'));
  progress.onTestCaseResult(ended('AUTH-01.both-missing', 'fail'));
  expect(said.mock.calls.map(([line]) => line)).toEqual(lines);
});

test.each([
  [20, 20, 'fail  CHECK.19  a reason'],
  [23, 21, 'the summary shows further failures and warnings'],
])('of %i failures, the progress prints %i lines', async (failures, lines, last) => {
  vi.stubEnv('NO_COLOR', '1');
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    said.mockRestore();
  });
  const progress = await Progress.create({ isTTY: false } as NodeJS.WriteStream, failures, 'normal');
  for (let at = 0; at < failures; at += 1) progress.onTestCaseResult(ended(`CHECK.${at}`, 'fail'));
  expect([said.mock.calls.length, said.mock.calls.at(-1)?.[0]]).toEqual([lines, last]);
});

/** Runs a command line with its output piped to another program, as in a shell. Returns its exit code and stderr. */
function piped(args: string, reader: string): Promise<{ code: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const command = `{ "${process.execPath}" "${MAIN}" ${args}; echo "code $?" >&3; } 3>&2 | ${reader}`;
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn('sh', ['-c', command], {
      cwd: folder,
      env: { PATH, HOME },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve({ code: /^code (\d+)$/m.exec(stderr)?.[1] ?? '', stderr }));
  });
}

describe.runIf(existsSync('/dev/full')).concurrent('an output that cannot be written', () => {
  test.each(['list', 'list --ids', 'explain LIFE-02', '--help'])('prevents exit 0 of %s', async (args) => {
    const { code, stderr } = await piped(`${args} > /dev/full`, 'cat');
    const line = 'conformance: standard output cannot be written (ENOSPC)';
    expect([code, stderr]).toEqual(['4', `${line}\ncode 4\n`]);
  });

  test('for messages only does not change the exit code', async () => {
    const { code } = await piped('list 2> /dev/full', 'cat');
    expect(code).toBe('0');
  });
});

describe.concurrent('a reader that closes the pipe early', () => {
  test.each([
    ['list', 'head -1'],
    ['list --ids', 'true'],
    ['--help', 'true'],
    ['explain LIFE-02', 'true'],
  ])('%s | %s ends quietly', async (args, reader) => {
    const { code, stderr } = await piped(args, reader);
    expect([code, stderr]).toEqual(['0', 'code 0\n']);
  });

  test('and a closed terminal do not end the command; only an incomplete result does', () => {
    const spies = [process.stderr, process.stdout].map((stream) => vi.spyOn(stream, 'on').mockReturnThis());
    handleBrokenPipes();
    const [ofStderr, ofStdout] = spies.map((spy) => spy.mock.calls[0]?.[1] as (error: Error) => void);
    for (const each of spies) each.mockRestore();
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const failure = (code: string) => Object.assign(new Error(code), { code });
    for (const code of ['EPIPE', 'EIO', 'ENOSPC']) ofStderr?.(failure(code));
    for (const code of ['EPIPE', 'EIO']) ofStdout?.(failure(code));
    const early = exit.mock.calls.length;
    ofStdout?.(failure('ENOSPC'));
    const [codes, lines] = [exit.mock.calls, said.mock.calls];
    for (const each of [exit, said]) each.mockRestore();
    expect([early, codes]).toEqual([0, [[4]]]);
    expect(lines).toEqual([['conformance: standard output cannot be written (ENOSPC)\n']]);
  });

  test('does not stop a run', async () => {
    const { code, stderr } = await piped('run --only AUTH-01,LIFE-01 --out piped 2>&1', 'head -1');
    expect([code, stderr]).toEqual(['0', 'code 0\n']);
    expect(reportIn(join(folder, 'piped')).run.finishedAt).toMatch(/^20/);
    expect(existsSync(join(folder, 'piped', 'report.html'))).toBe(true);
  });
});

describe('questions', () => {
  const terminal = { isTTY: true };
  test.each([
    ['a terminal', { stdin: terminal, stdout: terminal }, {}, true],
    ['a terminal with CI=false', { stdin: terminal, stdout: terminal }, { CI: 'false' }, true],
    ['a terminal with an empty CI', { stdin: terminal, stdout: terminal }, { CI: '' }, true],
    ['a CI job', { stdin: terminal, stdout: terminal }, { CI: 'true' }, false],
    ['a pipe on stdin', { stdin: {}, stdout: terminal }, {}, false],
    ['a pipe on stdout', { stdin: terminal, stdout: {} }, {}, false],
  ])('in %s: %j %j %s', (_, streams, env, isAllowed) => {
    expect(canAsk(streams, env)).toBe(isAllowed);
  });
});
