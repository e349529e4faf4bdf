import type { Fault } from '../fault.ts';
import { changeBody, isErrorResponse, isListResponse, statusFilter } from '../support/response-filters.ts';

const STACK = 'Error: invalid\n    at validate (/srv/app/dist/validate.js:10:15)';

export const errorsErrorBodiesFaults: readonly Fault[] = [
  {
    id: 'err-content-type-text',
    requirement: 'ERR-01',
    defect: 'Errors are JSON but declared as text/plain.',
    caughtBy: ['ERR-01.content-type'],
    rewrite: (request, response) => {
      if (!isErrorResponse(request, response)) return response;
      const headers = new Headers(response.headers);
      headers.set('Content-Type', 'text/plain; charset=utf-8');
      return new Response(response.body, { status: response.status, headers });
    },
  },
  {
    id: 'err-content-type-problem',
    requirement: 'ERR-01',
    defect: 'Errors are declared as application/problem+json.',
    caughtBy: ['ERR-01.content-type'],
    rewrite: (request, response) => {
      if (!isErrorResponse(request, response)) return response;
      const headers = new Headers(response.headers);
      headers.set('Content-Type', 'application/problem+json');
      return new Response(response.body, { status: response.status, headers });
    },
  },
  {
    id: 'err-html-without-accept',
    requirement: 'ERR-01',
    defect: 'The framework negotiates the type of its errors: a request that does not accept JSON gets an HTML page.',
    caughtBy: ['ERR-01.accept-headers'],
    alsoRun: ['ERR-01.parses'],
    rewrite: (request, response) =>
      isErrorResponse(request, response) && request.headers.get('Accept') === '*/*'
        ? new Response('<h1>Bad Request</h1>', { status: response.status, headers: response.headers })
        : response,
  },
  {
    id: 'err-html-404',
    requirement: 'ERR-01',
    defect: 'The 404 is the HTML page of the proxy but declared as JSON.',
    caughtBy: ['ERR-01.parses'],
    alsoRun: ['ISO-05.read'],
    rewrite: (_request, response) =>
      response.status === 404
        ? new Response('<h1>Not Found</h1>', { status: 404, headers: response.headers })
        : response,
  },
  {
    id: 'err-list-with-nan',
    requirement: 'ERR-01',
    defect: 'A custom serializer writes NaN into the JSON of a list.',
    caughtBy: ['ERR-01.parses'],
    rewrite: async (request, response) =>
      isListResponse(request, response) && new URL(request.url).searchParams.get('limit') === '1'
        ? new Response((await response.text()).replace('"items":[', '"elapsed":NaN,"items":['), {
            status: 200,
            headers: response.headers,
          })
        : response,
  },
  {
    id: 'err-error-object',
    requirement: 'ERR-02',
    defect: 'error is an object with a title.',
    caughtBy: ['ERR-02.error'],
    rewrite: changeBody(
      (request, response) => isErrorResponse(request, response) && response.status !== 401,
      (body) => ({ ...body, error: { title: body.error } }),
    ),
  },
  {
    id: 'err-404-without-error',
    requirement: 'ERR-02',
    defect: 'The 404 has a code but no text.',
    caughtBy: ['ERR-02.error'],
    alsoRun: ['ISO-05.read'],
    rewrite: changeBody(statusFilter(404), ({ error: _, ...body }) => body),
  },
  {
    id: 'err-code-number',
    requirement: 'ERR-03',
    defect: 'code repeats the status as a number.',
    caughtBy: ['ERR-03.code'],
    rewrite: changeBody(
      (request, response) => isErrorResponse(request, response) && response.status !== 401,
      (body) => ({ ...body, code: 4000 }),
    ),
  },
  {
    id: 'err-403-without-code',
    requirement: 'ERR-03',
    defect: 'The 403 is written by the gateway, without a code.',
    caughtBy: ['ERR-03.code'],
    alsoRun: ['PERM-01.create'],
    rewrite: changeBody(statusFilter(403), ({ code: _, ...body }) => body),
  },
  {
    id: 'err-400-without-message',
    requirement: 'ERR-04',
    defect: 'A 400 describes the problem in error and has no message.',
    caughtBy: ['ERR-04.message'],
    rewrite: changeBody(statusFilter(400), ({ message: _, ...body }) => body),
  },
  {
    id: 'err-400-message-list',
    requirement: 'ERR-09',
    defect: 'message is an array of problems, the default of the framework.',
    caughtBy: ['ERR-09.text'],
    rewrite: changeBody(statusFilter(400), (body) => ({ ...body, message: [body.message] })),
  },
  {
    id: 'err-400-no-findings',
    requirement: 'ERR-04',
    defect: 'message is an empty array, the findings of a validator that did not run.',
    caughtBy: ['ERR-04.message'],
    rewrite: changeBody(statusFilter(400), (body) => ({ ...body, message: [] })),
  },
  {
    id: 'err-400-empty-message',
    requirement: 'ERR-04',
    defect: 'The message of a 400 is empty: the translation is missing.',
    caughtBy: ['ERR-04.message'],
    rewrite: changeBody(statusFilter(400), (body) => ({ ...body, message: '' })),
  },
  {
    id: 'err-stack-trace',
    requirement: 'ERR-07',
    defect: 'A 400 contains the stack trace of the validator.',
    caughtBy: ['ERR-07.no-internals'],
    rewrite: changeBody(statusFilter(400), (body) => ({ ...body, detail: STACK })),
  },
  {
    id: 'err-query-in-404',
    requirement: 'ERR-07',
    defect: 'The 404 contains the query that found nothing.',
    caughtBy: ['ERR-07.no-internals'],
    alsoRun: ['ISO-05.read'],
    rewrite: changeBody(statusFilter(404), (body) => ({
      ...body,
      error: 'No rows: SELECT * FROM invoices WHERE id = $1',
    })),
  },
];
