import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationFault } from '../../engine/configuration-fault.ts';
import { Receiver } from '../../engine/receiver.ts';

async function opened(publicUrl?: string): Promise<Receiver> {
  const receiver = await Receiver.open('127.0.0.1:0', publicUrl);
  onTestFinished(() => receiver.close());
  return receiver;
}

describe('the receiver of deliveries', () => {
  test('answers each with 200 and keeps what came, in order', async () => {
    const receiver = await opened();
    const send = (path: string, body: string) =>
      fetch(receiver.urlFor(path), { method: 'POST', body, headers: { 'X-Signature': 'abc' } });
    expect((await send('/one', '{"a":"ü"}')).status).toBe(200);
    expect((await send('/two', '')).status).toBe(200);
    expect(receiver.deliveries).toMatchObject([
      { path: '/one', body: '{"a":"ü"}', headers: { 'x-signature': 'abc' } },
      { path: '/two', body: '' },
    ]);
  });

  test('tells the address at which the target reaches it', async () => {
    expect((await opened()).urlFor('/x')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/x$/);
    expect((await opened('https://hooks.example.com/kit/')).urlFor('/x')).toBe('https://hooks.example.com/kit/x');
  });

  test('that cannot listen is a problem of the target file', async () => {
    const { port } = new URL((await opened()).urlFor('/'));
    const again = Receiver.open(`127.0.0.1:${port}`);
    await expect(again).rejects.toThrow(ConfigurationFault);
    await expect(again).rejects.toThrow(/^webhooks\.listen: cannot listen on/);
  });
});
