import { expect, test } from 'vitest';
import { assertServiceAvailable } from '../../../engine/preflight/availability.ts';
import { targetAt } from '../support/targets.ts';

const target = targetAt('https://staging.example.com');
const listed = (...statuses: (number | null)[]) => statuses.map((status) => ({ status }));

test('names the status that every actor gets from an unavailable service', () => {
  expect(() => assertServiceAvailable(target, listed(503, 503))).toThrow(
    'baseUrl: https://staging.example.com returns 503 to every request; start the service behind the gateway',
  );
  expect(() => assertServiceAvailable(target, listed(429))).toThrow('wait until its rate limit allows requests');
});

test.each([[listed(200, 503)], [listed(401)], [listed(null)], [[]]])('accepts %j', (actors) => {
  expect(() => assertServiceAvailable(target, actors)).not.toThrow();
});
