import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Call, Route } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';

/** The path that a lenient router makes of a spelling: no parameters, suffixes, empty or dot segments. */
function normalizePath(path: string): string {
  const decoded = path
    .replaceAll(/%2f/gi, '/')
    .replaceAll(/;[^/]*/g, '')
    .replace(/\.json$/, '');
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** The path that the request means: that of a header, as some frameworks read it, or else its own. */
const meantPath = ({ headers, path }: Call['request']): string =>
  normalizePath(headers.get('X-Original-URL') ?? headers.get('X-Rewrite-URL') ?? path);

/** The method that the request means. */
const meantMethod = ({ headers, method }: Call['request']): string => headers.get('X-HTTP-Method-Override') ?? method;

/** The parameters of a path if it has the form of a route such as `/api/v1/invoices/:id`, in any case. */
function paramsOf(route: Route, path: string): Record<string, string> | null {
  const [form, parts] = [route.path.split('/'), path.split('/')];
  if (form.length !== parts.length) return null;
  const pairs = form.map((word, at) => [word, parts[at] ?? ''] as const);
  if (pairs.some(([word, part]) => !word.startsWith(':') && word !== part.toLowerCase())) return null;
  return Object.fromEntries(
    pairs.filter(([word]) => word.startsWith(':')).map(([word, part]) => [word.slice(1), part]),
  );
}

/** Finds the route by the meant path and method. The credentials were checked before, and its permission is checked here. */
function lenientRouter(base: readonly Route[]): readonly Route[] {
  const perform: Route['perform'] = (call) => {
    const [path, method] = [meantPath(call.request), meantMethod(call.request)];
    for (const route of base) {
      const params = route.method === method ? paramsOf(route, path) : null;
      if (!params) continue;
      const meant = { ...call, route, request: { ...call.request, method, path, params } };
      call.rules.authorize(meant);
      return route.perform(meant);
    }
    throw rejections.noSuchRoute();
  };
  const methods = ['GET', 'POST', 'DELETE', 'OPTIONS'];
  return methods.map((method) => ({ name: 'lenient', method, path: '*', scope: 'read' as const, perform }));
}

/** An id may contain encoded characters, such as a slash. */
const declaredPath = /\/api\/v1(?:\/[^/;]+)+$/;

/** Accepts the body of a GET, which the other routes never read. */
const withoutBodyOfReads: RuleChange = overrideRules((base) => ({
  parseBody: (service, request) => (request.method === 'GET' ? {} : base.parseBody(service, request)),
}));

const UNUSUAL_VALUE = /[^\x21-\x7e]|["',;]/;

/** How servers handle requests that the contract does not declare. None of them serves such a request without credentials. */
export const undeclaredRequestVariations: readonly Variation[] = [
  {
    id: 'paths-normalized',
    openPoint: 'OP-91',
    choice: 'as the declared path, after normalization, or as the path and method that a header names',
    routes: lenientRouter,
    rules: withoutBodyOfReads,
  },
  {
    id: 'paths-redirected',
    openPoint: 'OP-91',
    choice: 'by a redirect to the declared path',
    rewrite: (request, response) => {
      const { pathname, search } = new URL(request.url);
      if (response.status !== 404 || declaredPath.test(pathname)) return response;
      return new Response(null, { status: 308, headers: { Location: `${normalizePath(pathname)}${search}` } });
    },
  },
  {
    id: 'unusual-headers-rejected',
    openPoint: 'OP-91',
    choice: 'a proxy rejects repeated headers and unusual characters in credentials with its own 400',
    rewrite: ({ headers }, response) => {
      const values = ['X-API-Key', 'X-API-Secret'].map((name) => headers.get(name) ?? '');
      if (!values.some((value) => UNUSUAL_VALUE.test(value))) return response;
      return Response.json({ message: 'Bad Request' }, { status: 400 });
    },
  },
  {
    id: 'unusual-requests-forbidden',
    openPoint: 'OP-91',
    choice: 'a firewall rejects unusual credentials, paths and headers with its own 403',
    rewrite: ({ url, headers }, response) => {
      const values = ['X-API-Key', 'X-API-Secret'].map((name) => headers.get(name) ?? '');
      const { pathname } = new URL(url);
      const isUnusual =
        values.some((value) => UNUSUAL_VALUE.test(value)) ||
        !pathname.includes('/api/v1/') ||
        /;|\/\/|\.\.|%2e/i.test(pathname) ||
        [...headers.keys()].some((name) => /^x-(original|rewrite|http-method|method)/i.test(name));
      if (!isUnusual) return response;
      return Response.json({ message: 'Forbidden' }, { status: 403 });
    },
  },
];
