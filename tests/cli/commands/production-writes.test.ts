import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { conformance, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const services: RunningReference[] = [];
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  remove();
});

type Operations = Partial<RunningReference['target']['operations']>;

/** A service and its target file, with an address that the kit does not recognise as this machine. */
async function served(
  allow: Record<string, boolean>,
  binds: (operations: Operations) => Operations = (operations) => operations,
): Promise<{ service: RunningReference; file: string; env: Record<string, string> }> {
  const service = await startReference();
  services.push(service);
  const env: Record<string, string> = {};
  const actors = Object.fromEntries(
    Object.entries(service.target.actors).map(([name, { key, secret, organizationId }]) => {
      const variable = `SECRET_OF_${name.toUpperCase()}`;
      env[variable] = secret;
      return [name, { key, secret: `\${${variable}}`, organizationId }];
    }),
  );
  const baseUrl = service.baseUrl.replace('127.0.0.1', '0.0.0.0');
  const file = `${services.length}.yaml`;
  writeFileSync(
    join(folder, file),
    stringify({ ...service.target, baseUrl, actors, allow, operations: binds(service.target.operations) }),
  );
  return { service, file, env };
}

const idsInProduction = ({ reference }: RunningReference) =>
  [...reference.service.store.worlds.PRODUCTION.invoices.values()].map(({ id, status }) => `${id} ${status}`);

describe('a run whose target file allows writes to production', () => {
  test('says so in its first line and in its verdict, and removes the created items', async () => {
    const { service, file, env } = await served({ productionWrites: true });
    const before = idsInProduction(service);
    const only = 'ENV-04.production-key-decides,ISO-01.replayed,ISO-02.act';
    const run = await conformance(['run', '--target', file, '--only', only, '--out', 'on'], { cwd: folder, env });
    expect(run.code, run.stderr + run.stdout).toBe(0);
    expect(run.stderr.split('\n')[0]).toMatch(
      /^WARNING: THIS RUN WRITES TO PRODUCTION at http:\/\/0\.0\.0\.0:\d+: allow\.productionWrites/,
    );
    const report = reportIn(join(folder, 'on'));
    expect(report.target.allow.productionWrites).toBe(true);
    expect(report.headline).toContain('production writes were allowed');
    // One check of each kind, and the control of one of them.
    const made = report.removed.filter(({ what }) => what.startsWith('production invoice '));
    expect(made.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    expect(report.leftovers.filter(({ what }) => what.startsWith('production'))).toEqual([]);
    // Submitted invoices are cancelled, because no action deletes them.
    const rest = idsInProduction(service).filter((each) => !before.includes(each));
    expect(rest).toEqual([expect.stringMatching(/ CANCELLED$/)]);
    expect(idsInProduction(service)).toEqual(expect.arrayContaining(before));
  });

  test('lists production invoices that it cannot remove as leftovers', async () => {
    const { service, file, env } = await served(
      { productionWrites: true },
      ({ delete: _, cancel: __, ...rest }) => rest,
    );
    const only = 'ENV-04.production-key-decides';
    await conformance(['run', '--target', file, '--only', only, '--out', 'left'], { cwd: folder, env });
    const left = reportIn(join(folder, 'left')).leftovers.filter(({ what }) => what === 'production invoice DRAFT');
    expect(left).toEqual([
      { what: 'production invoice DRAFT', id: expect.stringMatching(/^production /), reason: 'not deleted' },
    ]);
    expect(idsInProduction(service)).toContain(`${left[0]?.id.replace('production ', '')} DRAFT`);
  });

  test('writes nothing and does not warn in the profile read-only', async () => {
    const { service, file, env } = await served({ productionWrites: true });
    const before = idsInProduction(service);
    const run = await conformance(['run', '--target', file, '--profile', 'read-only', '--out', 'read'], {
      cwd: folder,
      env,
    });
    expect(run.code, run.stderr + run.stdout).toBe(0);
    expect(run.stderr).not.toContain('WRITES TO PRODUCTION');
    expect(idsInProduction(service)).toEqual(before);
  });
});

test('leaves those checks out and changes nothing in production if writes are not allowed', async () => {
  const { service, file, env } = await served({});
  const before = idsInProduction(service);
  const run = await conformance(['run', '--target', file, '--only', 'ENV,ISO-01,ISO-02', '--out', 'off'], {
    cwd: folder,
    env,
  });
  expect(run.code, run.stderr + run.stdout).toBe(0);
  const report = reportIn(join(folder, 'off'));
  expect(report.excluded.map(({ check }) => check)).toContain('ISO-02.act');
  expect(report.headline).toContain('productionWrites (not allowed)');
  expect(idsInProduction(service)).toEqual(before);
});
