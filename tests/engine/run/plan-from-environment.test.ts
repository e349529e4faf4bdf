import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { planFromEnvironment } from '../../../engine/run/plan-from-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'kit-editor-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'target.yaml');
writeFileSync(
  file,
  JSON.stringify({
    baseUrl: 'http://127.0.0.1:1',
    actors: { seller: { key: 'svc_sand_a', secret: 'secret-of-seller' } },
  }),
);

const plan = (environment: Record<string, string>) =>
  planFromEnvironment({ definitions: [], customAreas: [], customChecks: [] }, environment);

test.each([
  [
    'CONFORMANCE_PROFILE',
    'everything',
    /^CONFORMANCE_PROFILE: no profile is named everything; the profiles are smoke, core/,
  ],
  ['CONFORMANCE_ONLY', 'AUTH-99', /^CONFORMANCE_ONLY: AUTH-99 names no check, requirement or area/],
  [
    'CONFORMANCE_ONLY',
    'REC-12',
    /^CONFORMANCE_ONLY: REC-12 is a requirement without checks; "conformance explain REC-12" says why/,
  ],
  ['CONFORMANCE_SEED', 'abc', /^CONFORMANCE_SEED: found "abc"; write a whole number from 0 to 999999999 in digits/],
  ['CONFORMANCE_SEED', '1e3', /^CONFORMANCE_SEED: found "1e3"; write a whole number/],
  [
    'CONFORMANCE_TARGET',
    '/nowhere/t.yaml',
    /^CONFORMANCE_TARGET: cannot read \/nowhere\/t\.yaml \(ENOENT\); give the path/,
  ],
])('names %s as the wrong entry', async (name, value, message) => {
  const failure = plan({ CONFORMANCE_TARGET: file, [name]: value });
  await expect(failure).rejects.toBeInstanceOf(ConfigurationError);
  await expect(failure).rejects.toThrow(message);
});

test('names the variable to set if there is no target', async () => {
  await expect(plan({})).rejects.toThrow(/^CONFORMANCE_TARGET is not set: set it to the path of a target file$/);
});
