import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startReference } from '../../../reference/service/start.ts';
import { startHttpProxy } from '../../hostile/support/http-proxy.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

test('doctor uses the proxy of the environment or of the secrets file', async () => {
  const { folder, remove } = temporaryFolder();
  const service = await startReference();
  onTestFinished(async () => {
    await service.close();
    remove();
  });
  const { address, passed } = await startHttpProxy({ user: 'kit:pass-word' });
  const { key, secret } = service.target.actors.seller;
  const proxy = `http_proxy=http://kit:pass-word@${address}`;
  const keys = `CONFORMANCE_SELLER_KEY=${key}\nCONFORMANCE_SELLER_SECRET=${secret}\n`;
  writeFileSync(join(folder, 'keys.env'), keys);
  writeFileSync(join(folder, 'all.env'), `${keys}${proxy}\n`);
  // Only the proxy can resolve this name.
  const args = ['doctor', '--base-url', `http://sandbox.invalid:${new URL(service.baseUrl).port}`, '--secrets'];

  expect((await conformance([...args, 'keys.env'], { cwd: folder })).code).toBe(2);
  expect(passed).toEqual([]);
  const [name = '', value = ''] = proxy.split(/=(.*)/);
  const fromEnvironment = await conformance([...args, 'keys.env'], { cwd: folder, env: { [name]: value } });
  const fromFile = await conformance([...args, 'all.env'], { cwd: folder });
  for (const { stdout, stderr } of [fromEnvironment, fromFile]) {
    expect(stdout, stderr).toContain('seller');
    expect(stdout + stderr).not.toContain('pass-word');
  }
  const refused = await conformance([...args, 'keys.env'], { cwd: folder, env: { http_proxy: `http://${address}` } });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/proxy \(http_proxy\): no response from .*407/),
  ]);
});
