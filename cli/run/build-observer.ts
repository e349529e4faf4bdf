import type { WireResponse, WireResult } from '../../engine/transport/transport.ts';
import { isFailure } from '../../engine/transport/transport.ts';

/** What a request shows of the build that answers. */
export interface Glimpse {
  readonly result: WireResult;
  /** Whether the server had closed the connection of the request before. */
  readonly reopened: boolean;
}

/** Responses after which a header or a body that never changed belongs to the build. */
const LEARNING_RESPONSES = 3;
/** A gateway without a server behind it. */
const DOWN_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const TOO_MANY_REQUESTS = 429;
/** Headers that change between responses of one build. */
const CHANGING_HEADER =
  /^(date|age|expires|etag|set-cookie|retry-after|content-length)$|rate-?limit|request|trace|correlation/;

/** Notices that another build of a server answers: it was down, it closed its connection, or its response is another one. */
export class BuildObserver {
  /** Whether the server did not respond to the last request. */
  isDown: boolean;
  private wasReopened: boolean | undefined;
  private responses = 0;
  /** The parts of the responses that all had in common. */
  private common: Map<string, string> | undefined;

  /** `isDown`: whether the server did not respond before the first request. */
  constructor(isDown = false) {
    this.isDown = isDown;
  }

  /** The sign of a new build, as a clause about the server; null without one. */
  see({ result, reopened }: Glimpse): string | null {
    if (isFailure(result) || DOWN_STATUSES.has(result.status)) {
      this.isDown = true;
      return null;
    }
    if (result.status === TOO_MANY_REQUESTS) return null;
    if (this.isDown) return 'responds again';
    const hasRestarted = reopened && this.wasReopened === false;
    this.wasReopened = this.responses === 0 ? undefined : reopened;
    if (hasRestarted) return 'has restarted';
    const parts = buildParts(result);
    const before = this.common ?? parts;
    const changed = [...before].filter(([name, value]) => parts.get(name) !== value).map(([name]) => name);
    this.responses += 1;
    if (changed.length > 0 && this.responses > LEARNING_RESPONSES) return `responds with another ${changed[0]}`;
    this.common = new Map([...before].filter(([name]) => !changed.includes(name)));
    return null;
  }
}

function buildParts({ status, headers, text }: WireResponse): Map<string, string> {
  const stable = headers.filter(([name]) => !CHANGING_HEADER.test(name));
  return new Map([
    ['status', String(status)],
    ...stable.map(([name, value]) => [`header ${name}`, value] as const),
    ['body', text],
  ]);
}
