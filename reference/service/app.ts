import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { createFixtures, type Fixtures } from '../fixtures/fixtures.ts';
import { defaultRules } from '../rules/default-rules.ts';
import { createBackgroundTasks } from './background.ts';
import type { IncomingRequest, Route, Service } from './call.ts';
import { logRequest } from './log.ts';
import { RejectionError, rejections, UnauthorizedError } from './rejection.ts';
import { admitRequest } from './request-admission.ts';
import { defaultRoutes } from './routes.ts';
import type { Rules } from './rules.ts';
import type { ServiceResponse } from './store.ts';

/** Changes a finished response. The body of the request has been read by then. */
export type ResponseRewrite = (request: Request, response: Response) => Response | Promise<Response>;

export interface ReferenceOptions {
  /** Replaces rules: `(base) => ({ ...base, page: … })`. A fault or a variation is one such replacement. */
  rules?: (base: Readonly<Rules>) => Rules;
  /** Replaces the methods and paths that the contract leaves open. */
  routes?: (base: readonly Route[]) => readonly Route[];
  rewrite?: ResponseRewrite;
  /** Receives an error of a rule that is not a rejection. The client gets only a 500. */
  onInternalError?: (error: unknown) => void;
}

export interface Reference {
  /** With a socket, a response without a rewrite is written to it directly. */
  fetch(request: Request, socket?: HttpBindings): Promise<Response>;
  service: Service;
  fixtures: Fixtures;
  /** Ends deliveries and effects that are still under way. */
  close(): void;
}

/** The reference service with new fixtures, without a socket. */
export function createReference({ rules, routes, rewrite, onInternalError }: ReferenceOptions = {}): Reference {
  const composed = rules ? rules(defaultRules) : defaultRules;
  const fixtures = createFixtures(composed.now());
  const service: Service = { rules: composed, store: fixtures.store, background: createBackgroundTasks() };
  const respond = createResponder(service, onInternalError);
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>();
  for (const route of routes ? routes(defaultRoutes) : defaultRoutes) {
    app.on(route.method, route.path, (context) => respond(context, route));
  }
  app.notFound((context) => respond(context, unknownRoute));
  return {
    fetch: async (request, socket) => {
      if (!rewrite) return await app.fetch(request, socket);
      return await rewrite(request, await app.fetch(request));
    },
    service,
    fixtures,
    close: () => service.background.close(),
  };
}

// A normal route, so that credentials are checked first here as well.
const unknownRoute: Route = {
  name: 'none',
  method: '*',
  path: '*',
  scope: 'read',
  perform: () => {
    throw rejections.noSuchRoute();
  },
};

function createResponder(service: Service, onInternalError?: (error: unknown) => void) {
  const answer = async (route: Route, request: IncomingRequest): Promise<ServiceResponse> => {
    try {
      const call = admitRequest(service, route, request);
      const given = await route.perform(call);
      logRequest(call, given.status);
      return given;
    } catch (error) {
      if (error instanceof UnauthorizedError)
        return { status: 401, body: service.rules.unauthorizedBody(error.reason) };
      if (error instanceof RejectionError) return service.rules.renderError(error);
      onInternalError?.(error);
      return service.rules.renderError(rejections.internal());
    }
  };

  return async (context: Context<{ Bindings: Partial<HttpBindings> }>, route: Route): Promise<Response> => {
    const given = await answer(route, await readRequest(context));
    return context.env?.outgoing ? writeResponse(context.env.outgoing, given) : toResponse(given);
  };
}

const JSON_BODY = { 'Content-Type': 'application/json' };

function toResponse({ status, body, headers = {} }: ServiceResponse): Response {
  if (body === undefined) return new Response(null, { status, headers });
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_BODY, ...headers } });
}

// A Response and its streams cost more than everything else that the service does for a request.
function writeResponse(outgoing: ServerResponse, { status, body, headers = {} }: ServiceResponse): Response {
  if (body === undefined) outgoing.writeHead(status, headers).end();
  else outgoing.writeHead(status, { ...JSON_BODY, ...headers }).end(JSON.stringify(body));
  return RESPONSE_ALREADY_SENT;
}

async function readRequest({ req }: Context): Promise<IncomingRequest> {
  return {
    method: req.method,
    path: req.path,
    params: req.param(),
    query: new URL(req.url).searchParams,
    headers: req.raw.headers,
    text: req.method === 'GET' || req.method === 'HEAD' ? '' : await req.text(),
  };
}
