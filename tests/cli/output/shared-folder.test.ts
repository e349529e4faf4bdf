import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { conformance, type Finished, patient, reportIn, temporaryFolder } from '../support/command.ts';
import { startGate } from '../support/gate.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const here = { cwd: folder };
const gates: Awaited<ReturnType<typeof startGate>>[] = [];
let service: RunningReference;
beforeAll(async () => {
  service = await startReference();
});
afterAll(async () => {
  await Promise.all(gates.map((gate) => gate.close()));
  await service.close();
  remove();
});

/** Starts a run of a few checks. The run stops at request `at` until the gate opens or the run is ended. */
async function heldRun(out: string, at: number) {
  const gate = await startGate(service.baseUrl, at);
  gates.push(gate);
  const file = `${out}.yaml`;
  const limits = { ...service.target.limits, requestTimeoutMs: 120_000 };
  writeFileSync(join(folder, file), stringify({ ...service.target, baseUrl: gate.baseUrl, limits }));
  let kill = (_: NodeJS.Signals): void => {};
  const args = ['run', '--target', file, '--only', 'AUTH-01', '--out', out, '--format', 'json'];
  const finished = conformance(args, { ...here, onStart: (send) => (kill = send) });
  await Promise.race([gate.reached, finished]);
  const ended = async (): Promise<Finished> => {
    gate.open();
    return finished;
  };
  return { args, kill, finished, ended, path: join(folder, out) };
}

/** The same run without a gate. */
async function anotherRun(out: string): Promise<Finished> {
  const { args, ended } = await heldRun(out, 10_000);
  await ended();
  return conformance(args, here);
}

describe.concurrent('a folder that a run writes to', () => {
  test('is rejected for a second run and for a report, and the first run continues', async () => {
    const first = await heldRun('busy', 12);
    const [second, report] = await Promise.all([conformance(first.args, here), conformance(['report', 'busy'], here)]);
    const evidence = readFileSync(join(first.path, 'evidence.jsonl'), 'utf8');
    const { code, stdout, stderr } = await first.ended();
    const pid = /process (\d+), started \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/.exec(second.stderr)?.[1];
    expect(second).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^conformance: --out: busy is being written by another run \(process .*\n$/),
    });
    expect(report).toMatchObject({ code: 2, stdout: '' });
    expect(report.stderr).toContain(`busy is being written by another run (process ${pid}, started `);
    expect(code, stderr + stdout).toBe(0);
    const told = reportIn(first.path);
    expect(evidence).toContain(told.run.id);
    expect([told.verdict, told.summary.executed]).toEqual(['passed', told.summary.selected]);
    expect(readdirSync(first.path).sort()).toEqual(['evidence.jsonl', 'report.json']);
  });

  test('is free after the run was killed, and the old files move aside', async () => {
    const first = await heldRun('killed', 12);
    first.kill('SIGKILL');
    await first.ended();
    expect(existsSync(join(first.path, 'run.lock'))).toBe(true);
    expect((await conformance(['report', 'killed'], here)).code).toBe(3);
    const { code, stderr } = await conformance(first.args, here);
    expect(code, stderr).toBe(0);
    expect(readdirSync(first.path).sort()).toEqual(['evidence.jsonl', 'previous', 'report.json']);
    expect(readdirSync(join(first.path, 'previous'))).toHaveLength(1);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('is free after %s', async (signal) => {
    const first = await heldRun(signal, 12);
    first.kill(signal);
    const { code } = await first.ended();
    expect(code).toBe(3);
    expect(readdirSync(first.path).sort()).toEqual(['evidence.jsonl', 'report.json']);
  });

  test('is free after a second signal ended the run at once', async () => {
    const first = await heldRun('twice', 12);
    const repeated = setInterval(() => first.kill('SIGINT'), 200);
    // The gate stays closed: otherwise the run could end before the first signal.
    const { code } = await first.finished.finally(() => clearInterval(repeated));
    // A signal may arrive while the process exits.
    expect([3, null]).toContain(code);
    expect(existsSync(join(first.path, 'run.lock'))).toBe(false);
  });

  test('uses only its own journal: a replaced journal is an internal error of the kit', async () => {
    const first = await heldRun('swapped', 12);
    const journal = join(first.path, 'evidence.jsonl');
    const text = readFileSync(journal, 'utf8');
    const id = /"run":\{"id":"([^"]+)"/.exec(text)?.[1] ?? '';
    writeFileSync(`${journal}.new`, text.replaceAll(id, '00000000-0000-4000-8000-000000000000'));
    renameSync(`${journal}.new`, journal);
    const { code, stdout, stderr } = await first.ended();
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(
      /^conformance: swapped\/evidence\.jsonl was changed by another process during the run \(it contains the run 0000/m,
    );
    expect(existsSync(join(first.path, 'report.json'))).toBe(false);
  });
});

