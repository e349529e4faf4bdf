import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkCatalogue, requirements } from '../../../specs/catalogue/catalogue.ts';
import { profileNames } from '../../../specs/catalogue/selection.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';
import { assertSyntax, completions, SHELLS } from './support/shells.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);
const here = join(folder, 'here');
mkdirSync(join(here, 'reports'), { recursive: true });
writeFileSync(join(here, 'staging.yaml'), '');
writeFileSync(join(here, 'two words.yaml'), '');

const checksOf = (requirement: string) =>
  [...checkCatalogue.keys()].filter((id) => id.startsWith(`${requirement}.`)).sort();
const namesOf = (area: string) =>
  requirements
    .filter(({ id, checks }) => id.startsWith(`${area}-`) && checks.length > 0)
    .flatMap(({ id }) => [id, ...checksOf(id)]);

describe.each(SHELLS)('%s', (shell) => {
  const script = join(folder, `_${shell}`);

  beforeAll(async () => {
    const { code, stdout, stderr } = await conformance(['completion', shell]);
    expect([code, stderr]).toEqual([0, '']);
    writeFileSync(script, stdout);
  });

  test('accepts the script', async () => {
    await assertSyntax(shell, script);
  });

  test.concurrent.each([
    ['ru', ['run']],
    ['comp', ['compare', 'completion']],
    ['--v', ['--version']],
    ['run --pro', ['--profile']],
    ['run --quiet --seed 5 --str', ['--strict']],
    ['run --profile ', [...profileNames].sort()],
    ['run -p c', ['core']],
    ['run --profile=s', ['smoke']],
    ['certify --profile ', ['core', 'full']],
    ['run --format json,h', ['har', 'html']],
    ['run --target ', ['reports', 'staging.yaml', 'two words.yaml']],
    ['doctor -t st', ['staging.yaml']],
    ['run --out ', ['reports']],
    ['run --last-failed ', ['reports']],
    ['run --last-failed --bud', ['--budget']],
    ['run --seed ', []],
    ['run --only LIFE,AUTH-01.', checksOf('AUTH-01')],
    ['run --only RATE', ['RATE', ...namesOf('RATE')].sort()],
    ['explain LIFE-02.draft-ap', ['LIFE-02.draft-approve']],
    ['prove --fault auth-create-ignores-s', ['auth-create-ignores-secret']],
    ['prove --variation pl', ['plain']],
    ['diff reports ', ['reports']],
    ['diff reports reports --j', ['--json']],
    ['seal reports --target staging.yaml --k', ['--key']],
    ['verify st', ['staging.yaml']],
    ['merge reports reports r', ['reports']],
    ['help cert', ['certify']],
    ['completion f', ['fish']],
  ] as [string, string[]][])('completes "conformance %s"', async (line, expected) => {
    expect(await completions(shell, script, `conformance ${line}`, here)).toEqual(expected);
  });
});

test('another shell is rejected', async () => {
  const { code, stdout, stderr } = await conformance(['completion', 'fisch']);
  const line = 'conformance: <shell>: found "fisch"; did you mean fish? There are bash, zsh, fish\n';
  expect([code, stdout, stderr]).toEqual([2, '', line]);
});
