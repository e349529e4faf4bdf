import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isReceiverUrl, receiverPathSegment, WebhookReceiver } from '../../../engine/http/webhook-receiver.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';

const MARK = receiverPathSegment('0123456789ab');

async function opened(publicUrl?: string): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.open('127.0.0.1:0', publicUrl, MARK);
  onTestFinished(() => receiver.close());
  return receiver;
}

describe('the receiver of deliveries', () => {
  test('returns 200 to each delivery and keeps the deliveries in order', async () => {
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

  test('reads a compressed delivery, and keeps one that cannot be decoded', async () => {
    const receiver = await opened();
    const headers = { 'Content-Encoding': 'gzip' };
    await fetch(receiver.urlFor('/hook'), { method: 'POST', headers, body: gzipSync('{"id":"7"}') });
    await fetch(receiver.urlFor('/hook'), { method: 'POST', headers, body: 'not compressed' });
    expect(receiver.deliveries.map(({ body }) => body)).toEqual(['{"id":"7"}', 'not compressed']);
  });

  test.each([
    ['JSON, as Slack sends it', '', '{"type":"url_verification","token":"t","challenge":"c-1"}', '{"challenge":"c-1"}'],
    ['JSON of Azure', '', '[{"id":"1","data":{"validationCode":"c-1"}}]', '{"validationResponse":"c-1"}'],
    ['a query', '?challenge=c-1', '', 'c-1'],
    ['a query of WebSub', '?hub.mode=subscribe&hub.challenge=c%2B1%20x', undefined, 'c+1 x'],
    ['a query of Microsoft Graph', '?validationToken=c-1', '', 'c-1'],
  ])('returns a challenge in %s, which is no delivery', async (_, query, body, expected) => {
    const receiver = await opened();
    receiver.unreachableReason = 'nobody was heard';
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(receiver.urlFor(`/hook${query}`), { method, ...(body !== undefined && { body }) });
    const type = expected.startsWith('{') ? 'application/json' : 'text/plain';
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      type,
      expected,
    ]);
    expect([receiver.deliveries, receiver.unreachableReason]).toEqual([[], null]);
  });

  test('returns a challenge in a form, or in JSON for a text response, as text', async () => {
    const url = (await opened()).urlFor('/hook');
    const form = await fetch(url, { method: 'POST', body: new URLSearchParams({ challenge: 'c-1' }) });
    const headers = { Accept: 'text/plain' };
    const text = await fetch(url, { method: 'POST', headers, body: '{"challenge":"c-1"}' });
    expect([await form.text(), await text.text()]).toEqual(['c-1', 'c-1']);
  });

  test('keeps deliveries that name an event with any other content, and no availability probes', async () => {
    const receiver = await opened();
    const event = JSON.stringify({ eventType: 'PAYMENT_COMPLETED', challenge: 'none' });
    expect(await (await fetch(receiver.urlFor('/hook'), { method: 'POST', body: event })).text()).toBe('{}');
    await fetch(receiver.urlFor('/hook'));
    await fetch(receiver.urlFor('/hook'), { method: 'HEAD' });
    expect(receiver.deliveries).toMatchObject([{ body: event }]);
  });

  test('shows the address at which the target reaches it', async () => {
    expect((await opened()).urlFor('/x')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/conformance-01234567\/x$/);
    const url = (await opened('https://hooks.example.com/kit/')).urlFor('/x');
    expect(url).toBe('https://hooks.example.com/kit/conformance-01234567/x');
    expect(isReceiverUrl(url)).toBe(true);
    expect(isReceiverUrl('https://hooks.example.com/kit/x')).toBe(false);
  });

  test('ignores deliveries to the address of another run, and keeps those without one', async () => {
    const receiver = await opened();
    const { origin } = new URL(receiver.urlFor('/'));
    for (const path of ['/conformance-76543210/one', '/kit/conformance-01234567/two?of=it', '/'])
      await fetch(`${origin}${path}`, { method: 'POST', body: '{}' });
    expect(receiver.deliveries.map(({ path }) => path)).toEqual(['/two?of=it', '/']);
  });

  test('that cannot listen is a problem of the target file', async () => {
    const { port } = new URL((await opened()).urlFor('/'));
    const again = WebhookReceiver.open(`127.0.0.1:${port}`, undefined, MARK);
    await expect(again).rejects.toThrow(ConfigurationError);
    await expect(again).rejects.toThrow(/^webhooks\.listen: cannot listen on/);
  });
});
