import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allFaults } from '../../../reference/faults/all.ts';
import { startReference } from '../../../reference/service/start.ts';
import { conformance, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

const WORDS = ['--reason', 'Being corrected', '--issue', 'https://issues.example.com/1', '--owner', 'billing'];
const EXPIRES = ['--expires', '2099-12-31'];
const CHECK = 'LIFE-02.approved-cancel';
const baseline = join(folder, 'baseline.yaml');
const out = (name: string) => join(folder, name);

let broken: Awaited<ReturnType<typeof startReference>>;
let healthy: Awaited<ReturnType<typeof startReference>>;

beforeAll(async () => {
  const fault = allFaults.find(({ id }) => id === 'life-approved-cancel-allowed') ?? expect.fail('no such fault');
  broken = await startReference(fault);
  healthy = await startReference();
  for (const [name, server] of Object.entries({ broken, healthy }))
    writeFileSync(out(`${name}.json`), JSON.stringify(server.target));
});
afterAll(async () => {
  await broken.close();
  await healthy.close();
});

function run(server: 'broken' | 'healthy', name: string, ...options: string[]) {
  return conformance([
    'run',
    '--target',
    out(`${server}.json`),
    '--only',
    'LIFE-02.approved-cancel,LIFE-01',
    '--out',
    out(name),
    ...options,
  ]);
}

describe('conformance baseline', () => {
  it('turns a failed run into one that passes the gate, until the server is corrected', async () => {
    expect((await run('broken', 'first')).code).toBe(1);
    const lacking = await conformance(['baseline', '--from', out('first'), '--out', baseline, ...WORDS]);
    expect(lacking.code).toBe(2);
    expect(lacking.stderr).toBe(
      `conformance: --expires: missing; write it for 1 failure without an entry (${CHECK})\n`,
    );
    expect(existsSync(baseline)).toBe(false);

    const written = await conformance(['baseline', '--from', out('first'), '--out', baseline, ...WORDS, ...EXPIRES]);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(written.stdout).toBe(`${baseline}: 1 added, 0 kept, 0 removed\n  added    ${CHECK}\n`);

    const gated = await run('broken', 'second', '--baseline', baseline, '--format', 'junit');
    expect(gated.code).toBe(0);
    expect(gated.stdout).toContain(`gate passed: 1 known failure (${CHECK})`);
    expect(reportIn(out('second'))).toMatchObject({
      verdict: 'non-conformant',
      exitCode: 0,
      gate: { result: 'passed' },
    });
    expect(readFileSync(join(out('second'), 'junit.xml'), 'utf8')).toContain('failures="0"');
    const again = await conformance(['report', out('second')]);
    expect(again.code).toBe(0);

    const corrected = await run('healthy', 'third', '--baseline', baseline);
    expect(corrected.code).toBe(1);
    expect(corrected.stdout).toContain(`${CHECK} passes now; remove the entry and close https://issues.example.com/1`);
    const updated = await conformance(['baseline', '--from', out('third'), '--out', baseline]);
    expect(updated.stdout).toBe(`${baseline}: 0 added, 0 kept, 1 removed\n  removed  ${CHECK} (passes now)\n`);
    expect((await run('healthy', 'fourth', '--baseline', baseline)).code).toBe(0);
  });

  it('writes JSON into a new file that is named so', async () => {
    expect((await run('broken', 'as-json')).code).toBe(1);
    const file = out('new.json');
    const written = await conformance(['baseline', '--from', out('as-json'), '--out', file, ...WORDS, ...EXPIRES]);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ knownFailures: [{ id: CHECK, owner: 'billing' }] });
  });

  it('rejects a date that has passed, a folder without a run, and a run without failures', async () => {
    const past = await conformance(['baseline', '--from', folder, '--out', baseline, '--expires', '2020-01-01']);
    expect(past).toMatchObject({
      code: 2,
      stderr: 'conformance: --expires: found 2020-01-01, which has passed; write a later date\n',
    });
    const empty = await conformance(['baseline', '--from', folder, '--out', baseline]);
    expect(empty).toMatchObject({
      code: 2,
      stderr: `conformance: --from: ${folder} contains no evidence.jsonl; name the folder of a run\n`,
    });
    expect((await conformance(['baseline', '--from', folder, '--out', baseline, '--issue', 'BILL-1'])).stderr).toBe(
      'conformance: --issue: found "BILL-1"; write an http or https link\n',
    );
  });
});
