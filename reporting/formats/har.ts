import type { ExchangeRecord } from '../../specs/formats/journal.ts';
import type { Report } from '../../specs/formats/report.ts';
import type { JournalRecords } from '../journal/read-journal.ts';
import { escapeJson } from '../text/escape-control-characters.ts';

/**
 * All exchanges of a run as an HTTP Archive (HAR 1.2), in pieces. The comment of an entry is the check and the actor;
 * an exchange without a response has status 0, as in browsers.
 */
export async function* harPieces({ kit, target }: Report, records: JournalRecords): AsyncGenerator<string, void> {
  const head = { version: '1.2', creator: { name: kit.name, version: kit.version }, comment: `Target: ${target.name}` };
  // Optional in HAR 1.2, but some viewers do not open a file without it.
  yield `{"log":${escapeJson(JSON.stringify({ ...head, pages: [] })).slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const batch of records) {
    for (const record of batch) {
      if (record.kind !== 'exchange') continue;
      yield `${separator}${escapeJson(JSON.stringify(harEntry(record)))}`;
      separator = ',\n';
    }
  }
  yield '\n]}}\n';
}

function harEntry({ id, check, label, at, durationMs, request, response, failure }: ExchangeRecord) {
  const time = Math.max(0, durationMs);
  return {
    startedDateTime: at,
    time,
    request: {
      method: request.method,
      url: encodedUrl(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: pairs([...new URL(request.url).searchParams]),
      ...(request.body !== null && {
        postData: { mimeType: headerOf(request.headers, 'content-type'), text: request.body },
      }),
      headersSize: -1,
      bodySize: request.body === null ? 0 : Buffer.byteLength(request.body),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? []),
      content: {
        size: response?.bytes ?? 0,
        mimeType: headerOf(response?.headers ?? [], 'content-type') || 'x-unknown',
        text: response?.body ?? '',
      },
      redirectURL: headerOf(response?.headers ?? [], 'location'),
      headersSize: -1,
      bodySize: response?.bytes ?? -1,
      ...(failure !== null && { comment: `${failure.kind}: ${failure.message}` }),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: `${id} ${check === null ? label : `${check}, ${label}`}`,
  };
}

/** Percent-encodes what a URL parser tolerates and a URI must not contain. */
function encodedUrl(url: string): string {
  const [head = '', ...rest] = new URL(url).href.split('#');
  const encode = (text: string) =>
    text.replace(/%(?![0-9A-F]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gi, (character) => encodeURIComponent(character));
  return rest.length === 0 ? encode(head) : `${encode(head)}#${encode(rest.join('%23'))}`;
}

type Headers = ExchangeRecord['request']['headers'];

function pairs(entries: Headers): { name: string; value: string }[] {
  return entries.map(([name, value]) => ({ name, value }));
}

function headerOf(headers: Headers, name: string): string {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
}
