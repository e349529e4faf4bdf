import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { startReference } from '../../../reference/service/start.ts';
import { leaveOfEarlierRuns } from '../../hostile/support/earlier-runs.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

const OTHERS_URL = 'https://receiver.test/hook';

/** A sandbox with leftovers of earlier runs, and with invoices and a subscription of other users. */
async function used() {
  const service = await startReference();
  onTestFinished(() => service.close());
  const { SANDBOX } = service.reference.service.store.worlds;
  const others = structuredClone([...SANDBOX.invoices]);
  leaveOfEarlierRuns(service.reference, 300);
  const { organizationId } = service.reference.fixtures.actors.seller;
  const subscription = { organizationId, eventTypes: [], signingSecret: undefined, createdAt: '' };
  SANDBOX.subscriptions.push(
    { id: 'own', url: 'http://127.0.0.1:1/conformance-0000000a/settlement', ...subscription },
    { id: 'other', url: OTHERS_URL, ...subscription },
  );
  const file = join(folder, 'target.yaml');
  const write = (changes: object = {}) => writeFileSync(file, stringify({ ...service.target, ...changes }));
  write();
  const marked = () =>
    [...SANDBOX.invoices.values()].filter(({ description }) => /conformance/.test(description ?? ''));
  const states = () => [...new Set(marked().map(({ status }) => status))].sort();
  return { SANDBOX, others, states, write, service };
}

test('removes only items with the mark of the kit', async () => {
  const { SANDBOX, others, states } = await used();
  const dry = await conformance(['cleanup', '--target', 'target.yaml', '--dry-run'], { cwd: folder });
  expect(dry.code, dry.stderr).toBe(0);
  expect(dry.stdout).toMatch(/^would be removed +48 × invoice DISPUTED$/m);
  expect(dry.stdout).toMatch(/^would be removed +1 × webhook subscription$/m);
  expect([states(), SANDBOX.subscriptions.length]).toEqual([['APPROVED', 'CANCELLED', 'DISPUTED', 'SETTLED'], 2]);

  const done = await conformance(['cleanup', '--target', 'target.yaml'], { cwd: folder });
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toMatch(/^removed +48 × invoice DISPUTED$/m);
  expect(done.stdout).toMatch(/^removed +1 × webhook subscription$/m);
  expect(done.stdout).toMatch(/^stays +\d+ × invoice SETTLED +no action removes an invoice in this state$/m);
  expect(states()).toEqual(['APPROVED', 'CANCELLED', 'SETTLED']);
  expect(SANDBOX.subscriptions.map(({ url }) => url)).toEqual([OTHERS_URL]);
  for (const [id, invoice] of others) expect(SANDBOX.invoices.get(id)).toEqual(invoice);
});

test('a wrong key ends with exit 2 and removes nothing', async () => {
  const { write, service, states } = await used();
  const { actors } = service.target;
  write({ actors: { ...actors, seller: { ...actors.seller, secret: 'not-the-secret-of-anybody' } } });
  const { code, stderr } = await conformance(['cleanup', '--target', 'target.yaml'], { cwd: folder });
  expect([code, states()]).toEqual([2, ['APPROVED', 'CANCELLED', 'DISPUTED', 'SETTLED']]);
  expect(stderr).toContain('actors.seller');
});

test('names the items that it cannot search for', async () => {
  const { write, service } = await used();
  const { webhookList: _, ...operations } = service.target.operations;
  write({ operations });
  const { stdout } = await conformance(['cleanup', '--target', 'target.yaml'], { cwd: folder });
  expect(stdout).toContain('bind operations.webhookList and operations.webhookDelete');
});

test('names the invoices that remain because of a wrong binding, and ends with exit 3', async () => {
  const { write, service, SANDBOX } = await used();
  const { operations } = service.target;
  for (const [id, invoice] of SANDBOX.invoices) {
    if (/conformance/.test(invoice.description ?? '') && invoice.status === 'DISPUTED') {
      SANDBOX.invoices.set(id, { ...invoice, status: 'DRAFT' });
    }
  }
  write({ operations: { ...operations, delete: { ...operations.delete, path: '/api/v1/invoice/{id}' } } });
  const { code, stdout } = await conformance(['cleanup', '--target', 'target.yaml'], { cwd: folder });
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /^stays +48 × invoice DRAFT +DELETE \/api\/v1\/invoice\/\{id\} returned 404; correct operations\.delete$/m,
  );
  const draft = [...SANDBOX.invoices].find(
    ([, { status, description }]) => status === 'DRAFT' && /conformance/.test(description ?? ''),
  );
  expect(stdout).toContain(`\n  invoice DRAFT ${draft?.[0]}\n`);
});

test.each([['doctor'], ['doctor', '--probe'], ['cleanup']])(
  '%s %s names a server that is unavailable',
  async (...command) => {
    const gateway = createServer((_, response) => response.writeHead(503).end('no healthy upstream'));
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void gateway.close());
    const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const args = [...command.filter((each) => each !== undefined), '--base-url', baseUrl];
    const env = { CONFORMANCE_SELLER_KEY: 'svc_sand_seller', CONFORMANCE_SELLER_SECRET: 'the-secret-of-the-seller' };
    expect(await conformance(args, { cwd: folder, env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `conformance: baseUrl: ${baseUrl} returns 503 to every request; start the service behind the gateway\n`,
    });
  },
);
