import type { Answer, Ask } from './answer.ts';
import type { Interned } from './interned.ts';
import { isObject } from './invoice-record.ts';
import { shallow } from './shallow.ts';
import type { WireAnswer, WireRequest } from './transport.ts';

/** The bytes of a request, but for what the transport adds. */
export function wireOf(base: string, ask: Ask): WireRequest {
  const body = ask.body === undefined ? null : typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body);
  const given = [...ask.credentials, ...(ask.headers ?? [])].map(([name, value]): [string, string] => [name, value]);
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const headers: [string, string][] = named.has('accept') ? [] : [['accept', 'application/json']];
  if (body !== null && !named.has('content-type') && !ask.untyped) headers.push(['content-type', 'application/json']);
  return { method: ask.method, url: `${base}${ask.path}`, headers: [...headers, ...given], body };
}

/** What came, as checks and judges see it. */
export function answerOf(
  exchange: string,
  ask: Ask,
  wire: WireRequest,
  result: WireAnswer,
  interned: Interned,
): Omit<Answer, 'repeated' | 'sentAt'> {
  const { status, headers, text, truncated } = result;
  const sent = wire.body === null ? null : wire.body.toString();
  return {
    exchange,
    ask,
    request: requestLine(ask),
    sent,
    status,
    headers,
    text,
    json: truncated ? undefined : withKnownItems(ask, text, interned),
  };
}

export function requestLine(ask: Pick<Ask, 'method' | 'path'>): string {
  return `${ask.method} ${ask.path}`;
}

/** The parsed body. The items of a list are those of the lists before it, as far as they say the same. */
function withKnownItems({ operation }: Ask, text: string, interned: Interned): unknown {
  const json = parsed(text);
  if (operation !== 'list' || !isObject(json) || !Array.isArray(json.items)) return json;
  interned.begin(text.length);
  json.items = json.items.map((item) => (isObject(item) ? interned.item(item) : item));
  return json;
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return shallow(JSON.parse(text));
  } catch {
    // Not JSON: that is judged by the check that owns the sentence, everywhere else the body counts as absent.
    return undefined;
  }
}
