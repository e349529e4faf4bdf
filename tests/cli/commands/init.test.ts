import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { targetTemplate } from '../../../cli/init/target-template.ts';
import { loadTarget } from '../../../engine/target/load-target.ts';
import { startReference } from '../../../reference/service/start.ts';
import { usualDocument } from '../init/support/documents.ts';
import { conformance, conformanceInClone, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);
const here = { cwd: folder };

const template = (baseUrl: string) =>
  targetTemplate({ baseUrl, schemaLine: null, ca: null, given: {}, organizations: {}, bindings: {} });

/** A commented line with a field after its `#`. */
const COMMENTED = /^(\s*)# (?=\w+: )/;

const written = template('https://a.example/x');
const environment = Object.fromEntries(
  [...written.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [
    name,
    `${name.startsWith('PRODUCTION') ? 'svc_prod' : 'svc_sand'}_${name}`,
  ]),
);

describe('the template', () => {
  test('stays valid when a single commented line is un-commented', () => {
    const lines = written.split('\n');
    const commented = lines.filter((line) => COMMENTED.test(line));
    expect(commented.length).toBeGreaterThan(15);
    for (const one of commented) {
      const file = join(folder, 'template.yaml');
      writeFileSync(file, lines.map((line) => (line === one ? line.replace(COMMENTED, '$1') : line)).join('\n'));
      loadTarget({ file, environment });
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
    expect(stdout).toMatch(/^Wrote my target\.yaml\.\n/);
    expect(stdout).toMatch(/^ {2}npx tsx \S+cli\/main\.ts doctor --target 'my target\.yaml'$/m);
    expect(readFileSync(join(folder, 'my target.yaml'), 'utf8')).toBe(template('https://staging.example.com'));
  });

  test.each([
    [
      'foo',
      '--base-url: baseUrl: found "foo"; write an absolute http or https URL, such as https://staging.example.com',
    ],
    ['https://a.example/?x=1', '--base-url: baseUrl: contains a query (from ? on); write the URL without it'],
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

  test('rejects a malformed base URL of the environment', async () => {
    const { code, stderr } = await conformance(['init', 'refused.yaml'], {
      ...here,
      env: { CONFORMANCE_BASE_URL: 'x' },
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^conformance: --base-url: baseUrl: found "x"/)]);
  });

  test('lists its options, and never takes a secret as an option', async () => {
    const { stdout } = await conformance(['init', '--help'], here);
    for (const option of ['base-url', 'secrets', 'write-secrets', 'openapi', 'ca', 'no-probe', 'yes']) {
      expect(stdout).toContain(`--${option}`);
    }
    expect(stdout).not.toMatch(/--(seller|buyer|key|secret )/);
  });
});

describe('init against the reference service', () => {
  test('writes a file with which doctor passes', async () => {
    const reference = await startReference();
    try {
      const { document } = usualDocument();
      writeFileSync(join(folder, 'service.yaml'), stringify(document));
      const { seller, buyer } = reference.target.actors;
      const env = {
        CONFORMANCE_BASE_URL: reference.baseUrl,
        CONFORMANCE_SELLER_KEY: seller.key,
        CONFORMANCE_SELLER_SECRET: seller.secret,
        BUYER_KEY: buyer.key,
        BUYER_SECRET: buyer.secret,
      };
      const init = await conformance(['init', 'plain.yaml'], { ...here, env });
      expect([init.code, init.stdout]).toEqual([
        0,
        expect.stringContaining('operations.read: GET /api/v1/invoices/{id} (returned 200)'),
      ]);
      expect(init.stdout).toMatch(/doctor --target plain\.yaml$/m);
      const plain = await conformance(['doctor', '--target', 'plain.yaml', '--profile', 'smoke'], { ...here, env });
      expect([plain.code, plain.stderr]).toEqual([0, '']);

      const stored = await conformance(
        ['init', 'stored.yaml', '--openapi', 'service.yaml', '--write-secrets', '.env'],
        {
          ...here,
          env,
        },
      );
      expect(stored.stdout).toMatch(/doctor --target stored\.yaml --secrets \.env$/m);
      expect(parse(readFileSync(join(folder, 'stored.yaml'), 'utf8'))).toMatchObject({
        actors: {
          seller: { key: '${CONFORMANCE_SELLER_KEY}', organizationId: seller.organizationId },
          buyer: { key: '${BUYER_KEY}', organizationId: buyer.organizationId },
        },
      });
      const doctor = ['doctor', '--target', 'stored.yaml', '--secrets', '.env', '--profile', 'core', '--probe'];
      const { code, stdout, stderr } = await conformance(doctor, here);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^ready$/m);
      for (const output of [init, stored]) {
        expect(`${output.stdout}${output.stderr}`).not.toContain(seller.secret);
        expect(`${output.stdout}${output.stderr}`).not.toContain(seller.key);
      }
    } finally {
      await reference.close();
    }
  });
});

test('Ctrl-C while init waits for the server writes nothing', async () => {
  let kill: (signal: NodeJS.Signals) => void = () => {};
  const silent = createServer(() => kill('SIGINT')).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { code, stdout, stderr } = await conformance(['init', 'none.yaml', '--base-url', `http://127.0.0.1:${port}`], {
    ...here,
    env: { SELLER_KEY: 'svc_sand_x', SELLER_SECRET: 'y' },
    onStart: (send) => {
      kill = send;
    },
  });
  silent.closeAllConnections();
  silent.close();
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/\nconformance: init was interrupted; nothing was written\n$/);
  expect(existsSync(join(folder, 'none.yaml'))).toBe(false);
});
