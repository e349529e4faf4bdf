import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { packageRoot } from '../../../specs/code-location.ts';
import { patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const MAX_TARBALL_BYTES = 1_500_000;

const { folder, remove } = temporaryFolder();
let tarball: Uint8Array<ArrayBuffer>;

beforeAll(() => {
  // The kit is built before the tests begin.
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const output = execFileSync('npm', options, { cwd: packageRoot, encoding: 'utf8' });
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  tarball = new Uint8Array(readFileSync(join(folder, filename)));
});
afterAll(remove);

describe('the package', () => {
  test('is small', () => {
    expect(tarball.byteLength).toBeLessThan(MAX_TARBALL_BYTES);
  });

  test('has no problem that publint knows', async () => {
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  test('has types that every module resolution of an ES module finds', async () => {
    const result = await checkPackage(createPackageFromTarballData(tarball));
    if (result.types === false) throw new Error('the package has no types');
    // A package of ES modules: `require` of Node 22 loads them, older resolutions do not read `exports`.
    const isExpected = ({ kind }: { kind: string }) => kind === 'CJSResolvesToESM';
    const isOld = (problem: object) => 'resolutionKind' in problem && problem.resolutionKind === 'node10';
    expect(result.problems.filter((problem) => !isExpected(problem) && !isOld(problem))).toEqual([]);
  });
});
