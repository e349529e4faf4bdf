import { describe, expect, test } from 'vitest';
import { ResponseObservations } from '../../../engine/ledger/response-observations.ts';
import { received as answer } from '../support/responses.ts';

describe('the observations of responses', () => {
  test('are every status, every code with its status, and the headers of a rate limiter', () => {
    const sightings = new ResponseObservations();
    sightings.observe(answer({ status: 404, json: { error: 'no', code: 'INV001' } }));
    sightings.observe(answer({ status: 200, json: {}, headers: [['x-ratelimit-remaining', '7']] }));
    sightings.observe(answer({ status: 429, json: { code: 'R1' }, headers: [['x-ratelimit-reset', '1700000000']] }));
    sightings.observe(answer({ status: 404, json: { error: 'no', code: 'INV001' } }));
    expect(sightings.observations()).toEqual([
      ['statuses-seen', [200, 404, 429]],
      ['codes-seen', ['INV001 with 404', 'R1 with 429']],
      ['rate-limit', ['429 with X-RateLimit-Reset 9', 'header x-ratelimit-remaining', 'header x-ratelimit-reset']],
    ]);
  });

  test('say that no rate limiter was met, and are empty without responses', () => {
    const sightings = new ResponseObservations();
    expect(sightings.observations()).toEqual([]);
    sightings.observe(answer({ status: 200, json: {} }));
    expect(sightings.observations().at(-1)).toEqual(['rate-limit', expect.stringContaining('no 429')]);
  });
});
