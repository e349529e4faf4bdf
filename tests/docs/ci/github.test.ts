import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Action, githubSteps, readYaml, runWithFakeKit, temporaryFolder, type Workflow } from './support.ts';

const action = readYaml<Action>('github/action.yml');
const workflow = readYaml<Workflow>('github/conformance.yml');

const step = action.runs.steps.find(({ run }) => run !== undefined);
const script = { name: 'action.yml', shell: 'bash', text: step?.run ?? '' } as const;

/** The variables of the action's script for these inputs. */
function variables(folder: string, inputs: Readonly<Record<string, string>>): Record<string, string> {
  const env = Object.entries(step?.env ?? {}).map(([name, text]) => {
    const value = text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => {
      const chosen = inputs[input] ?? action.inputs[input]?.default;
      return chosen ?? expect.unreachable(`the action has no input ${input}`);
    });
    return [name, value];
  });
  return { ...Object.fromEntries(env), GITHUB_OUTPUT: join(folder, 'outputs') };
}

/** Runs the script of the action with a kit that ends with this exit code and writes a report with this verdict. */
function runAction(inputs: Readonly<Record<string, string>>, exitCode: number, verdict?: string) {
  const folder = temporaryFolder();
  if (verdict !== undefined) {
    mkdirSync(join(folder, 'reports/conformance'), { recursive: true });
    writeFileSync(join(folder, 'reports/conformance/report.json'), JSON.stringify({ verdict }));
  }
  const outcome = runWithFakeKit(script, folder, { exitCode, env: variables(folder, inputs) });
  return { folder, ...outcome, outputs: readFileSync(join(folder, 'outputs'), 'utf8') };
}

describe('the action', () => {
  test.each([
    [0, 'conformant', 'fail', 0],
    [0, 'conformant', 'warn', 0],
    [1, 'non-conformant', 'fail', 1],
    [1, 'non-conformant', 'warn', 1],
    [2, 'none', 'fail', 2],
    [2, 'none', 'warn', 2],
    [3, 'inconclusive', 'fail', 3],
    [3, 'inconclusive', 'warn', 0],
    [4, 'none', 'fail', 4],
    [4, 'none', 'warn', 4],
  ])('with exit code %i, verdict %s and policy %s ends with %i', (exitCode, verdict, inconclusive, expected) => {
    const { exitCode: actual, outputs, output } = runAction({ inconclusive }, exitCode, verdict);
    expect(actual).toBe(expected);
    expect(outputs).toBe(`exit-code=${exitCode}\nverdict=${verdict}\n`);
    expect(output.includes('::warning ')).toBe(exitCode === 3 && inconclusive === 'warn');
  });

  test('reads no verdict from the report of an earlier run', () => {
    expect(runAction({}, 2, 'conformant').outputs).toBe('exit-code=2\nverdict=none\n');
  });

  test('names no verdict if the kit could not be installed', () => {
    const { exitCode, outputs } = runAction({}, 1);
    expect(exitCode).toBe(1);
    expect(outputs).toBe('exit-code=1\nverdict=none\n');
  });

  test('rejects an unknown policy before it sends a request', () => {
    const { exitCode, words, output } = runAction({ inconclusive: 'ignore' }, 0);
    expect(exitCode).toBe(2);
    expect(words).toEqual([]);
    expect(output).toContain('::error ');
  });

  test('passes only the options that are set', () => {
    const always = ['--target', 'conformance/target.yaml', '--profile', 'full', '--fail-on', 'any'];
    const { words } = runAction({}, 0);
    expect(words).toEqual([
      '--yes',
      'invoicing-network-conformance@0.1',
      'run',
      ...always,
      '--out',
      'reports/conformance',
    ]);
  });

  test('passes each line of the arguments as one word', () => {
    const { words } = runAction(
      { budget: '1000', baseline: 'known failures.yaml', arguments: '--history\nthe history\n\n' },
      0,
    );
    expect(words.slice(-6)).toEqual([
      '--budget',
      '1000',
      '--history',
      'the history',
      '--baseline',
      'known failures.yaml',
    ]);
  });

  test('merges the folders of all shards, with the known failures', () => {
    const folder = temporaryFolder();
    for (const shard of [1, 2]) mkdirSync(join(folder, `shards/${shard}`), { recursive: true });
    const env = variables(folder, { merge: 'shards', budget: '1000', baseline: 'known.yaml' });
    const { words } = runWithFakeKit(script, folder, { exitCode: 0, env });
    expect(words.slice(2)).toEqual([
      ...['merge', 'shards/1', 'shards/2', '--fail-on', 'any'],
      ...['--out', 'reports/conformance', '--baseline', 'known.yaml'],
    ]);
  });

  test.each([
    'target',
    'profile',
    'budget',
    'baseline',
    'fail-on',
    'out',
    'arguments',
    'merge',
    'version',
    'inconclusive',
  ])('runs no command in the input %s', (input) => {
    const { folder } = runAction({ [input]: '"; touch injected; $(touch injected) `touch injected`' }, 0);
    expect(existsSync(join(folder, 'injected'))).toBe(false);
  });
});

