import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { allFaults } from '../../../reference/faults/all.ts';
import { startReference } from '../../../reference/service/start.ts';
import { conformance, patient, reportIn, temporaryFolder } from '../support/command.ts';
import { startGate } from '../support/gate.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const servers: { close(): Promise<unknown> }[] = [];
afterAll(remove);
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const CHECK = 'LIFE-02.approved-cancel';
const FAULT = allFaults.find(({ id }) => id === 'life-approved-cancel-allowed');
const history = join(folder, 'history');
const out = join(folder, 'out');

/** One night: a run against a server with or without the fault. */
async function night(fault: typeof FAULT | undefined, ...options: string[]) {
  return await nightIn(history, fault, ...options);
}

async function nightIn(where: string, fault: typeof FAULT | undefined, ...options: string[]) {
  const server = await startReference(fault);
  servers.push(server);
  const target = join(folder, 'target.json');
  writeFileSync(target, JSON.stringify(server.target));
  return await conformance([
    'run',
    '--target',
    target,
    '--only',
    CHECK,
    '--history',
    where,
    '--fail-on',
    'new',
    '--out',
    out,
    ...options,
  ]);
}

describe('--history', () => {
  it('names the failures that are new since the last night, keeps each report, and removes the oldest', async () => {
    expect((await night(undefined)).code).toBe(0);
    const second = await night(FAULT);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain(`since the previous run, 1 new failure: ${CHECK}`);
    const third = await night(FAULT, '--keep', '3');
    expect(third.code).toBe(0);
    expect(third.stdout).toMatch(/history since .* UTC: 1 still failing \(first failure: /);
    expect(third.stdout).toContain(`gate passed: 1 failure that is not new (${CHECK})`);
    expect(reportIn(out).verdict).toBe('non-conformant');
    const fourth = await night(undefined, '--keep', '3');
    expect(fourth.stdout).toContain(`since the previous run, 1 fixed: ${CHECK}`);
    const kept = readdirSync(history)
      .filter((name) => name !== 'changes.json' && name !== 'history.html')
      .sort();
    expect(kept).toHaveLength(3);
    const [, before = '', last = ''] = kept.map((name) => join(history, name));
    const diff = await conformance(['diff', before, last]);
    expect(diff.stdout).toMatch(
      /^since .* UTC: 1 fixed \(LIFE-02.approved-cancel\).*\nfixed +LIFE-02.approved-cancel\n/,
    );
    const page = readFileSync(join(history, 'history.html'), 'utf8');
    for (const name of kept) expect(page).toContain(`href="${name}/report.html#LIFE-02"`);
    const html = join(folder, 'diff.html');
    expect((await conformance(['diff', before, last, '--html', html])).stdout).toBe(diff.stdout);
    expect(readFileSync(html, 'utf8')).toContain(`href="history/${basename(last)}/report.html#${CHECK}"`);
    const sameRun = await conformance(['diff', out, last, '--json']);
    expect(JSON.parse(sameRun.stdout)).toMatchObject({ newFailures: [], fixed: [], lost: [], drift: [] });
    expect(sameRun.stderr).toBe(`Note: ${last} is the same run as ${out}.\n`);
    expect((await conformance(['diff', folder, last])).stderr).toContain('conformance: <old>: ');
    const whole = await conformance(['diff', before, history]);
    expect(whole).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`<new>: ${history} is a history; name one`),
    });
    const again = await conformance(['run', '--target', join(folder, 'target.json'), '--last-failed', last]);
    expect(again).toMatchObject({
      code: 2,
      stderr: `conformance: --last-failed: ${last} is a run of the history ${history}; name the history, or the folder of --out\n`,
    });
    expect(await conformance(['report', last])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`conformance: ${last}: is a run of a history, whose report is `),
    });
    for (const name of kept)
      expect(readdirSync(join(history, name)).sort()).toEqual([
        ...['changes.json', 'night.json.gz', 'report.html', 'report.json.gz'],
      ]);
  });

  it('rejects a folder with other files, and --keep without a history', async () => {
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'readme.md'), '');
    const target = join(folder, 'unused.json');
    const server = await startReference();
    servers.push(server);
    writeFileSync(target, JSON.stringify(server.target));
    const run = (...options: string[]) => conformance(['run', '--target', target, '--only', CHECK, ...options]);
    expect(await run('--history', docs, '--out', out)).toMatchObject({
      code: 2,
      stderr: `conformance: --history: ${docs} contains other files (readme.md) and no run; name an empty folder, or the folder of a history\n`,
    });
    expect(readdirSync(docs)).toEqual(['readme.md']);
    expect(await run('--history', target, '--out', out)).toMatchObject({
      code: 2,
      stderr: `conformance: --history: ${target} is a file; name a folder\n`,
    });
    expect(await run('--history', 'nights', '--out', 'nights')).toMatchObject({
      code: 2,
      stderr: 'conformance: --history: nights is the folder of --out as well; name another folder\n',
    });
    expect(await run('--keep', '3')).toMatchObject({
      code: 2,
      stderr: 'conformance: --keep: needs a history; add --history DIR, or remove --keep\n',
    });
    expect(await run('--budget', '500', '--max-requests', '300')).toMatchObject({
      code: 2,
      stderr:
        'conformance: --budget: found 500, but --max-requests allows 300 requests; remove --max-requests, because --budget limits the requests as well\n',
    });
  });

  it('rejects a run while another one uses it, and the history of another target', async () => {
    const server = await startReference();
    const gate = await startGate(server.target.baseUrl, 1);
    servers.push(server, gate);
    const target = join(folder, 'held.json');
    writeFileSync(target, JSON.stringify({ ...server.target, name: 'Held', baseUrl: gate.baseUrl }));
    const run = (name: string, where: string) =>
      conformance(['run', '--target', target, '--only', CHECK, '--out', join(folder, name), '--history', where]);
    const other = await run('other', history);
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--history: .* contains runs against .*; name another folder/),
    });
    const shared = join(folder, 'shared');
    const first = run('first', shared);
    await gate.reached;
    const second = await run('second', shared);
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--history: .* is being written by another run/),
    });
    expect(existsSync(join(folder, 'second'))).toBe(false);
    gate.open();
    expect((await first).code).toBe(0);
  });

  it.each(['history.html', 'changes.json'])(
    'says that the history contains the run if only %s cannot be written',
    async (file) => {
      const odd = join(folder, `odd-${file}`);
      mkdirSync(join(odd, file), { recursive: true });
      const { code, stderr } = await nightIn(odd, undefined);
      expect(code).toBe(4);
      expect(stderr).toContain(`${file} (EISDIR); the history contains this run, and the next run tries again`);
      const kept = readdirSync(odd).filter((name) => !['changes.json', 'history.html'].includes(name));
      expect(kept).toHaveLength(1);
      const [run = ''] = kept.map((name) => join(odd, name));
      expect(await nightIn(run, undefined)).toMatchObject({
        code: 2,
        stderr: `conformance: --history: ${run} is a run of a history; name its folder, ${odd}\n`,
      });
    },
  );

  it('removes what a killed run left while it added itself', async () => {
    const left = join(folder, 'left');
    const drafts = ['new-2026-11-27T02-00-00.000Z-1f0c9a3e', 'history.html.4711.tmp'];
    mkdirSync(join(left, drafts[0] ?? ''), { recursive: true });
    mkdirSync(join(left, 'new-ideas'));
    writeFileSync(join(left, drafts[1] ?? ''), '<p>');
    expect(await nightIn(left, undefined)).toMatchObject({ code: 0 });
    const names = readdirSync(left);
    expect(names.filter((name) => drafts.includes(name))).toEqual([]);
    expect(names).toContain('new-ideas');
  });

  it('rejects a run of the future, which would count as the last one', async () => {
    const late = join(folder, 'late');
    expect((await nightIn(late, undefined)).code).toBe(0);
    const [name = ''] = readdirSync(late).filter((each) => /^2\d{3}-/.test(each));
    const file = join(late, name, 'night.json.gz');
    const night = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { run: { startedAt: string } };
    night.run.startedAt = '2999-11-27T02:00:00.000Z';
    writeFileSync(file, gzipSync(JSON.stringify(night)));
    const before = readdirSync(late);
    expect(await nightIn(late, undefined)).toMatchObject({
      code: 2,
      stderr: `conformance: --history: the run in ${join(late, name)} began in the future, so a clock was wrong; correct the clock of this machine, or remove ${join(late, name)}\n`,
    });
    expect(readdirSync(late)).toEqual(before);
  });

  it('rejects a night that is not readable', async () => {
    const broken = join(folder, 'broken');
    mkdirSync(join(broken, '2026-11-27T02-00-00.000Z-1f0c9a3e'), { recursive: true });
    const { code, stderr } = await conformance(['run', '--history', broken, '--out', out]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('night.json.gz is missing; remove '),
    });
  });
});
