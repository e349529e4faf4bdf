import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { packageRoot } from '../../../specs/code-location.ts';
import { kindsIn, node, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const REPORTS = join(packageRoot, 'reports');
const { folder, remove } = temporaryFolder();
const target = join(folder, 'target.yaml');
let service: RunningReference;

beforeAll(async () => {
  service = await startReference();
  writeFileSync(target, stringify(service.target));
});
afterAll(async () => {
  await service.close();
  remove();
});

function vitest(env: Record<string, string>, ...more: string[]) {
  const reporter = more.includes('--reporter') ? [] : ['--reporter', 'verbose'];
  return node([VITEST, 'run', '--project', 'conformance', ...reporter, ...more], {
    cwd: packageRoot,
    env: { NO_COLOR: '1', ...env },
  });
}

/** The folders of editor runs against the service of this test. */
function ownRuns(): string[] {
  if (!existsSync(REPORTS)) return [];
  return readdirSync(REPORTS)
    .filter((name) => name.startsWith('editor-'))
    .map((name) => join(REPORTS, name))
    .filter((path) => existsSync(join(path, 'evidence.jsonl')))
    .filter((path) => readFileSync(join(path, 'evidence.jsonl'), 'utf8').slice(0, 2000).includes(service.baseUrl));
}

describe('vitest on the suites, as an editor starts it', () => {
  test('judges the target that an environment variable names, and writes its evidence', async () => {
    onTestFinished(() => {
      for (const path of ownRuns()) rmSync(path, { recursive: true });
    });
    const { code, stdout, stderr } = await vitest({ CONFORMANCE_TARGET: target, CONFORMANCE_ONLY: 'AUTH-01,AUTH-06' });
    expect(code, stdout + stderr).toBe(0);
    // By area and requirement.
    expect(stdout).toMatch(/ > authentication > AUTH-01 \S.* > AUTH-01\.both-missing \S/);
    expect(stdout).toMatch(/ > authentication > AUTH-06 \S.* > AUTH-06\.no-code \S/);
    const [run = '', ...others] = ownRuns();
    expect(others).toEqual([]);
    expect(kindsIn(run).at(-1)).toBe('footer');
  });

  test('shows no check that passed as slow', async () => {
    onTestFinished(() => {
      for (const path of ownRuns()) rmSync(path, { recursive: true });
    });
    const env = { CONFORMANCE_TARGET: target, CONFORMANCE_ONLY: 'LIFE-01,ERR-04' };
    const { code, stdout, stderr } = await vitest(env, '--reporter', 'default');
    expect(code, stdout + stderr).toBe(0);
    // The default reporter lists checks that failed or were slow.
    expect(stdout).not.toContain('LIFE-01');
    expect(stdout).not.toContain('ERR-04');
  });

  test('performs one check alone, even one that waits for all others', async () => {
    onTestFinished(() => {
      for (const path of ownRuns()) rmSync(path, { recursive: true });
    });
    const env = { CONFORMANCE_TARGET: target, CONFORMANCE_PROFILE: 'smoke' };
    const { code, stdout, stderr } = await vitest(env, '-t', 'ERR-04.message');
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/ERR-04\.message .*\[blocked: the run received no response that this rule applies to/);
    const [run = ''] = ownRuns();
    expect(kindsIn(run).filter((kind) => kind === 'check')).toHaveLength(1);
  });

  test('prints one line about a wrong entry', async () => {
    const before = ownRuns();
    const { code, stdout, stderr } = await vitest({ CONFORMANCE_TARGET: target, CONFORMANCE_ONLY: 'AUTH-99' });
    expect(code).not.toBe(0);
    const lines = (stdout + stderr).split('\n').filter((line) => line.includes('CONFORMANCE_ONLY'));
    expect(lines).toEqual([
      expect.stringMatching(/^conformance: CONFORMANCE_ONLY: AUTH-99 names no check, requirement or area/),
    ]);
    expect(stdout + stderr).not.toMatch(/❯ .*\.ts:\d+/);
    expect(ownRuns()).toEqual(before);
  });
});
