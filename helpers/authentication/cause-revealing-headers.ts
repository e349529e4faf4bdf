import type { ApiResponse } from '../../engine/model/messages.ts';

/** Header names that usually carry an error cause. */
const CAUSE_REVEALING_HEADER = /(^|[-_])(error|code|reason|cause|failure)([-_]|$)/;
const CHALLENGE_HEADER = 'www-authenticate';
/** The error code of a challenge, as in RFC 6750: `Bearer realm="api", error="invalid_token"`. */
const CHALLENGE_ERROR = /[\s,](error(?:_description)?)\s*=\s*("[^"]*"|[^\s,]+)/gi;

/** Cause-revealing headers of repeated responses to one cause: name to value. */
export function causeRevealingHeaders(responses: readonly Pick<ApiResponse, 'headers'>[]): Map<string, string> {
  const [first, ...again] = responses.map(({ headers }) => new Map(headers.flatMap(causesIn)));
  // A value that differs between equal requests is not an error code.
  return new Map([...(first ?? [])].filter(([name, value]) => again.every((other) => other.get(name) === value)));
}

function causesIn([name, value]: readonly [name: string, value: string]): [name: string, value: string][] {
  if (name === CHALLENGE_HEADER)
    return [...value.matchAll(CHALLENGE_ERROR)].map(([, part = '', said = '']) => [`${name} ${part}`, said]);
  return CAUSE_REVEALING_HEADER.test(name) ? [[name, value]] : [];
}
