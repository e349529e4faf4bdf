import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { packageRoot } from '../../../specs/code-location.ts';
import { conformance, node, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const require = createRequire(import.meta.url);
const { folder, remove } = temporaryFolder();
let service: RunningReference;

beforeAll(async () => {
  service = await startReference();
  writeFileSync(join(folder, 'target.json'), JSON.stringify(service.target));
  // A project that has installed the kit.
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, path] of [
    ['invoicing-network-conformance', packageRoot],
    ['vitest', dirname(require.resolve('vitest/package.json'))],
    ['@types', join(packageRoot, 'node_modules/@types')],
  ] as const)
    symlinkSync(path, join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'portal.ts'), PORTAL);
});
afterAll(async () => {
  await service.close();
  remove();
});

const PORTAL = `import assert from 'node:assert/strict';
import {
  createInvoice,
  defineCustomArea,
  expectAccepted,
  expectThat,
  invoiceIn,
  readInvoice,
  sendRequest,
} from 'invoicing-network-conformance/checks';

const expected: number = 200;

export default defineCustomArea({
  area: 'partner-portal',
  requirements: [
    {
      id: 'PORTAL-01',
      statement: 'An invoice shows the tax id of its seller.',
      place: 'Portal guide, chapter 3',
      checks: [
        {
          name: 'tax-id',
          title: 'A read invoice contains the tax id of the seller',
          needs: ['connection', 'read'],
          body: async (ctx) => {
            const { id } = await createInvoice(ctx);
            const response = await readInvoice(ctx, id);
            expectAccepted(ctx, response, 'the invoice');
            const shown = invoiceIn(response)?.sellerTaxId !== undefined;
            expectThat(ctx, shown, response, 'a member sellerTaxId', 'the invoice has no sellerTaxId');
          },
        },
        {
          name: 'list',
          title: 'The list accepts a page of one',
          needs: ['seller'],
          body: async (ctx) => {
            const response = await sendRequest(ctx, { method: 'GET', path: '/api/v1/invoices?limit=1' });
            assert.equal(response.status, expected);
          },
        },
        {
          name: 'webhooks',
          title: 'The list of webhooks is short',
          needs: ['outsider'],
          body: async () => {},
        },
      ],
    },
  ],
});
`;

describe('run --custom-checks', () => {
  test('judges the checks of a TypeScript file in addition to the contract', async () => {
    const { code, stdout, stderr } = await conformance(
      ['run', '--target', 'target.json', '--only', 'AUTH-01', '--custom-checks', 'portal.ts', '--out', 'out'],
      { cwd: folder },
    );
    expect(code, stdout + stderr).toBe(1);
    expect(stdout).toContain('custom checks, partner-portal: 1 failed · 2 passed');
    expect(stdout).toContain('gate failed: 1 failed custom check (PORTAL-01.tax-id)');
    const report = reportIn(join(folder, 'out'));
    expect(report.verdict).toBe('passed');
    const [area] = report.custom;
    const checks = area?.requirements.flatMap((requirement) => requirement.checks) ?? [];
    expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['PORTAL-01.tax-id', 'fail'],
      ['PORTAL-01.list', 'pass'],
      ['PORTAL-01.webhooks', 'pass'],
    ]);
    expect(checks[0]?.exchanges.length).toBeGreaterThan(1);
    expect(report.leftovers.filter(({ what }) => what.includes('DRAFT'))).toEqual([]);
  });

  test.each([
    ['missing.ts', '', '--custom-checks: missing.ts does not exist; name a file'],
    ['.', '', '--custom-checks: . is a folder; name each file in it with its own --custom-checks'],
    ['syntax.ts', 'export default {', '--custom-checks: syntax.ts cannot be loaded: Transform failed with 1 error: '],
    ['exit.ts', 'process.exit(0);', '--custom-checks: the process ended before the command did; remove process.exit'],
    ['wait.ts', 'await new Promise(() => {});', '--custom-checks: the process ended before the command did; remove '],
    ['import.ts', "import 'not-installed'; export default {};", '--custom-checks: import.ts cannot be loaded: '],
    ['empty.ts', 'export const area = 1;', '--custom-checks: empty.ts: has no default export with custom checks'],
    ['name.ts', PORTAL.replace("'tax-id'", "'Tax Id'"), 'requirements[0].checks[0].name: must be lower-case words'],
  ])('rejects %s before it sends a request', async (file, content, expected) => {
    if (content !== '') writeFileSync(join(folder, file), content);
    const { code, stdout, stderr } = await conformance(
      ['run', '--target', 'target.json', '--custom-checks', file, '--out', 'rejected'],
      { cwd: folder },
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr.trim().split('\n').length).toBe(1);
  });

  test('excludes --shard', async () => {
    const { code, stderr } = await conformance(['run', '--shard', '1/2', '--custom-checks', 'portal.ts']);
    expect(code).toBe(2);
    expect(stderr).toContain('--custom-checks');
  });
});

describe('the suites in the vitest of a project', () => {
  test('run with custom checks, and with correct types', async () => {
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `import { conformanceProject } from 'invoicing-network-conformance/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { projects: [conformanceProject('contract.ts')] } });
`,
    );
    writeFileSync(
      join(folder, 'contract.ts'),
      `import { registerSuites } from 'invoicing-network-conformance/suites';
import portal from './portal.ts';

await registerSuites(portal);
`,
    );
    const { code, stdout } = await node(
      [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter', 'verbose'],
      {
        cwd: folder,
        env: {
          NO_COLOR: '1',
          CONFORMANCE_TARGET: join(folder, 'target.json'),
          CONFORMANCE_ONLY: 'AUTH-01.both-missing',
        },
      },
    );
    expect(code, stdout).toBe(1);
    expect(stdout).toMatch(/✓ .*AUTH-01\.both-missing/);
    expect(stdout).toMatch(/✓ .*custom checks > PORTAL-01\.list/);
    expect(stdout).toMatch(/× .*custom checks > PORTAL-01\.tax-id/);
    const options = {
      strict: true,
      module: 'nodenext',
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    const files = ['portal.ts', 'contract.ts', 'vitest.config.ts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
    const types = await node([join(packageRoot, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder });
    expect(types).toMatchObject({ code: 0, stdout: '' });
  });
});
