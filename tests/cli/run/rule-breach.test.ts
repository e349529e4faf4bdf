import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { allFaults } from '../../../reference/faults/all.ts';
import { startReference } from '../../../reference/service/start.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

it('a broken rule about every exchange is named when it is seen, and judged at the end', async () => {
  const server = await startReference(allFaults.find(({ id }) => id === 'err-404-without-error'));
  const target = join(folder, 'target.json');
  writeFileSync(target, JSON.stringify(server.target));
  const { code, stderr } = await conformance([
    ...['run', '--target', target, '--profile', 'smoke', '--out', join(folder, 'out')],
  ]);
  await server.close();
  expect(code).toBe(1);
  expect(stderr.match(/^(seen|fail) {2}ERR-02\.error {2}the 404 response to .* has no error/gm)).toHaveLength(2);
  expect(stderr.indexOf('seen  ERR-02.error')).toBeLessThan(stderr.indexOf('fail  ERR-02.error'));
});
