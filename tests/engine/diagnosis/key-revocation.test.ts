import { expect, test, vi } from 'vitest';
import { KeyRevocation } from '../../../engine/diagnosis/key-revocation.ts';
import type { ApiRequest, ApiResponse } from '../../../engine/model/messages.ts';
import type { Target } from '../../../specs/target-file/target.ts';

const target = { actors: { seller: { key: 'svc_sand_seller', secret: 'secret' } } } as unknown as Target;

/** A server that responds to the next probes with these statuses. The last one is repeated. */
function ends(...statuses: number[]) {
  const send = vi.fn(
    async (ask: ApiRequest) =>
      ({ request: ask, status: statuses.length > 1 ? statuses.shift() : statuses[0] }) as ApiResponse,
  );
  return { send, keyEnds: new KeyRevocation(target, { send }) };
}

const seen = (status: number) => ({ status, request: { actor: 'seller' } }) as ApiResponse;

test('an accepted key that is rejected in every request is revoked', async () => {
  const { send, keyEnds } = ends(401);
  keyEnds.observe(seen(200));
  expect(await keyEnds.findRevoked(['seller'])).toBe('seller');
  expect(send).toHaveBeenCalledTimes(3);
  expect(await keyEnds.findRevoked(['seller'])).toBe('seller');
  expect(send).toHaveBeenCalledTimes(3);
});

test('a key that is sometimes rejected is not revoked', async () => {
  const { keyEnds } = ends(401, 401, 200);
  keyEnds.observe(seen(200));
  expect(await keyEnds.findRevoked(['seller'])).toBeNull();
});

test('a failed probe is repeated', async () => {
  const { send, keyEnds } = ends(401);
  keyEnds.observe(seen(200));
  send.mockRejectedValueOnce(new Error('no answer'));
  await expect(keyEnds.findRevoked(['seller'])).rejects.toThrow('no answer');
  expect(await keyEnds.findRevoked(['seller'])).toBe('seller');
});

test('a key that was never accepted is not revoked during the run', async () => {
  const { send, keyEnds } = ends(401);
  keyEnds.observe(seen(401));
  expect(await keyEnds.findRevoked(['seller'])).toBeNull();
  expect(send).not.toHaveBeenCalled();
});

test('a key that was accepted before the first check may be revoked', async () => {
  const { keyEnds } = ends(401);
  expect(await keyEnds.findRevoked(['seller'])).toBeNull();
  keyEnds.markAccepted('seller');
  expect(await keyEnds.findRevoked(['seller'])).toBe('seller');
});
