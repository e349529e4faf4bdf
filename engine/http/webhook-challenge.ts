/** The reply to a server that verifies the address of a subscription. */
export interface VerificationReply {
  type: 'text/plain' | 'application/json';
  body: string;
}

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Query parameters in which servers send a challenge: a common name, WebSub, Microsoft Graph. */
const CHALLENGE_PARAMETERS = ['challenge', 'hub.challenge', 'validationToken'] as const;
/** Event types in the contract. A request that names one is a delivery, whatever else it contains. */
const EVENT_TYPE = /BOOKING_CREATED|BOOKING_UPDATED|PAYMENT_COMPLETED/;

/** The reply to a verification request; null if the request is not one. */
export function verificationReply({ url, headers, body }: ReceivedRequest): VerificationReply | null {
  if (EVENT_TYPE.test(body)) return null;
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const form = new URLSearchParams(isForm ? body : '');
  for (const name of CHALLENGE_PARAMETERS) {
    const challenge = query.get(name) ?? form.get(name);
    if (challenge) return { type: 'text/plain', body: challenge };
  }
  return jsonChallengeReply(body, headers.accept?.startsWith('text/plain') ?? false);
}

/** A delivery has a body, or a method that can have one. Other requests only test the address. */
export function isDelivery({ method, body }: Pick<ReceivedRequest, 'method' | 'body'>): boolean {
  return body !== '' || !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/**
 * The reply to `{ "challenge": … }`, as Slack sends it: the same JSON, or the bare text. The reply to a validation
 * event of Azure: its code.
 */
function jsonChallengeReply(body: string, wantsText: boolean): VerificationReply | null {
  const parsed = parseJson(body);
  const json = Array.isArray(parsed) ? parsed[0] : parsed;
  const challenge = memberValue(json, 'challenge');
  if (isToken(challenge) && wantsText) return { type: 'text/plain', body: String(challenge) };
  if (isToken(challenge)) return { type: 'application/json', body: JSON.stringify({ challenge }) };
  const code = memberValue(memberValue(json, 'data'), 'validationCode');
  if (isToken(code)) return { type: 'application/json', body: JSON.stringify({ validationResponse: code }) };
  return null;
}

function isToken(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function memberValue(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A delivery need not be JSON: the contract shows no payload.
    return undefined;
  }
}
