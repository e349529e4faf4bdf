import type { CheckId } from '../../specs/generated/ids.ts';
import { replaced } from '../overrides/override-rules.ts';
import { Refusal, refusals } from '../service/refusal.ts';
import type { Fault } from './fault.ts';
import { changeBody, codeWithStatus, isError, isList, withStatus } from './support/response-filters.ts';

const STACK = 'Error: invalid\n    at validate (/srv/app/dist/validate.js:10:15)';

/** One operation has a parser of its own, and nothing that catches what it throws. */
const breakingOn = (id: string, path: RegExp, check: CheckId): Fault => ({
  id,
  requirement: 'ERR-11',
  sentence: `What is no JSON breaks ${path.source.replaceAll(/\W/g, '')}: 500 instead of 400.`,
  caughtBy: [check],
  rules: replaced((honest) => ({
    parseBody: (service, request) => {
      try {
        return honest.parseBody(service, request);
      } catch (refusal) {
        throw path.test(request.path) ? new SyntaxError('Unexpected token') : refusal;
      }
    },
  })),
});

export const errorFaults: readonly Fault[] = [
  {
    id: 'err-content-type-text',
    requirement: 'ERR-01',
    sentence: 'Errors are JSON, declared as text/plain.',
    caughtBy: ['ERR-01.content-type'],
    rewrite: (request, response) => {
      if (!isError(request, response)) return response;
      const headers = new Headers(response.headers);
      headers.set('Content-Type', 'text/plain; charset=utf-8');
      return new Response(response.body, { status: response.status, headers });
    },
  },
  {
    id: 'err-content-type-problem',
    requirement: 'ERR-01',
    sentence: 'Errors are declared as application/problem+json.',
    caughtBy: ['ERR-01.content-type'],
    rewrite: (request, response) => {
      if (!isError(request, response)) return response;
      const headers = new Headers(response.headers);
      headers.set('Content-Type', 'application/problem+json');
      return new Response(response.body, { status: response.status, headers });
    },
  },
  {
    id: 'err-html-for-who-accepts-anything',
    requirement: 'ERR-01',
    sentence: 'The framework negotiates its errors: whoever does not ask for JSON gets a page.',
    caughtBy: ['ERR-01.accept-headers'],
    alongside: ['ERR-01.parses'],
    rewrite: (request, response) =>
      isError(request, response) && request.headers.get('Accept') === '*/*'
        ? new Response('<h1>Bad Request</h1>', { status: response.status, headers: response.headers })
        : response,
  },
  {
    id: 'err-html-404',
    requirement: 'ERR-01',
    sentence: 'The 404 is the HTML page of the proxy, declared as JSON.',
    caughtBy: ['ERR-01.parses'],
    alongside: ['ISO-05.read'],
    rewrite: (_request, response) =>
      response.status === 404
        ? new Response('<h1>Not Found</h1>', { status: 404, headers: response.headers })
        : response,
  },
  {
    id: 'err-list-with-nan',
    requirement: 'ERR-01',
    sentence: 'A serializer of its own writes NaN into the JSON of a list.',
    caughtBy: ['ERR-01.parses'],
    rewrite: async (request, response) =>
      isList(request, response) && new URL(request.url).searchParams.get('limit') === '1'
        ? new Response((await response.text()).replace('"items":[', '"elapsed":NaN,"items":['), {
            status: 200,
            headers: response.headers,
          })
        : response,
  },
  {
    id: 'err-error-object',
    requirement: 'ERR-02',
    sentence: 'error is an object with a title.',
    caughtBy: ['ERR-02.error'],
    rewrite: changeBody(
      (request, response) => isError(request, response) && response.status !== 401,
      (body) => ({ ...body, error: { title: body.error } }),
    ),
  },
  {
    id: 'err-404-without-error',
    requirement: 'ERR-02',
    sentence: 'The 404 has a code and no text.',
    caughtBy: ['ERR-02.error'],
    alongside: ['ISO-05.read'],
    rewrite: changeBody(withStatus(404), ({ error: _, ...body }) => body),
  },
  {
    id: 'err-code-number',
    requirement: 'ERR-03',
    sentence: 'code repeats the status as a number.',
    caughtBy: ['ERR-03.code'],
    rewrite: changeBody(
      (request, response) => isError(request, response) && response.status !== 401,
      (body) => ({ ...body, code: 4000 }),
    ),
  },
  {
    id: 'err-403-without-code',
    requirement: 'ERR-03',
    sentence: 'The 403 is written by the gateway, without a code.',
    caughtBy: ['ERR-03.code'],
    alongside: ['PERM-01.create'],
    rewrite: changeBody(withStatus(403), ({ code: _, ...body }) => body),
  },
  {
    id: 'err-400-without-message',
    requirement: 'ERR-04',
    sentence: 'A 400 tells what is wrong in error, and carries no message.',
    caughtBy: ['ERR-04.message'],
    rewrite: changeBody(withStatus(400), ({ message: _, ...body }) => body),
  },
  {
    id: 'err-400-message-list',
    requirement: 'ERR-09',
    sentence: 'message is an array of what is wrong, the default of the framework.',
    caughtBy: ['ERR-09.text'],
    rewrite: changeBody(withStatus(400), (body) => ({ ...body, message: [body.message] })),
  },
  {
    id: 'err-400-no-findings',
    requirement: 'ERR-04',
    sentence: 'message lists the findings of a validator that was not asked: it is an empty array.',
    caughtBy: ['ERR-04.message'],
    rewrite: changeBody(withStatus(400), (body) => ({ ...body, message: [] })),
  },
  {
    id: 'err-400-empty-message',
    requirement: 'ERR-04',
    sentence: 'The message of a 400 is empty: the translation is missing.',
    caughtBy: ['ERR-04.message'],
    rewrite: changeBody(withStatus(400), (body) => ({ ...body, message: '' })),
  },
  {
    id: 'err-incomplete-subscription-crashes',
    requirement: 'ERR-05',
    sentence: 'A subscription without eventTypes is looped over: 500.',
    caughtBy: ['ERR-05.subscription', 'ERR-05.no-internal-error'],
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        if (call.body.eventTypes === undefined) throw new TypeError('eventTypes is not iterable');
        return honest.validateSubscription(call);
      },
    })),
  },
  breakingOn('err-action-crashes', /\/submit$/, 'ERR-11.actions'),
  breakingOn('err-withdrawal-crashes', /\/withdraw/, 'ERR-11.withdrawal'),
  breakingOn('err-subscription-crashes', /\/webhooks$/, 'ERR-11.subscription'),
  {
    id: 'err-stack-trace',
    requirement: 'ERR-07',
    sentence: 'A 400 holds the stack trace of the validator.',
    caughtBy: ['ERR-07.no-internals'],
    rewrite: changeBody(withStatus(400), (body) => ({ ...body, detail: STACK })),
  },
  {
    id: 'err-query-in-404',
    requirement: 'ERR-07',
    sentence: 'The 404 tells the query that found nothing.',
    caughtBy: ['ERR-07.no-internals'],
    alongside: ['ISO-05.read'],
    rewrite: changeBody(withStatus(404), (body) => ({
      ...body,
      error: 'No rows: SELECT * FROM invoices WHERE id = $1',
    })),
  },
  {
    id: 'err-inv001-with-400',
    requirement: 'ERR-06',
    sentence: 'INV001 comes with 400.',
    caughtBy: ['ERR-06.inv001'],
    alongside: ['ISO-05.read'],
    rewrite: codeWithStatus('INV001', 400),
  },
  {
    id: 'err-inv002-with-422',
    requirement: 'ERR-06',
    sentence: 'INV002 comes with 422.',
    caughtBy: ['ERR-06.inv002'],
    rewrite: codeWithStatus('INV002', 422),
  },
  {
    id: 'err-inv003-with-400',
    requirement: 'ERR-06',
    sentence: 'A number in the body is reported as a duplicate, INV003 with 400.',
    caughtBy: ['ERR-06.inv003'],
    alongside: ['CREATE-01.invoice-number'],
    rewrite: changeBody(withStatus(400), (body) =>
      String(body.message).includes('invoiceNumber') ? { ...body, code: 'INV003' } : body,
    ),
  },
  {
    id: 'err-inv004-with-400',
    requirement: 'ERR-06',
    sentence: 'INV004 comes with 422.',
    caughtBy: ['ERR-06.inv004'],
    rewrite: codeWithStatus('INV004', 422),
  },
  {
    id: 'err-treas007-with-402',
    requirement: 'ERR-06',
    sentence: 'TREAS007 comes with 402, Payment Required.',
    caughtBy: ['ERR-06.treas007'],
    alongside: ['TREAS-01.beyond-funds'],
    rewrite: codeWithStatus('TREAS007', 402),
  },
  {
    id: 'err-treas007-with-200',
    requirement: 'ERR-06',
    sentence:
      'The treasury is an older service, which answers everything with 200 and tells in the code what went wrong.',
    caughtBy: ['ERR-06.treas007'],
    rewrite: codeWithStatus('TREAS007', 200),
  },
  {
    id: 'err-permission-with-gateway-code',
    requirement: 'ERR-10',
    sentence: 'All refusals with 403 come from one handler, which knows one code.',
    caughtBy: ['ERR-10.environment-codes'],
    alongside: ['PERM-01.create'],
    rules: replaced(() => ({
      authorize: ({ key, route }) => {
        if (!key.scopes.includes(route.scope)) throw refusals.environmentMismatch();
      },
    })),
  },
  {
    id: 'err-conflict-with-inv003',
    requirement: 'ERR-10',
    sentence: 'Every conflict of the invoice module is reported as the one that its code was made for.',
    caughtBy: ['ERR-10.inv003'],
    alongside: ['LIFE-02.settled-approve'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (invoice.status !== 'SETTLED') return honest.transition(call, invoice, action);
        throw new Refusal(409, 'INV003', 'The invoice has been settled');
      },
    })),
  },
  {
    id: 'err-unknown-environment-with-404',
    requirement: 'ERR-06',
    sentence: 'GW_UNKNOWN_ENVIRONMENT comes with 404.',
    caughtBy: ['ERR-06.gw-unknown-environment'],
    alongside: ['ENV-01.list'],
    rewrite: codeWithStatus('GW_UNKNOWN_ENVIRONMENT', 404),
  },
  {
    id: 'err-environment-mismatch-with-409',
    requirement: 'ERR-06',
    sentence: 'GW_ENVIRONMENT_KEY_MISMATCH comes with 409.',
    caughtBy: ['ERR-06.gw-environment-key-mismatch'],
    alongside: ['ENV-02.sandbox-key-list'],
    rewrite: codeWithStatus('GW_ENVIRONMENT_KEY_MISMATCH', 409),
  },
  {
    id: 'err-environment-unavailable-with-404',
    requirement: 'ERR-06',
    sentence: 'Production has no instances, and GW_ENVIRONMENT_UNAVAILABLE comes with 404.',
    caughtBy: ['ERR-06.gw-environment-unavailable'],
    alongside: ['ORG-02.production-served'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        if (key.environment === 'PRODUCTION') throw refusals.environmentUnavailable();
        return honest.resolveEnvironment(service, key, request);
      },
    })),
    rewrite: codeWithStatus('GW_ENVIRONMENT_UNAVAILABLE', 404),
  },
];
