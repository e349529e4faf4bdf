import type { ObservationId } from '../../specs/generated/ids.ts';
import type { JsonValue } from '../model/json-value.ts';
import { type ApiResponse, bodyMember, headerValue } from '../model/messages.ts';

/** Limits the memory of a run. Real servers stay far below it. */
const MAX_VALUES = 1000;

/** Observations from the responses of a run about unspecified behaviour. */
export class ResponseObservations {
  private readonly statuses = new Set<number>();
  private readonly codes = new Set<string>();
  private readonly rateLimitSigns = new Set<string>();

  observe(response: ApiResponse): void {
    this.statuses.add(response.status);
    const code = bodyMember(response, 'code');
    if (typeof code === 'string' && this.codes.size < MAX_VALUES) this.codes.add(`${code} with ${response.status}`);
    for (const [name] of response.headers) {
      if (/rate-?limit|retry-after/.test(name) && this.rateLimitSigns.size < MAX_VALUES)
        this.rateLimitSigns.add(`header ${name}`);
    }
    if (response.status !== 429) return;
    const reset = headerValue(response, 'x-ratelimit-reset') ?? 'absent';
    if (this.rateLimitSigns.size < MAX_VALUES)
      this.rateLimitSigns.add(`429 with X-RateLimit-Reset ${reset.replaceAll(/\d+/g, '9')}`);
  }

  observations(): [ObservationId, JsonValue][] {
    if (this.statuses.size === 0) return [];
    return [
      ['statuses-seen', [...this.statuses].sort((one, other) => one - other)],
      ['codes-seen', [...this.codes].sort()],
      [
        'rate-limit',
        this.rateLimitSigns.size === 0
          ? 'no 429 and no header of a rate limiter was observed'
          : [...this.rateLimitSigns].sort(),
      ],
    ];
  }
}
