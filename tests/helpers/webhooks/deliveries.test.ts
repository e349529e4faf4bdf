import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isUnrequestedBookingDelivery, summarizeDeliveries } from '../../../helpers/webhooks/deliveries.ts';
import { describeSignature } from '../../../helpers/webhooks/delivery-signature.ts';

const SECRET = 'chosen-by-the-subscriber';
const body = '{"kind":"PAYMENT_COMPLETED"}';
const delivery = (headers: Record<string, string>) => ({ path: '/here', at: new Date(0), headers, body });

describe('a delivery', () => {
  test.each(['sha256', 'sha512'])('signed with HMAC-%s is recorded as such', (algorithm) => {
    const mark = createHmac(algorithm, SECRET).update(body).digest('base64');
    const told = describeSignature(delivery({ host: 'here', 'x-mark': `v1=${mark}` }), SECRET);
    expect(told).toBe(`x-mark holds the HMAC-${algorithm} of the body in base64`);
  });

  test('signed in another way, or not at all, is recorded as such', () => {
    expect(describeSignature(delivery({ 'x-signature': 'v1=0000' }), SECRET)).toBe(
      'x-signature holds a signature of another scheme',
    );
    expect(describeSignature(delivery({ host: 'here' }), SECRET)).toBe('no header holds a signature');
  });

  test('is recorded as one or several for its payment, with the headers of the first', () => {
    const own = delivery({ 'x-try': '1', 'x-event': 'a', 'max-x-age': '1', host: 'here' });
    const other = delivery({ 'x-other': '2' });
    const told = { headers: ['x-event', 'x-try'], signature: 'no header holds a signature' };
    const isOwn = ({ headers }: { headers: Record<string, string> }) => 'x-try' in headers;
    expect(summarizeDeliveries([other, own], SECRET, isOwn)).toEqual({ deliveries: 'one', ...told });
    expect(summarizeDeliveries([own, other, own], SECRET, isOwn)).toEqual({ deliveries: 'several', ...told });
    expect(summarizeDeliveries([own, other], SECRET, () => false)).toEqual({ deliveries: 'unknown', ...told });
    expect(summarizeDeliveries([], SECRET, isOwn)).toBe('none');
  });
});

test.each([
  ['{"type":"BOOKING_CREATED"}', {}, true],
  ['{"type":"BOOKING_UPDATED"}', {}, false],
  ['{"type":"BOOKING_UPDATED","after":"BOOKING_CREATED"}', {}, false],
  ['{"cause":"BOOKING_CREATED"}', { 'x-event': 'booking.updated' }, false],
  ['{"text":"BOOKING_CREATED was before"}', {}, false],
  ['{"invoice":"1"}', {}, false],
])('%s with %j is of the kind that is no update: %s', (told, headers, expected) => {
  expect(isUnrequestedBookingDelivery({ path: '/', at: new Date(0), headers, body: told }, ['BOOKING_UPDATED'])).toBe(
    expected,
  );
});
