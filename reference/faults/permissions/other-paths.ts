import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { IncomingRequest, Route } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { addSpelledRoute } from '../support/authentication.ts';

/** Requires no permission for some requests. */
const requireNone = (isOpen: (request: IncomingRequest) => boolean): RuleChange =>
  overrideRules((base) => ({
    authorize: (call) => {
      if (!isOpen(call.request)) base.authorize(call);
    },
  }));

const overrideOf = ({ headers }: IncomingRequest) => headers.get('X-HTTP-Method-Override');

/** A submission by GET with a header that names POST, as a framework with method override serves it. */
const addSubmissionByGet = (base: readonly Route[]): readonly Route[] => [
  ...base,
  ...base
    .filter(({ name }) => name === 'submit')
    .map(
      (submit): Route => ({
        ...submit,
        method: 'GET',
        scope: 'read',
        perform: (call) => {
          if (overrideOf(call.request) !== 'POST') throw rejections.noSuchRoute();
          return submit.perform(call);
        },
      }),
    ),
];

export const permissionsOtherPathsFaults: readonly Fault[] = [
  {
    id: 'perm-create-matrix-open',
    requirement: 'PERM-01',
    defect: 'Permissions are looked up by the path with its parameters, and the router removes them first.',
    caughtBy: ['PERM-01.other-paths'],
    routes: addSpelledRoute('create', (path) => `${path};a=b`),
    rules: requireNone(({ path }) => path.includes(';')),
  },
  {
    id: 'perm-submit-double-slash-open',
    requirement: 'PERM-01',
    defect: 'The rules of permissions begin with /api, so a path with two slashes at its start matches none.',
    caughtBy: ['PERM-01.submit-other-paths'],
    routes: addSpelledRoute('submit', (path) => `/${path}`),
    rules: requireNone(({ path }) => path.startsWith('//')),
  },
  {
    id: 'perm-method-by-override',
    requirement: 'PERM-01',
    defect: 'The permission is that of the method in X-HTTP-Method-Override, which the router ignores.',
    caughtBy: ['PERM-01.rewritten', 'PERM-01.submit-other-paths'],
    rules: requireNone((request) => overrideOf(request) === 'GET'),
  },
  {
    id: 'perm-submit-by-get',
    requirement: 'PERM-01',
    defect: 'The permission is that of the request, GET, and the framework then performs the POST of a header.',
    caughtBy: ['PERM-01.submit-other-paths'],
    routes: addSubmissionByGet,
  },
  {
    id: 'perm-path-by-original-url',
    requirement: 'PERM-01',
    defect: 'The permission is that of the path in X-Original-URL, which only the proxy should set.',
    caughtBy: ['PERM-01.rewritten'],
    rules: requireNone(({ headers }) => headers.get('X-Original-URL') === '/health'),
  },
];
