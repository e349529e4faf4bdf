import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { targetTemplate } from '../../../cli/init/target-template.ts';
import { loadTarget } from '../../../engine/target/load-target.ts';
import { conformance, conformanceInClone, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);
const here = { cwd: folder };

/** A commented line with a field after its `#`. */
const COMMENTED = /^(\s*)# (?=\w+: )/;

const written = targetTemplate('https://a.example/x');
const environment = Object.fromEntries(
  [...written.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [
    name,
    `${name.startsWith('PRODUCTION') ? 'svc_prod' : 'svc_sand'}_${name}`,
  ]),
);

function load(content: string) {
  const file = join(folder, 'template.yaml');
  writeFileSync(file, content);
  return loadTarget({ file, environment });
}

describe('the file that init writes', () => {
  test('is valid once its variables are set', () => {
    expect(load(written)).toMatchObject({ baseUrl: 'https://a.example/x', actors: { seller: {}, buyer: {} } });
  });

  test('stays valid without its comments', () => {
    const without = written.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/ # .*$/gm, '');
    expect(without).not.toContain('#');
    expect(load(without)).toEqual(load(written));
  });

  test('stays valid when all of its commented lines are un-commented', () => {
    const all = written
      .split('\n')
      .map((line) => line.replace(COMMENTED, '$1'))
      .join('\n');
    const target = load(all);
    expect(Object.keys(target.actors)).toHaveLength(6);
    expect(Object.keys(target.operations)).toHaveLength(12);
    expect(target).toMatchObject({
      counterparties: { suspended: expect.any(String) },
      limits: { requestsPerMinute: 60 },
    });
  });

  test('stays valid when a single commented line is un-commented', () => {
    const lines = written.split('\n');
    const commented = lines.filter((line) => COMMENTED.test(line));
    expect(commented.length).toBeGreaterThan(15);
    for (const one of commented) {
      load(lines.map((line) => (line === one ? line.replace(COMMENTED, '$1') : line)).join('\n'));
    }
  });

  test.each([
    'headers',
    'tls',
    'proxy',
    'requestsPerMinute',
    'startWithinMs',
    'withdrawAtMost',
    'not-offered',
    'webhookDelete',
  ])('mentions %s', (field) => {
    expect(written).toMatch(new RegExp(`# .*\\b${field}\\b`));
  });
});

describe.concurrent('init', () => {
  test('writes the file and prints the next command', async () => {
    const { code, stdout } = await conformanceInClone(['init', 'my target.yaml'], here);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Wrote my target\.yaml\./);
    expect(stdout).toMatch(/^ {2}npx tsx \S+cli\/main\.ts doctor --target 'my target\.yaml'$/m);
    expect(readFileSync(join(folder, 'my target.yaml'), 'utf8')).toBe(targetTemplate('https://staging.example.com'));
  });

  test.each([
    [
      'foo',
      '--base-url: baseUrl: found "foo"; write an absolute http or https URL, such as https://staging.example.com',
    ],
    ['https://a.example/?x=1', '--base-url: baseUrl: contains a user, a query or a fragment; write the URL without it'],
  ])('rejects the base URL %s', async (baseUrl, line) => {
    const { code, stderr } = await conformance(['init', 'refused.yaml', '--base-url', baseUrl], here);
    expect([code, stderr]).toEqual([2, `conformance: ${line}\n`]);
    expect(existsSync(join(folder, 'refused.yaml'))).toBe(false);
  });

  test('rejects a folder', async () => {
    mkdirSync(join(folder, 'sub'));
    const { code, stderr } = await conformance(['init', 'sub'], here);
    expect([code, stderr]).toEqual([2, 'conformance: sub: is a folder; name a file in it\n']);
  });
});