test('a report.json of another program is not overwritten, by a run or by a report', async () => {
  expect((await anotherRun('mine')).code).toBe(0);
  const foreign = join(folder, 'foreign');
  cpSync(join(folder, 'mine', 'evidence.jsonl'), join(foreign, 'evidence.jsonl'), { recursive: true });
  writeFileSync(join(foreign, 'report.json'), '{"tests": 3}\n');
  for (const args of [
    ['run', '--out', 'foreign'],
    ['report', 'foreign'],
  ]) {
    const { code, stderr } = await conformance(args, here);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^conformance: (--out: )?foreign\/report\.json was not written by this kit and is not overwritten; .*\n$/,
      ),
    ]);
  }
  expect(readFileSync(join(foreign, 'report.json'), 'utf8')).toBe('{"tests": 3}\n');
  expect(readdirSync(foreign).sort()).toEqual(['evidence.jsonl', 'report.json']);
});

test('a run names the checks that the previous run in the folder judged and this run did not', async () => {
  const { revoked: _, ...actors } = service.target.actors;
  const run = (name: string, target: object) => {
    writeFileSync(join(folder, name), stringify(target));
    return conformance(['run', '--target', name, '--only', 'AUTH-02,AUTH-04', '--out', 'nightly'], here);
  };
  expect((await run('all.yaml', service.target)).code).toBe(0);
  const before = reportIn(join(folder, 'nightly'));
  const { code, stdout } = await run('fewer.yaml', { ...service.target, actors });
  const { coverage } = reportIn(join(folder, 'nightly'));
  expect([before.coverage, code]).toEqual([null, 3]);
  expect([coverage?.previous, coverage?.startedAt]).toEqual([before.run.id, before.run.startedAt]);
  const lost = coverage?.lost ?? [];
  expect(lost.map((one) => one.check)).toContain('AUTH-04.revoked');
  for (const one of lost) expect(one).toMatchObject({ before: 'pass', now: 'blocked', reason: expect.any(String) });
  expect(stdout).toMatch(/^\d+ checks? passed in the previous run and (was|were) not judged in this run: AUTH-0/m);
});

test.each([
  ['cannot be read', '"seed":', '"sead":'],
  // A gate that fails only on new failures would accept a failure that this edit invents.
  ['was edited', '"verdict":"pass"', '"verdict":"fail"'],
])('a journal of an earlier run that %s is named and does not stop the run', async (_, found, edited) => {
  expect((await anotherRun('odd')).code).toBe(0);
  const journal = join(folder, 'odd', 'evidence.jsonl');
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(found, edited));
  const { code, stderr } = await conformance(['run', '--only', 'AUTH-01', '--out', 'odd'], here);
  expect([code, reportIn(join(folder, 'odd')).coverage]).toEqual([0, null]);
  expect(stderr).toMatch(
    /^This run is not compared with the earlier one: odd\/previous\/\S+\/evidence\.jsonl, line \d+: the hash chain is broken: /m,
  );
});
