import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { conflictingVariables, readEnvFile, writeEnvFile } from '../../../cli/init/secrets/env-file.ts';
import { mergeEnvText, storageProblem } from '../../../cli/init/secrets/env-text.ts';
import { readSecretsFile } from '../../../engine/target/secrets-file.ts';

const root = mkdtempSync(join(tmpdir(), 'kit-env-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'x'));
});
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('an env file', () => {
  test('is created for its owner only', () => {
    const file = join(folder, '.env');
    expect(writeEnvFile(file, { A: '1' })).toEqual({ isNarrowed: false });
    expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual(['600', 'A=1\n']);
  });

  test('keeps its other lines, and is narrowed', () => {
    const file = join(folder, '.env');
    writeFileSync(file, '# mine\nexport B="x\ny" # note\n\nA=old\nC=3', { mode: 0o644 });
    chmodSync(file, 0o644);
    expect(writeEnvFile(file, { A: 'new', D: '4' })).toEqual({ isNarrowed: true });
    expect(readFileSync(file, 'utf8')).toBe('# mine\nexport B="x\ny" # note\n\nA=new\nC=3\nD=4\n');
    expect([modeOf(file), readdirSync(folder)]).toEqual(['600', ['.env']]);
  });

  test('is written through a link', () => {
    const [file, link] = [join(folder, 'real'), join(folder, '.env')];
    writeFileSync(file, 'A=1\n');
    symlinkSync(file, link);
    writeEnvFile(link, { B: '2' });
    expect(readFileSync(file, 'utf8')).toBe('A=1\nB=2\n');
    expect(readFileSync(link, 'utf8')).toBe('A=1\nB=2\n');
  });

  test('that cannot be written gives one line', () => {
    expect(() => writeEnvFile(join(folder, 'missing', '.env'), { A: '1' })).toThrow(
      /^--write-secrets: \S+ cannot be written \(ENOENT\); name a file in a folder that can be written$/,
    );
  });

  test('that is a folder or not an env file is rejected by its name', () => {
    mkdirSync(join(folder, 'sub'));
    expect(() => readEnvFile(join(folder, 'sub'))).toThrow(/^--write-secrets: \S+ is a folder/);
    writeFileSync(join(folder, '.env'), 'A=1\nsecret\n');
    expect(() => readEnvFile(join(folder, '.env'))).toThrow(/\.env:2: is not NAME=value/);
  });

  test('that does not exist is empty', () => {
    expect(readEnvFile(join(folder, '.env'))).toEqual({});
  });
});

test('only another value is a conflict', () => {
  const existing = { A: '1', B: '2', C: '' };
  expect(conflictingVariables(existing, { A: '1', B: 'x', C: 'x', D: 'x', toString: 'x' })).toEqual(['B']);
});

describe('the text of an env file', () => {
  test('replaces a value of several lines, and all lines of a name', () => {
    expect(mergeEnvText('A="1\n2"\nB=1\nA=3\n', { A: 'x' })).toBe('A=x\nB=1\n');
  });

  test('keeps the line ends of Windows', () => {
    expect(mergeEnvText('A=1\r\n', { B: '2' })).toBe('A=1\r\nB=2\r\n');
  });

  test.each([
    ['plain', 'A=plain'],
    ['a#b', "A='a#b'"],
    ['$HOME', "A='$HOME'"],
    ["it's", 'A="it\'s"'],
    ['\'"', 'A=`\'"`'],
  ])('writes %j as %s', (value, line) => {
    expect(mergeEnvText('', { A: value })).toBe(`${line}\n`);
  });

  test('rejects a value that no notation can hold', () => {
    expect(storageProblem('\'"`')).toMatch(/no line of an env file can hold/);
  });

  test('gives the kit every value that it accepts', () => {
    const credential = fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
    const file = join(root, 'round-trip.env');
    fc.assert(
      fc.property(credential, credential, (one, other) => {
        fc.pre(storageProblem(one) === undefined && storageProblem(other) === undefined);
        writeFileSync(file, mergeEnvText(mergeEnvText('', { A: 'x', B: other }), { A: one }));
        expect(readSecretsFile(file)).toEqual({ A: one, B: other });
      }),
    );
  });
});