describe('the workflows', () => {
  const uses = githubSteps().filter(({ step: { uses } }) => uses === './.github/actions/conformance');

  test('use only inputs of the action', () => {
    expect(uses).toHaveLength(4);
    const names = uses.flatMap(({ step }) => Object.keys(step.with ?? {}));
    expect(names.filter((name) => !(name in action.inputs))).toEqual([]);
  });

  test('contain no expression in a script', () => {
    const scripts = githubSteps().map(({ step }) => `${step.run}${step.with?.script}`);
    expect(scripts.filter((text) => text.includes('${{'))).toEqual([]);
  });

  test('pin each action to a major version', () => {
    const foreign = githubSteps().flatMap(({ step: { uses } }) => (uses?.startsWith('./') ? [] : (uses ?? [])));
    expect(foreign.filter((name) => !/^actions\/[\w/-]+@v\d+$/.test(name))).toEqual([]);
  });

  test('give the keys to no job that can write', () => {
    const { jobs } = readYaml<{ jobs: Record<string, { permissions?: Record<string, string> }> }>(
      'github/conformance.yml',
    );
    const writing = Object.values(jobs).filter(({ permissions }) => Object.values(permissions ?? {}).includes('write'));
    expect(writing).toHaveLength(1);
    expect(JSON.stringify(writing)).not.toContain('secrets.');
  });
});

test('the action refers only to its own inputs and steps', () => {
  const text = JSON.stringify(action);
  const inputs = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name = '']) => name);
  expect(inputs.filter((name) => !(name in action.inputs))).toEqual([]);
  expect(Object.keys(action.inputs).filter((name) => !inputs.includes(name))).toEqual([]);
  for (const [name, { value }] of Object.entries(action.outputs))
    expect(value).toMatch(new RegExp(`^\\$\\{\\{ (steps\\.${step?.id}\\.outputs\\.${name}|inputs\\.out) \\}\\}$`));
});

describe('the jobs that start', () => {
  const pullRequest = (repository: string | null, actor = 'anna') => ({
    event_name: 'pull_request',
    repository: 'acme/billing',
    actor,
    event: { pull_request: { head: { repo: repository === null ? null : { full_name: repository } } } },
  });

  test.each([
    ['a pull request', pullRequest('acme/billing'), ['pull-request']],
    ['a pull request from a fork', pullRequest('someone/billing'), ['not-judged']],
    ['a pull request from a deleted fork', pullRequest(null), ['not-judged']],
    ['a pull request from Dependabot', pullRequest('acme/billing', 'dependabot[bot]'), ['not-judged']],
    ['a push', { event_name: 'push', repository: 'acme/billing', actor: 'anna', event: {} }, ['shards']],
  ])('for %s', (_, github, expected) => {
    const first = Object.entries(workflow.jobs).filter(([name]) => name !== 'comment' && name !== 'merge');
    const started = first.filter(([, { if: condition }]) => evaluate(condition ?? 'true', github));
    expect(started.map(([name]) => name)).toEqual(expected);
  });
});

/** The value of a condition as GitHub's own evaluator computes it. */
function evaluate(condition: string, github: object): boolean {
  const context = JSON.parse(JSON.stringify({ github }), data.reviver) as data.Dictionary;
  const { tokens } = new Lexer(condition).lex();
  const expression = new Parser(tokens, ['github'], []).parse();
  return new Evaluator(expression, context).evaluate().coerceString() === 'true';
}

describe('the comment on the pull request', () => {
  const MARKER = '<!-- invoicing-network-conformance -->';
  const source =
    githubSteps().find(({ step: { uses } }) => uses?.startsWith('actions/github-script'))?.step.with?.script ?? '';
  const calls: [string, { body: string; comment_id?: number; issue_number?: number }][] = [];
  const record = (name: string) => async (parameters: (typeof calls)[number][1]) => void calls.push([name, parameters]);

  /** Runs the script as actions/github-script does. */
  async function comment(existing: object[], exitCode: string, summary: string | null): Promise<void> {
    const issues = { createComment: record('create'), updateComment: record('update'), listComments: null };
    const github = { rest: { issues }, paginate: async () => existing };
    const context = {
      serverUrl: 'https://github.example',
      repo: { owner: 'acme', repo: 'billing' },
      runId: 7,
      issue: { number: 5 },
    };
    const require = () => ({ existsSync: () => summary !== null, readFileSync: () => summary });
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    const run = new AsyncFunction('github', 'context', 'require', 'process', source);
    await run(github, context, require, { env: { EXIT_CODE: exitCode } });
  }

  beforeEach(() => void calls.splice(0));

  test('is created with the summary', async () => {
    await comment([], '1', '# non-conformant');
    expect(calls).toEqual([['create', { owner: 'acme', repo: 'billing', issue_number: 5, body: expect.any(String) }]]);
    expect(calls[0]?.[1].body).toMatch(
      /^<!-- invoicing-network-conformance -->\n# non-conformant\n\n\[.*\]\(.*\/actions\/runs\/7\)$/,
    );
  });

  test('is updated by the next run', async () => {
    const others = [
      { id: 1, user: { type: 'User' }, body: `${MARKER} quoted` },
      { id: 2, user: { type: 'Bot' }, body: 'Coverage' },
      { id: 3, user: null, body: null },
    ];
    await comment([...others, { id: 4, user: { type: 'Bot' }, body: `${MARKER}\nold` }], '0', '# passed');
    expect(calls).toEqual([['update', { owner: 'acme', repo: 'billing', comment_id: 4, body: expect.any(String) }]]);
  });

  test.each([
    ['after exit code 2', '2', '# conformant'],
    ['after a run that did not start', '', '# conformant'],
    ['without a report', '1', null],
  ])('names no verdict %s', async (_, exitCode, summary) => {
    await comment([], exitCode, summary);
    expect(calls[0]?.[1].body).toContain('wrote no report');
  });
});
