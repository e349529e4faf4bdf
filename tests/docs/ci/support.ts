import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';

/** The text of a file in docs/ci/. */
export function readCiFile(name: string): string {
  return readFileSync(new URL(`../../../docs/ci/${name}`, import.meta.url), 'utf8');
}

/** The documents of a YAML file. Fails the test if one has an error. */
export function parseYaml<Content = unknown>(text: string): Content[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Content;
  });
}

/** The first document of a YAML file in docs/ci/. */
export function readYaml<Content>(name: string): Content {
  const [content] = parseYaml<Content>(readCiFile(name));
  if (content === undefined) throw new Error(`${name} is empty`);
  return content;
}

/** A script of a CI file, and the shell that the CI service runs it with. */
export interface Script {
  readonly name: string;
  readonly shell: 'bash' | 'sh';
  readonly text: string;
}

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}
export interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly if?: string; readonly steps: readonly Step[] }>>;
}
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}
type GitlabJobs = Readonly<Record<string, { readonly script?: readonly string[] }>>;
interface Container {
  readonly name: string;
  readonly args: readonly [string];
}
interface PodTemplate {
  readonly spec: { readonly containers: readonly [Container] };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
}

/** The steps of the workflows and of the action. */
export function githubSteps(): { file: string; step: Step }[] {
  const workflows = ['github/conformance.yml', 'github/nightly.yml'].flatMap((file) =>
    Object.values(readYaml<Workflow>(file).jobs).flatMap(({ steps }) => steps.map((step) => ({ file, step }))),
  );
  const action = 'github/action.yml';
  return [...workflows, ...readYaml<Action>(action).runs.steps.map((step) => ({ file: action, step }))];
}

/** All scripts of the files in docs/ci/. */
export function allScripts(): Script[] {
  const github = githubSteps().flatMap(({ file, step: { run } }) =>
    run === undefined ? [] : [{ name: file, shell: 'bash' as const, text: run }],
  );
  const gitlab = Object.entries(readYaml<GitlabJobs>('gitlab/gitlab-ci.yml')).flatMap(([name, { script }]) =>
    script === undefined ? [] : [{ name, shell: 'bash' as const, text: script.join('\n') }],
  );
  const jenkins = [...readCiFile('jenkins/Jenkinsfile').matchAll(/judge '''([\s\S]*?)'''/g)].map(([, text = '']) => ({
    name: 'Jenkinsfile',
    shell: 'sh' as const,
    text,
  }));
  const kubernetes = ['kubernetes/shards-job.yaml', 'kubernetes/nightly-cronjob.yaml'].flatMap((file) =>
    parseYaml<Manifest>(readCiFile(file)).flatMap(({ metadata, spec }) => {
      const template = spec.template ?? spec.jobTemplate?.spec.template;
      return template ? [{ name: metadata.name, shell: 'sh' as const, text: template.spec.containers[0].args[0] }] : [];
    }),
  );
  return [...github, ...gitlab, ...jenkins, ...kubernetes];
}

/** The script of this name that contains this text. */
export function findScript(name: string, part = ''): Script {
  const script = allScripts().find((each) => each.name === name && each.text.includes(part));
  if (!script) throw new Error(`no script ${name}`);
  return script;
}

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kit-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
  /** The arguments that the kit was called with. */
  readonly words: readonly string[];
}

/**
 * Runs a script as the CI service does, in this folder, with a kit that records its arguments and ends with this exit code. The
 * scripts for Kubernetes use the volumes of the folder.
 */
export function runWithFakeKit(
  { shell, text }: Script,
  folder: string,
  { exitCode, env = {} }: { exitCode: number; env?: Readonly<Record<string, string>> },
): Outcome {
  const programs = join(folder, 'programs');
  const calls = join(folder, 'calls');
  mkdirSync(programs, { recursive: true });
  const kit = `#!/bin/sh\nprintf '%s\\n' "$@" >'${calls}'\nexit ${exitCode}\n`;
  writeFileSync(join(programs, 'npx'), kit, { mode: 0o755 });
  writeFileSync(join(programs, 'conformance'), kit, { mode: 0o755 });
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(calls, '');
  const local = text.replaceAll('/tmp/kit/node_modules/.bin', programs).replaceAll('/reports', join(folder, 'reports'));
  const options = shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail', '-c', local] : ['-c', local];
  const { status, stdout, stderr } = spawnSync(shell, options, {
    cwd: folder,
    env: { PATH: `${programs}:${process.env.PATH}`, KIT: 'kit', ...env },
    encoding: 'utf8',
  });
  const words = readFileSync(calls, 'utf8').split('\n').slice(0, -1);
  return { exitCode: status, output: stdout + stderr, words };
}
