import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DockerfileParser, Keyword } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}${name}`, 'utf8');

const dockerfile = DockerfileParser.parse(read('Dockerfile'));
const instructions = dockerfile.getInstructions();
const argumentsOf = (keyword: Keyword) =>
  instructions
    .filter((each) => each.getKeyword() === keyword)
    .map((each) => each.getArguments().map((argument) => argument.getValue()));
const lastOf = (keyword: Keyword) => argumentsOf(keyword).at(-1);

/** What the build copies from the context. */
const copied = argumentsOf(Keyword.COPY)
  .filter(([first]) => !first?.startsWith('/build'))
  .flatMap((paths) => paths.slice(0, -1));

describe('the Dockerfile', () => {
  test('has no problem for the linter', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  test('names each base image with the whole version of a Node that the kit supports', () => {
    const stages = new Set<string | null>();
    const external = dockerfile.getFROMs().filter((from) => {
      const isStage = stages.has(from.getImage());
      stages.add(from.getBuildStage());
      return !isStage;
    });
    expect(external.map((from) => from.getImageName())).toEqual(['node']);
    const tags = external.map((from) => /^(\d+)\.(\d+)\.\d+-\w+-slim$/.exec(from.getImageTag() ?? ''));
    const [, major, minor] = tags[0]?.map(Number) ?? [];
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const [least = 0, leastMinor = 0] = engines.node.replace('>=', '').split('.').map(Number);
    expect(major).toBeGreaterThanOrEqual(least);
    expect(major === least ? minor : leastMinor).toBeGreaterThanOrEqual(leastMinor);
  });

  test('ends with a user that is a number other than 0, and starts the command', () => {
    expect(lastOf(Keyword.USER)?.join()).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(lastOf(Keyword.ENTRYPOINT)).toEqual(['["conformance"]']);
    const afterUser = instructions.slice(instructions.findLastIndex((each) => each.getKeyword() === Keyword.USER));
    expect(afterUser.map((each) => each.getKeyword())).not.toContain(Keyword.RUN);
  });

  test('installs production packages only, without their scripts', () => {
    const installs = argumentsOf(Keyword.RUN).filter(([npm, command]) => npm === 'npm' && command === 'ci');
    expect(installs).toHaveLength(2);
    for (const words of installs) expect(words).toContain('--ignore-scripts');
    expect(installs.at(-1)).toContain('--omit=dev');
  });

  test('has no argument or variable for a secret', () => {
    const names = [...argumentsOf(Keyword.ARG), ...argumentsOf(Keyword.ENV)].map(([text]) => text?.split('=')[0]);
    expect(names).toEqual(['COMMIT', 'COMMIT', 'NODE_ENV']);
  });

  test('copies what exists and what the build reads', () => {
    expect(copied.filter((path) => !existsSync(ROOT + path))).toEqual([]);
    const { include } = JSON.parse(read('tsconfig.build.json')) as { include: string[] };
    expect(copied).toEqual(expect.arrayContaining([...include, 'scripts/build']));
  });
});

test('.dockerignore allows only what the image is built from', () => {
  const lines = read('.dockerignore').split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules[0]).toBe('*');
  const allowed = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  expect(allowed.filter((path) => path !== 'scripts').toSorted()).toEqual([...new Set(copied)].toSorted());
  expect(rules[rules.indexOf('!scripts') + 1]).toBe('scripts/*');
});

describe('docs/container.md', () => {
  test('has a valid compose file with a read-only root, a temporary folder and no capability', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(read('docs/container.md'))?.[1] ?? '';
    expect(parse(yaml)).toMatchObject({
      services: { conformance: { read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], init: true } },
    });
  });
});
