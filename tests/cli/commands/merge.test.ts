import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allFaults } from '../../../reference/faults/all.ts';
import { startReference } from '../../../reference/service/start.ts';
import { conformance, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

/** The last two compare the number of invoices, which other shards change. */
const AREAS = 'AUTH-01,LIFE-02,IDEM-01,ERR-01,REC-01,LIST-02.counts-creations,CREATE-03.total-unchanged';
const SHARDS = ['1/2', '2/2'];
const out = (name: string) => join(folder, name);
const shardFolder = (shard: string) => out(`shard-${shard[0]}`);

let server: Awaited<ReturnType<typeof startReference>>;

beforeAll(async () => {
  // Its failure blocks checks of other shards.
  server = await startReference(allFaults.find(({ id }) => id === 'life-approved-cancel-allowed'));
  writeFileSync(out('target.json'), JSON.stringify({ ...server.target, allow: {} }));
  await Promise.all(SHARDS.map((shard) => runShard(shard, shardFolder(shard))));
});
afterAll(() => server.close());

function run(folderName: string, ...options: string[]) {
  return conformance([
    'run',
    '--target',
    out('target.json'),
    '--only',
    AREAS,
    '--out',
    folderName,
    '--quiet',
    ...options,
  ]);
}

function runShard(shard: string, folderName: string) {
  return run(folderName, '--shard', shard, '--seed', '7');
}

function merge(...args: string[]) {
  return conformance(['merge', ...args]);
}

function verdictsIn(name: string): Record<string, string> {
  return Object.fromEntries(reportIn(name).checks.map(({ id, verdict }) => [id, verdict]));
}

describe('conformance merge', () => {
  it('joins the shards of one sandbox into the verdicts of a single run', async () => {
    const shards = SHARDS.map((shard) => reportIn(shardFolder(shard)));
    for (const { summary } of shards) expect(summary.exchanges).toBeGreaterThan(100);
    expect(shards.map(({ headline }) => headline)).toEqual([
      expect.stringContaining('shard 1 of 2 of profile full'),
      expect.stringContaining('shard 2 of 2 of profile full'),
    ]);
    const merged = await merge(...SHARDS.map(shardFolder), '--out', out('merged'), '--format', 'json,html,junit');
    expect(merged).toMatchObject({ code: 1, stderr: '' });
    expect(merged.stdout).toContain(`run --target <your target file> --last-failed ${out('merged')}`);
    expect((await run(out('whole'), '--seed', '7')).code).toBe(1);
    // A failure blocks checks that have not begun yet, so their verdicts depend on the time.
    const runs = [verdictsIn(out('merged')), verdictsIn(out('whole'))];
    const isBlocked = (id: string) => runs.some((verdicts) => verdicts[id] === 'blocked');
    const [joined, whole] = runs.map((verdicts) => Object.entries(verdicts).filter(([id]) => !isBlocked(id)));
    expect(joined).toEqual(whole);
    expect(joined).toContainEqual(['LIFE-02.approved-cancel', 'fail']);
    expect(joined).toContainEqual(['LIST-02.counts-creations', 'pass']);
    expect(joined).toContainEqual(['CREATE-03.total-unchanged', 'pass']);
    const report = reportIn(out('merged'));
    expect(report.run.shards?.map(({ index, of }) => `${index}/${of}`)).toEqual(SHARDS);
    expect(report.summary.exchanges).toBe(shards.reduce((sum, { summary }) => sum + summary.exchanges, 0));
  });

  it('does not compare the shards with themselves if they are merged again', async () => {
    for (let merged = 0; merged < 2; merged += 1) {
      const { code, stdout } = await merge(...SHARDS.map(shardFolder), '--out', out('again'), '--fail-on', 'new');
      expect(stdout).toMatch(/gate failed: \d+ new failures? /);
      expect(code).toBe(1);
    }
  });

  it('does not replace one of its shards', async () => {
    const [first = ''] = SHARDS.map(shardFolder);
    expect(await merge(...SHARDS.map(shardFolder), '--out', join(first, '.'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out: '),
    });
    expect(reportIn(first).run.shard).toEqual({ index: 1, of: 2 });
  });

  it('accepts the known failures of a baseline', async () => {
    const baseline = out('baseline.yaml');
    const entry = {
      id: 'LIFE-02',
      reason: 'known',
      issue: 'https://issues.example.com/1',
      owner: 'billing',
      expires: '2099-12-31',
    };
    writeFileSync(baseline, JSON.stringify({ knownFailures: [entry] }));
    const gated = await merge(...SHARDS.map(shardFolder), '--out', out('gated'), '--baseline', baseline);
    expect(gated.code).toBe(0);
    expect(gated.stdout).toContain('gate passed: ');
    expect(reportIn(out('gated')).verdict).toBe('non-conformant');
  });

  it('rejects a missing shard, a shard twice, and a run without --shard', async () => {
    const [one = '', two = ''] = SHARDS.map(shardFolder);
    expect(await merge(one, '--out', out('a'))).toMatchObject({
      code: 2,
      stderr: 'conformance: shard 2 of 2 is missing; name the folder of its run too (each shard needs its own --out)\n',
    });
    const twice = await merge(one, two, two, '--out', out('b'));
    expect(twice.stderr).toContain(`shard 2 of 2 is in ${two} and ${two}; name one of them`);
    const noShard = await merge(one, out('whole'), '--out', out('c'));
    expect(noShard.stderr).toBe(
      `conformance: ${out('whole')}: the run is no shard; name folders of runs with --shard\n`,
    );
    expect((await merge(folder)).stderr).toBe(
      `conformance: <dir>: ${folder} contains no evidence.jsonl; name the folder of a run\n`,
    );
    mkdirSync(out('odd/evidence.jsonl'), { recursive: true });
    expect(await merge(one, out('odd'))).toMatchObject({
      code: 2,
      stderr: `conformance: <dir>: ${out('odd')} contains no evidence.jsonl; name the folder of a run\n`,
    });
  });
});

describe('shards of different target files', () => {
  it.each([
    [
      'operations',
      { resolve: 'not-offered' },
      'list of operations that the target file declares not-offered is resolve',
    ],
    ['counterparties', { suspended: null }, 'digest of the target file is sha256:'],
  ])('are rejected if %s differ', async (field, change, message) => {
    const { target } = server;
    const other = { ...target, allow: {}, [field]: { ...target[field as 'operations'], ...change } };
    if ('suspended' in change) delete (other.counterparties as { suspended?: string }).suspended;
    writeFileSync(out('other.json'), JSON.stringify(other));
    const [one = ''] = SHARDS.map(shardFolder);
    const two = out(`other-${field}`);
    await conformance([
      'run',
      '--target',
      out('other.json'),
      '--only',
      AREAS,
      '--shard',
      '2/2',
      '--seed',
      '7',
      '--out',
      two,
      '--quiet',
    ]);
    const merged = await merge(one, two, '--out', out('mixed'));
    expect(merged.code).toBe(2);
    expect(merged.stderr).toContain(`${two}: the ${message}`);
    expect(merged.stderr).toContain('use the same target file');
  });
});

describe('the exceptions of a merged run', () => {
  const options = ['--only', 'RESET-01,RATE-04,AUTH-01', '--seed', '7', '--quiet'];
  const file = out('allowing.json');
  const judge = (name: string, allow: object, ...more: string[]) => {
    writeFileSync(file, JSON.stringify({ ...server.target, allow }));
    return conformance(['run', '--target', file, ...options, '--out', out(name), ...more]);
  };

  it('are those of all shards', async () => {
    for (const shard of SHARDS) await judge(`none-${shard[0]}`, {}, '--shard', shard);
    await merge(out('none-1'), out('none-2'), '--out', out('none'));
    await judge('none-whole', {});
    const [merged, whole] = [reportIn(out('none')), reportIn(out('none-whole'))];
    expect(new Set(merged.exceptions)).toEqual(new Set(whole.exceptions));
    expect(merged.excluded.map(({ check }) => check).sort()).toEqual(whole.excluded.map(({ check }) => check).sort());
  });

  it('name the checks that no shard may run', async () => {
    for (const shard of SHARDS) await judge(`all-${shard[0]}`, { reset: true, rateLimitProbe: true }, '--shard', shard);
    const { stdout } = await merge(out('all-1'), out('all-2'), '--out', out('all'));
    expect(reportIn(out('all')).exceptions).toEqual(
      expect.arrayContaining(['reset (not in shards)', 'rateLimitProbe (not in shards)']),
    );
    expect(stdout).toContain('judge it without --shard');
  });
});

describe('--shard', () => {
  it('needs a seed, and i and n', async () => {
    const seedless = await run(out('x'), '--shard', '1/3');
    expect(seedless).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--seed: missing; write the same --seed'),
    });
    for (const wrong of ['4/3', '3', '1/99'])
      expect((await runShard(wrong, out('x'))).stderr).toContain(
        `--shard: found "${wrong}"; write i/n with i from 1 to n`,
      );
  });
});
