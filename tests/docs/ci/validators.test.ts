import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
// @ts-expect-error: The package has no types.
import { schema } from 'gitlab-ci-local/src/schema/schema.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { kubernetesProblems } from './kubernetes-problems.ts';
import { githubProblems } from './language-service.ts';
import { parseYaml, readCiFile } from './support.ts';

const require = createRequire(import.meta.url);

/** Fails the test if the text is not there. */
function mutate(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

/** The place of a file of docs/ci/github in a repository that uses it. */
function pathInRepository(name: string): string {
  return name === 'action.yml' ? '.github/actions/conformance/action.yml' : `.github/workflows/${name}`;
}

describe("GitHub's language service", () => {
  test.each(['conformance.yml', 'nightly.yml', 'action.yml'])('finds no problem in %s', async (name) => {
    expect(await githubProblems(pathInRepository(name), readCiFile(`github/${name}`))).toEqual([]);
  });
});

describe("GitHub's language service finds a problem in", () => {
  test.each([
    ['conformance.yml', 'an unknown key', '    runs-on:', '    run-on:', "Unexpected value 'run-on'"],
    ['conformance.yml', 'an unknown job', 'needs: shards', 'needs: shard', "unknown job 'shard'"],
    [
      'conformance.yml',
      'an unknown output',
      'outputs.exit-code }}\n        with',
      'outputs.code }}\n        with',
      'invalid: code',
    ],
    ['nightly.yml', 'an unknown key', '  group:', '  grup:', "Unexpected value 'grup'"],
    ['nightly.yml', 'a wrong type', 'timeout-minutes: 60', 'timeout-minutes: soon', "Unexpected value 'soon'"],
    ['nightly.yml', 'a wrong permission', 'contents: read', 'contents: reed', "Unexpected value 'reed'"],
    ['nightly.yml', 'a wrong schedule', '17 2 * * *', '99 2 * * *', 'Invalid cron expression'],
    ['nightly.yml', 'an unknown context', 'secrets.SELLER_KEY', 'secret.SELLER_KEY', "named-value: 'secret'"],
    ['nightly.yml', 'an unknown function', 'always()', 'alway()', "Unrecognized function: 'alway'"],
    ['action.yml', 'an unknown key', '      shell: bash', '      shel: bash', "Unexpected value 'shel'"],
    ['action.yml', 'another kind of action', 'using: composite', 'using: composit', "Unexpected value 'composit'"],
  ])('%s: %s', async (name, _, from, to, problem) => {
    const text = mutate(readCiFile(`github/${name}`), from, to);
    expect(await githubProblems(pathInRepository(name), text)).toContainEqual(expect.stringContaining(problem));
  });
});

describe("GitLab's schema", () => {
  const text = readCiFile('gitlab/gitlab-ci.yml');
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema as object);

  test('accepts gitlab-ci.yml', () => {
    validate(parseYaml(text)[0]);
    expect(validate.errors).toBeNull();
  });

  test.each([
    ['an unknown key', '  parallel: 4', '  paralel: 4'],
    ['a wrong type', '  parallel: 4', '  parallel: four'],
    ['a wrong value', '    strategy: depend', '    strategy: wait'],
    ['a wrong policy', '  allow_failure: true', '  allow_failure: { exit_codes: three }'],
  ])('rejects %s', (_, from, to) => {
    expect(validate(parseYaml(mutate(text, from, to))[0])).toBe(false);
  });
});

describe('the schema and the types of Kubernetes', () => {
  test.each(['target-configmap.yaml', 'shards-job.yaml', 'nightly-cronjob.yaml'])('accept %s', (file) => {
    expect(kubernetesProblems(parseYaml(readCiFile(`kubernetes/${file}`)))).toEqual([]);
  });

  test.each([
    ['target-configmap.yaml', 'an unknown key', '\ndata:', '\ncontent:', '"content"'],
    ['shards-job.yaml', 'a wrong type', 'completions: 4', 'completions: four', 'must be integer'],
    ['shards-job.yaml', 'an unknown key', 'backoffLimitPerIndex', 'backoffLimitPerShard', '"backoffLimitPerShard"'],
    ['shards-job.yaml', 'a missing key', 'action: FailJob', 'act: FailJob', 'required property action'],
    ['nightly-cronjob.yaml', 'an unknown key', 'concurrencyPolicy', 'concurrency', '"concurrency"'],
    ['nightly-cronjob.yaml', 'a wrong type', 'runAsUser: 1000', 'runAsUser: node', 'must be integer'],
  ])('reject %s with %s', (file, _, from, to, problem) => {
    const problems = kubernetesProblems(parseYaml(mutate(readCiFile(`kubernetes/${file}`), from, to)));
    expect(problems).toContainEqual(expect.stringContaining(problem));
  });
});

describe('the Groovy grammar', () => {
  const text = readCiFile('jenkins/Jenkinsfile');
  const parser: { parse(text: string): Node } = { parse: () => expect.unreachable() };

  beforeAll(async () => {
    await Parser.init();
    const grammar = readFileSync(require.resolve('tree-sitter-groovy/tree-sitter-groovy.wasm'));
    const groovy = new Parser().setLanguage(await Language.load(grammar));
    parser.parse = (source) => groovy.parse(source)?.rootNode ?? expect.unreachable();
  });

  test('accepts the Jenkinsfile', () => {
    expect(parser.parse(text).hasError).toBe(false);
  });

  test.each([
    ['a missing brace', '  options {', '  options'],
    ['an open string', "image 'node:22-slim'", "image 'node:22-slim"],
    ['a missing bracket', 'withCredentials([', 'withCredentials('],
    ['a missing comma', 'returnStatus: true, ', 'returnStatus: true '],
  ])('rejects %s', (_, from, to) => {
    expect(parser.parse(mutate(text, from, to)).hasError).toBe(true);
  });
});
