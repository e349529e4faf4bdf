import type { ResponseRewrite } from '../../service/app.ts';

type Json = Record<string, unknown>;

/** The responses that a rewrite applies to. */
export type ResponseFilter = (request: Request, response: Response) => boolean;

export const isListResponse: ResponseFilter = ({ method, url }, { status }) =>
  method === 'GET' && new URL(url).pathname === '/api/v1/invoices' && status === 200;

export const isReadResponse: ResponseFilter = ({ method, url }, { status }) =>
  method === 'GET' && /^\/api\/v1\/invoices\/[^/]+$/.test(new URL(url).pathname) && status === 200;

export const isCreationResponse: ResponseFilter = ({ method, url }, { status }) =>
  method === 'POST' && new URL(url).pathname === '/api/v1/invoices' && status < 300;

/** The responses with one status. */
export function statusFilter(status: number): ResponseFilter {
  return (_request, response) => response.status === status;
}

/** The responses that may contain a module code; `changeBody` reads their bodies. */
export const isErrorResponse: ResponseFilter = (_request, { status }) => status >= 400;

/** Changes the JSON object in the body of some responses. Other bodies stay unchanged. */
export function changeBody(
  concerns: ResponseFilter,
  change: (body: Json, request: Request) => unknown,
  status: (old: number, body: Json) => number = (old) => old,
): ResponseRewrite {
  return async (request, response) => {
    if (!concerns(request, response)) return response;
    const text = await response.clone().text();
    if (text === '') return response;
    const body = JSON.parse(text) as Json;
    const { headers } = response;
    return new Response(JSON.stringify(change(body, request)), { status: status(response.status, body), headers });
  };
}

/** Responses with one module code get another status. */
export function changeCodeStatus(code: string, status: number): ResponseRewrite {
  return changeBody(
    isErrorResponse,
    (body) => body,
    (old, body) => (body.code === code ? status : old),
  );
}

/** Changes each record of every list. */
export function changeItems(change: (record: Json, at: number) => Json): ResponseRewrite {
  return changeBody(isListResponse, (body) => ({ ...body, items: (body.items as Json[]).map(change) }));
}

/** Changes members of the list's envelope. */
export function changeEnvelope(change: (envelope: Json, query: URLSearchParams) => Json): ResponseRewrite {
  return changeBody(isListResponse, (body, request) => ({
    ...body,
    ...change(body, new URL(request.url).searchParams),
  }));
}
