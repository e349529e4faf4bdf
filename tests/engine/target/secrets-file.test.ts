import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { loadTarget } from '../../../engine/target/load-target.ts';
import { readAuthorities } from '../../../engine/target/network/certificate-authorities.ts';
import { readSecretsFile } from '../../../engine/target/secrets-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'kit-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'secrets.env');

function problems(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map((line) => line.replaceAll(`${folder}/`, ''));
    throw error;
  }
  throw new Error('no problem was found');
}

function read(text: string) {
  writeFileSync(file, text);
  return readSecretsFile(file);
}

describe('a secrets file', () => {
  test('contains NAME=value lines, comments, and quoted values over several lines', () => {
    const text = '\uFEFF# comment\r\n\r\nA=one\r\nexport B = two\r\nC="three\nlines = of\ntext"\nD=\'#4\'\nE=a=b\nF=\n';
    expect(read(text)).toMatchObject({ A: 'one', B: 'two', C: 'three\nlines = of\ntext', D: '#4', E: 'a=b', F: '' });
  });

  test('is another file, such as the target file, if no line is an assignment', () => {
    const target =
      'name: Staging\nbaseUrl: https://staging.example.com\nactors:\n  seller: { key: hush, secret: hush }\n';
    expect(problems(() => read(target))).toEqual([
      '--secrets: secrets.env contains no NAME=value line; name the file that holds the secrets, and give this one with --target',
    ]);
    expect(problems(() => read('one\ntwo\nthree\n'))).toEqual([
      '--secrets: secrets.env contains no NAME=value line; name the file that holds the secrets',
    ]);
  });

  test('gives a message for each invalid line, without its value', () => {
    const found = problems(() =>
      read('A=1\nhush-hush\nSELLER_SECRET: hush-hush\n=hush-hush\n2B=hush-hush\nC="hush-hush\n'),
    );
    const wrong = 'is not NAME=value; write NAME=value, or start the line with # for a comment';
    expect(found).toEqual([
      `secrets.env:2: ${wrong}`,
      `secrets.env:3: ${wrong}`,
      `secrets.env:4: ${wrong}`,
      `secrets.env:5: ${wrong}`,
      'secrets.env:6: C has no closing quote; add the closing "',
    ]);
  });

  test('does not cut a value at a # without saying so', () => {
    const found = problems(() => read('A=hush#hush\nB="hush#hush"\nC=hush # a comment\nD=hush#\nE=#\n'));
    const wrong = 'contains a # without quotes; put the value in quotes, or a space before a comment';
    expect(found).toEqual([`secrets.env:1: A ${wrong}`, `secrets.env:4: D ${wrong}`]);
  });

  test('gives one line if it is a folder or missing', () => {
    mkdirSync(join(folder, 'sub'));
    expect(problems(() => readSecretsFile(join(folder, 'sub')))).toEqual([
      '--secrets: sub is a folder; give the path of a file of NAME=value lines',
    ]);
    expect(problems(() => readAuthorities(join(folder, 'sub'), '--ca'))).toEqual([
      '--ca: sub is a folder; give the path of a PEM file with a certificate',
    ]);
    expect(problems(() => readSecretsFile(join(folder, 'none')))).toEqual([
      '--secrets: cannot read none (ENOENT); give the path of a file of NAME=value lines',
    ]);
  });
});

describe('a missing variable', () => {
  const target = join(folder, 'target.yaml');
  const load = (environment: Record<string, string>, secrets: string) => {
    writeFileSync(
      target,
      'baseUrl: https://a.example\nactors: { seller: { key: svc_sand_1, secret: ${SELLER_KEY} } }\n',
    );
    writeFileSync(file, secrets);
    return problems(() => loadTarget({ file: target, envFile: file, environment }));
  };

  test('is named with the secrets file', () => {
    expect(load({}, 'OTHER=1\n')).toEqual([
      'target.yaml:2: actors.seller.secret: SELLER_KEY is set neither in the environment nor in secrets.env; set it in one of them, or use another variable',
    ]);
  });

  test('is reported as empty there', () => {
    expect(load({}, 'SELLER_KEY=\n')).toEqual([
      'target.yaml:2: actors.seller.secret: SELLER_KEY is empty in secrets.env; give it a value',
    ]);
  });

  test('is reported as empty in the environment, which takes precedence', () => {
    expect(load({ SELLER_KEY: '' }, 'SELLER_KEY=1\n')).toEqual([
      'target.yaml:2: actors.seller.secret: the environment variable SELLER_KEY is empty, and it takes precedence over secrets.env; give it a value or unset it',
    ]);
  });
});

describe('a value from another source is named by its source', () => {
  const seller = { CONFORMANCE_SELLER_KEY: 'svc_sand_1', CONFORMANCE_SELLER_SECRET: 's-1' };

  test.each([
    ['an option', { baseUrl: 'foo', environment: seller }, /^--base-url: baseUrl: found "foo"; write an absolute http/],
    [
      'a variable',
      { environment: { ...seller, CONFORMANCE_BASE_URL: 'foo' } },
      /^CONFORMANCE_BASE_URL: baseUrl: found "foo"; write an absolute http/,
    ],
    [
      'a variable of an actor',
      { baseUrl: 'http://127.0.0.1:1', environment: { CONFORMANCE_SELLER_KEY: 'svc_sand_1' } },
      /^CONFORMANCE_SELLER_SECRET: actors\.seller\.secret: missing; write printable ASCII/,
    ],
    [
      'an empty variable of an actor',
      { baseUrl: 'http://127.0.0.1:1', environment: { ...seller, CONFORMANCE_SELLER_SECRET: '' } },
      /^CONFORMANCE_SELLER_SECRET: actors\.seller\.secret: found no value; write printable ASCII/,
    ],
    [
      'two variables',
      {
        baseUrl: 'http://127.0.0.1:1',
        environment: { ...seller, CONFORMANCE_READ_ONLY_KEY: 'svc_sand_1', CONFORMANCE_READ_ONLY_SECRET: 's-2' },
      },
      /^CONFORMANCE_READ_ONLY_KEY: actors\.readOnly\.key: is the same as actors\.seller\.key; write/,
    ],
  ])('%s', (_, sources, line) => {
    expect(problems(() => loadTarget(sources))).toEqual([expect.stringMatching(line)]);
  });
});
