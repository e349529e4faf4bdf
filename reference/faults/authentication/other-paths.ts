import { overrideRules } from '../../overrides/override-rules.ts';
import type { IncomingRequest, Route } from '../../service/call.ts';
import type { Fault } from '../fault.ts';
import {
  acceptCredentials,
  addSpelledRoute,
  addTrailingSlashRoute,
  findActiveKey,
  hasTrailingSlash,
  skipSecretComparison,
} from '../support/authentication.ts';

/** The guard does not look at a request, which is then served as the first organization. */
const leaveOpen = (isOpen: (request: IncomingRequest) => boolean) =>
  acceptCredentials((given) => (isOpen(given.request) ? findActiveKey(given) : undefined));

/** The guard does not look at a request, and its handler takes the organization from the key. */
const leaveOpenForKeys = (isOpen: (request: IncomingRequest) => boolean) =>
  skipSecretComparison((_, request) => isOpen(request));

const INVOICES = '/api/v1/invoices';
const PUBLIC_PATHS = ['/health', '/public', '/actuator'];
const isPublic = (path: string | null) => PUBLIC_PATHS.some((each) => path?.startsWith(each));

/** The path `/health` lists invoices if a header names their path, because the router reads it and the guard does not. */
const addRewrittenList = (base: readonly Route[]): readonly Route[] => [
  ...base,
  ...base
    .filter(({ name }) => name === 'list')
    .map(
      (list): Route => ({
        ...list,
        path: '/health',
        perform: (call) =>
          call.request.headers.get('X-Rewrite-URL') === INVOICES
            ? list.perform(call)
            : { status: 200, body: { status: 'ok' } },
      }),
    ),
];

export const authenticationOtherPathsFaults: readonly Fault[] = [
  {
    id: 'auth-public-prefix-dots',
    requirement: 'AUTH-01',
    defect: 'Paths below /public need no credentials, and the router resolves an encoded parent folder later.',
    caughtBy: ['AUTH-01.other-paths', 'AUTH-03.other-paths'],
    routes: addSpelledRoute('list', (path) => `/public/..%2F${path.slice(1)}`),
    rules: leaveOpen(({ path }) => isPublic(path)),
  },
  {
    id: 'auth-actuator-matrix-dots',
    requirement: 'AUTH-01',
    defect: 'Paths below /actuator need no credentials, and the servlet container resolves `..;` afterwards.',
    caughtBy: ['AUTH-01.other-paths'],
    routes: addSpelledRoute('list', (path) => `/actuator/..;${path}`),
    rules: leaveOpen(({ path }) => isPublic(path)),
  },
  {
    id: 'auth-double-slash-any-secret',
    requirement: 'AUTH-03',
    defect: 'The guard compares the exact path, the router merges slashes, and the handler trusts the key.',
    caughtBy: ['AUTH-03.other-paths'],
    routes: addSpelledRoute('list', (path) => `/${path.slice(1).replaceAll('/', '//')}`),
    rules: leaveOpenForKeys(({ path }) => path.includes('//')),
  },
  {
    id: 'auth-encoded-slash-any-secret',
    requirement: 'AUTH-03',
    defect: 'The gateway looks at the segments of the raw path, and the application decodes the slashes in it.',
    caughtBy: ['AUTH-03.other-paths'],
    routes: addSpelledRoute('list', (path) => `/${path.slice(1).replaceAll('/', '%2F')}`),
    rules: leaveOpenForKeys(({ path }) => /%2f/i.test(path)),
  },
  {
    id: 'auth-read-slash-any-secret',
    requirement: 'AUTH-07',
    defect: 'The guard of the read has a pattern that ends at the id, so a slash after it avoids the guard.',
    caughtBy: ['AUTH-07.read-other-paths'],
    routes: addTrailingSlashRoute('read'),
    rules: leaveOpenForKeys(hasTrailingSlash),
  },
  {
    id: 'auth-read-matrix-any-secret',
    requirement: 'AUTH-07',
    defect: 'The framework removes parameters behind a semicolon from the id, and the guard does not know such paths.',
    caughtBy: ['AUTH-07.read-other-paths'],
    rules: (original) =>
      overrideRules((base) => ({
        findInvoice: (call, id) => base.findInvoice(call, id.split(';')[0] ?? ''),
      }))(leaveOpenForKeys(({ path }) => path.includes(';'))(original)),
  },
  {
    id: 'auth-submit-slash-any-secret',
    requirement: 'AUTH-07',
    defect: 'The guard of the actions has a pattern that ends at the name of the action.',
    caughtBy: ['AUTH-07.submit-other-paths'],
    routes: addTrailingSlashRoute('submit'),
    rules: leaveOpenForKeys(hasTrailingSlash),
  },
  {
    id: 'auth-options-by-override',
    requirement: 'AUTH-07',
    defect: 'The guard lets OPTIONS pass for CORS, and takes the method from X-HTTP-Method-Override.',
    caughtBy: ['AUTH-07.rewritten', 'AUTH-07.submit-other-paths'],
    rules: leaveOpenForKeys(({ headers }) => headers.get('X-HTTP-Method-Override') === 'OPTIONS'),
  },
  {
    id: 'auth-original-url-public',
    requirement: 'AUTH-07',
    defect: 'The guard takes the path from X-Original-URL, which only the proxy should set.',
    caughtBy: ['AUTH-07.rewritten', 'AUTH-07.submit-other-paths'],
    rules: leaveOpenForKeys(({ headers }) => isPublic(headers.get('X-Original-URL'))),
  },
  {
    id: 'auth-rewrite-url-of-public',
    requirement: 'AUTH-07',
    defect: 'The guard leaves /health open, and the router serves the path that X-Rewrite-URL names.',
    caughtBy: ['AUTH-07.rewritten'],
    routes: addRewrittenList,
    rules: leaveOpen(({ path }) => path === '/health'),
  },
  {
    id: 'auth-forwarded-prefix-public',
    requirement: 'AUTH-07',
    defect: 'The guard puts X-Forwarded-Prefix before the path, so that it begins with a public one.',
    caughtBy: ['AUTH-07.rewritten'],
    rules: leaveOpenForKeys(({ headers }) => isPublic(headers.get('X-Forwarded-Prefix'))),
  },
  {
    id: 'auth-public-word-in-query',
    requirement: 'AUTH-07',
    defect: 'The guard leaves every URL open that contains /health, in its query, too.',
    caughtBy: ['AUTH-07.rewritten'],
    rules: leaveOpenForKeys(({ query }) => [...query.values()].some(isPublic)),
  },
];
