import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeCommand } from '../../../cli/commands/merge.ts';
import { runCommand } from '../../../cli/commands/run.ts';
import { formatNames } from '../../../cli/options/formats-option.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  allScripts,
  findScript,
  githubSteps,
  readCiFile,
  readYaml,
  runWithFakeKit,
  temporaryFolder,
} from './support.ts';

const KIT_OPTIONS = runCommand.options.map(({ long }) => long ?? '');
const MERGE_OPTIONS = mergeCommand.options.map(({ long }) => long ?? '');
const NPM_OPTIONS = ['--yes', '--silent', '--no-audit', '--no-fund', '--prefix'];

const scripts = allScripts();
/** The scripts, and the options that the workflows pass to the action. */
const texts = [...scripts.map(({ text }) => text), ...githubSteps().map(({ step }) => step.with?.arguments ?? '')];

describe('the scripts', () => {
  test('are found in each file', () => {
    expect(scripts.map(({ name }) => name)).toEqual([
      'github/conformance.yml',
      'github/action.yml',
      ...['merge-request', 'shard', 'merge', 'nightly'].map((job) => `conformance:${job}`),
      ...['Jenkinsfile', 'Jenkinsfile', 'Jenkinsfile'],
      ...['conformance-shards', 'conformance-merge', 'conformance-nightly'],
    ]);
  });

  test.each(scripts)('of $name can be parsed', ({ shell, text }) => {
    expect(spawnSync(shell, ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
  });

  test('with a syntax error are detected', () => {
    const input = findScript('github/action.yml').text.replace('fi\n', '\n');
    expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).toContain('syntax error');
  });

  test('use only options of the kit and of npm', () => {
    const options = texts.flatMap((text) => [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option));
    expect(options.length).toBeGreaterThan(40);
    expect(options.filter((option) => ![...KIT_OPTIONS, ...NPM_OPTIONS].includes(option))).toEqual([]);
  });

  test('pass only options of merge to merge', () => {
    const merges = texts.flatMap((text) => text.match(/\bmerge (?:"|\/|shards)[^\n|)]*/g) ?? []);
    expect(merges).toHaveLength(3);
    const options = merges.flatMap((line) => line.match(/--[a-z-]+/g) ?? []);
    expect(options.filter((option) => !MERGE_OPTIONS.includes(option))).toEqual([]);
  });

  test('name formats and profiles of the kit', () => {
    const { variables } =
      readYaml<Record<string, { variables: { FORMATS: string } }>>('gitlab/gitlab-ci.yml')['.conformance'] ?? {};
    expect(variables?.FORMATS.split(',').filter((name) => !formatNames.some((format) => format === name))).toEqual([]);
    const profiles = texts.flatMap((text) => [...text.matchAll(/--profile ([a-z-]+)/g)].map(([, name]) => name));
    expect(new Set(profiles)).toEqual(new Set(['full']));
  });
});

test.each([
  'github/action.yml',
  'gitlab/gitlab-ci.yml',
  'jenkins/Jenkinsfile',
  'kubernetes/shards-job.yaml',
  'kubernetes/nightly-cronjob.yaml',
])('%s uses the version of this package', (file) => {
  const minor = packageJson.version.split('.').slice(0, 2).join('.');
  const text = readCiFile(file);
  const named = [...text.matchAll(/invoicing-network-conformance@(\d[\w.]*)/g)].map(([, version]) => version);
  const versions = file === 'github/action.yml' ? [/default: "(\d[\d.]*)"/.exec(text)?.[1]] : named;
  expect(new Set(versions)).toEqual(new Set([minor]));
});

describe('the policy for exit code 3 on Kubernetes', () => {
  test.each([
    ['conformance-merge', 'fail', [0, 1, 2, 3, 4]],
    ['conformance-merge', 'warn', [0, 1, 2, 0, 4]],
    ['conformance-nightly', 'fail', [0, 1, 2, 3, 4]],
    ['conformance-nightly', 'warn', [0, 1, 2, 0, 4]],
  ])('%s, %s', (name, policy, expected) => {
    const folder = temporaryFolder();
    const codes = [0, 1, 2, 3, 4].map((exitCode) =>
      runWithFakeKit(findScript(name), folder, { exitCode, env: { INCONCLUSIVE: policy } }),
    );
    expect(codes.map(({ exitCode }) => exitCode)).toEqual(expected);
  });
});

test('a shard on Kubernetes judges its part, without the report of an earlier Job', () => {
  const folder = temporaryFolder();
  const earlier = join(folder, 'reports/shards/3');
  mkdirSync(earlier, { recursive: true });
  writeFileSync(join(earlier, 'report.json'), '{}');
  const env = { JOB_COMPLETION_INDEX: '2', SEED: '1' };
  const { exitCode, words } = runWithFakeKit(findScript('conformance-shards'), folder, { exitCode: 1, env });
  expect(exitCode).toBe(1);
  expect(words.slice(-6)).toEqual(['--shard', '3/4', '--seed', '1', '--out', earlier]);
  expect(existsSync(earlier)).toBe(false);
});

test.each([
  [
    'conformance:shard',
    { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4', CI_PIPELINE_IID: '17' },
    ['--shard', '2/4', '--seed', '17', '--out', 'shards/2'],
  ],
  ['conformance:merge', {}, ['merge', 'shards/1', 'shards/2', '--out', 'reports/main']],
])('%s on GitLab passes %j as %j', (name, env, expected) => {
  const folder = temporaryFolder();
  for (const shard of [1, 2]) mkdirSync(join(folder, `shards/${shard}`), { recursive: true });
  const { words } = runWithFakeKit(findScript(name), folder, { exitCode: 0, env: { TARGET: 't', ...env } });
  expect(words.slice(-expected.length)).toEqual(expected);
});

test('the message for a pull request from a fork is a warning and a summary', () => {
  const folder = temporaryFolder();
  const env = { GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  const { exitCode, output } = runWithFakeKit(findScript('github/conformance.yml'), folder, { exitCode: 0, env });
  expect(exitCode).toBe(0);
  expect(output).toMatch(/^::warning title=Conformance::Not judged: /);
  expect(existsSync(env.GITHUB_STEP_SUMMARY)).toBe(true);
});
