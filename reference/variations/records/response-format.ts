import { createHash } from 'node:crypto';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { ResponseRewrite } from '../../service/app.ts';

const CONTRACT_CODE = /^(INV00[1-4]|CONN0(03|10)|TREAS007|GW_[A-Z_]+|)$/;
const TEXTS = ['Not possible', 'Nicht möglich', 'Impossible', '不可能'];

const withHeaders = (headers: Readonly<Record<string, string>>): ResponseRewrite =>
  rewriting((response, text) => answer(response, text, headers));

/** Rewrites a finished response; an absent body stays absent. */
function rewriting(write: (response: Response, text: string | null) => Response): ResponseRewrite {
  return async (_request, response) => write(response, response.body === null ? null : await response.text());
}

function answer(
  { status, headers }: Response,
  body: string | ReadableStream<Uint8Array> | null,
  more: Readonly<Record<string, string>> = {},
) {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return new Response(body, { status, headers: all });
}

const escaped = (text: string) =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const middle = Math.ceil(bytes.length / 2);
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, middle));
      if (middle < bytes.length) controller.enqueue(bytes.slice(middle));
      controller.close();
    },
  });
}

/**
 * Other wordings, encodings and transmissions of responses. These variations come last, because they change the
 * responses of all others.
 */
export const responseFormatVariations: readonly Variation[] = [
  {
    id: 'unauthorized-in-german',
    openPoint: 'OP-76',
    choice: 'texts in the language of the deployment, and the status',
    rules: overrideRules(() => ({
      unauthorizedBody: () => ({
        status: 401,
        error: 'Nicht angemeldet',
        message: 'API-Schlüssel oder Geheimnis ist ungültig',
      }),
    })),
  },
  {
    id: 'error-texts-vary',
    openPoint: 'OP-84',
    choice: 'another language in each response',
    rules: overrideRules((base) => {
      let count = 0;
      return {
        renderError: (refusal) => {
          count += 1;
          const given = base.renderError(refusal);
          return { ...given, body: { ...(given.body as object), error: TEXTS[count % TEXTS.length] } };
        },
      };
    }),
  },
  {
    id: 'custom-error-codes',
    openPoint: 'OP-85',
    choice: 'names in lower case with dots',
    rules: overrideRules((base) => ({
      renderError: (refusal) => {
        const given = base.renderError(refusal);
        if (CONTRACT_CODE.test(refusal.code)) return given;
        return { ...given, body: { ...(given.body as object), code: `module.${refusal.code.toLowerCase()}` } };
      },
    })),
  },
  {
    id: 'many-headers',
    openPoint: 'OP-87',
    choice: 'security, tracing, quota and deprecation headers and a cookie in every response',
    rewrite: withHeaders({
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Request-Id': 'f0c1-77',
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '999',
      'X-RateLimit-Reset': '1',
      'Set-Cookie': 'route=a1; Path=/; HttpOnly',
      Vary: 'Accept-Encoding, X-Environment',
    }),
  },
  {
    id: 'entity-tags',
    openPoint: 'OP-87',
    choice: 'an ETag with Cache-Control',
    rewrite: async (request, response) => {
      if (request.method !== 'GET' || response.status !== 200) return response;
      const text = await response.text();
      const tag = `"${createHash('sha1').update(text).digest('hex')}"`;
      if (request.headers.get('If-None-Match') === tag) return new Response(null, { status: 304 });
      return answer(response, text, { ETag: tag, 'Cache-Control': 'private, max-age=60' });
    },
  },
  {
    id: 'deprecation-headers',
    openPoint: 'OP-92',
    choice: 'in headers of every response',
    rewrite: withHeaders({ Deprecation: '@1893456000', Sunset: 'Tue, 01 Jan 2030 00:00:00 GMT', 'API-Version': '1.9' }),
  },
  {
    id: 'json-indented',
    openPoint: 'OP-89',
    choice: 'indented, with everything except ASCII escaped',
    rewrite: rewriting((response, text) =>
      answer(response, text && `${escaped(JSON.stringify(JSON.parse(text), null, 2))}\r\n`),
    ),
  },
  {
    id: 'in-chunks',
    openPoint: 'OP-90',
    choice: 'in chunks',
    rewrite: rewriting((response, text) => answer(response, text && inPieces(text))),
  },
  {
    id: 'connections-closed',
    openPoint: 'OP-90',
    choice: 'on a connection that closes after every response',
    rewrite: withHeaders({ Connection: 'close' }),
  },
];
