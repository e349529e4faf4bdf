import { overrideRules } from '../../overrides/override-rules.ts';
import type { ResponseRewrite } from '../../service/app.ts';
import type { Body } from '../../service/call.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { OPTIONAL_FIELDS, REQUIRED_FIELDS } from '../support/creation.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const bodyLength = ({ headers }: Request) => Number(headers.get('Content-Length') ?? 0);
const longestHeader = ({ headers }: Request) => Math.max(...[...headers.values()].map((value) => value.length));
const queryLength = ({ url }: Request) => new URL(url).search.length;

/** A layer in front of the service rejects some requests with a page of its own. */
const rejectInFront =
  (concerns: (request: Request) => boolean, status: number, type: string, text: string): ResponseRewrite =>
  (request, response) =>
    concerns(request)
      ? new Response(text, { status, headers: { 'Content-Type': type, Server: 'nginx/1.25.3' } })
      : response;

const nginxPage = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;

const declaredOnly = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS].includes(name)));

export const errorsLargeRequestsFaults: readonly Fault[] = [
  {
    id: 'err-large-body-page',
    requirement: 'ERR-02',
    defect: 'The web server in front allows bodies of 1 MB and rejects larger ones with its page.',
    caughtBy: ['ERR-02.large-bodies'],
    rewrite: rejectInFront(
      (request) => bodyLength(request) > MIB,
      413,
      'text/html',
      nginxPage('413 Request Entity Too Large'),
    ),
  },
  {
    id: 'err-large-body-text',
    requirement: 'ERR-02',
    defect: 'The service mesh buffers 512 KiB and rejects larger bodies with a line of text.',
    caughtBy: ['ERR-02.large-bodies'],
    rewrite: rejectInFront((request) => bodyLength(request) > 512 * KIB, 413, 'text/plain', 'Payload Too Large'),
  },
  {
    id: 'err-large-body-without-code',
    requirement: 'ERR-02',
    defect: 'The body parser allows 100 kB and rejects larger bodies in the form of the framework, without a code.',
    caughtBy: ['ERR-02.large-bodies'],
    rewrite: rejectInFront(
      (request) => bodyLength(request) > 100_000,
      413,
      'application/json',
      '{"statusCode":413,"message":"request entity too large"}',
    ),
  },
  {
    id: 'err-large-body-breaks',
    requirement: 'ERR-05',
    defect: 'The body parser throws for more than 1 MiB, and the error handler knows no such error: 500.',
    caughtBy: ['ERR-05.large-requests'],
    rules: overrideRules((base) => ({
      parseBody: (service, request) => {
        if (request.text.length > MIB) throw new RangeError('request entity too large');
        return base.parseBody(service, request);
      },
    })),
  },
  {
    id: 'err-very-large-body-page',
    requirement: 'ERR-02',
    defect: 'The load balancer allows bodies of 6 MB and rejects larger ones with its page.',
    caughtBy: ['ERR-02.very-large-body'],
    rewrite: rejectInFront((request) => bodyLength(request) > 6 * MIB, 413, 'text/html', nginxPage('413 Too Large')),
  },
  {
    id: 'err-long-header-page',
    requirement: 'ERR-13',
    defect: 'The web server in front reads headers of 4 kB and rejects longer ones with its page.',
    caughtBy: ['ERR-13.long-headers'],
    rewrite: rejectInFront(
      (request) => longestHeader(request) > 4 * KIB,
      400,
      'text/html',
      nginxPage('400 Request Header Or Cookie Too Large'),
    ),
  },
  {
    id: 'err-long-header-breaks',
    requirement: 'ERR-05',
    defect: 'The access log stores all headers in a column that is too short: 500.',
    caughtBy: ['ERR-05.large-requests'],
    rules: overrideRules((base) => ({
      throttle: (service, key, request) => {
        if ([...request.headers.values()].some((value) => value.length > 4 * KIB)) throw new RangeError('too long');
        base.throttle(service, key, request);
      },
    })),
  },
  {
    id: 'err-long-query-page',
    requirement: 'ERR-13',
    defect: 'The web server in front rejects a long request line with its page.',
    caughtBy: ['ERR-13.long-queries'],
    rewrite: rejectInFront(
      (request) => queryLength(request) > 4 * KIB,
      414,
      'text/html',
      nginxPage('414 Request-URI Too Large'),
    ),
  },
  {
    id: 'create-large-body-unvalidated',
    requirement: 'CREATE-01',
    defect: 'Bodies of more than 64 KiB are parsed as a stream, which skips undeclared fields.',
    caughtBy: ['CREATE-01.large'],
    rules: overrideRules((base) => ({
      validateCreate: (call) =>
        base.validateCreate(call.request.text.length > 64 * KIB ? { ...call, body: declaredOnly(call.body) } : call),
    })),
  },
  {
    id: 'create-large-body-written',
    requirement: 'CREATE-01',
    defect: 'The audit rejects a body of more than 1 MiB after the invoice was written: 413, and an invoice.',
    caughtBy: ['CREATE-01.large'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        if (call.request.text.length <= MIB) return base.validateCreate(call);
        const { description, ...body } = declaredOnly(call.body);
        const input = base.validateCreate({
          ...call,
          body: { ...body, description: String(description).slice(0, 200) },
        });
        base.issueInvoice(call, input, base.nextInvoiceNumber(call, base.findConnection(call, input)));
        throw new RejectionError(413, 'REQ413', 'The body is too large');
      },
    })),
  },
  {
    id: 'err-large-body-forbidden-page',
    requirement: 'ERR-02',
    defect: 'The firewall rejects bodies that are too large to inspect: 403 with a page.',
    caughtBy: ['ERR-02.large-bodies'],
    rewrite: rejectInFront((request) => bodyLength(request) > 128 * KIB, 403, 'text/html', '<h1>Access Denied</h1>'),
  },
];
