import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { IncomingRequest } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import {
  isActionRequest,
  isInvoiceRequest,
  isListRequest,
  isUnknownEnvironment,
  requestedEnvironment,
  rewriteEnvironmentHeader,
} from '../support/environments.ts';
import { environmentHeader, ignoreEnvironmentHeader, isReadOnlyKey, skipGateOnReplay } from '../support/other-keys.ts';

const isCreation = ({ method, path }: IncomingRequest) => method === 'POST' && path === '/api/v1/invoices';

const ignored = (value: string) => (isUnknownEnvironment(value) ? null : value);

const operations: readonly [word: string, method: string, path: RegExp][] = [
  ['submit', 'POST', /\/submit$/],
  ['delete', 'DELETE', /./],
  ['approve', 'POST', /\/approve$/],
  ['dispute', 'POST', /\/dispute$/],
  ['settle', 'POST', /\/settle$/],
  ['resolve', 'POST', /\/resolve$/],
  ['treasury-balance', 'POST', /\/treasury\/balance$/],
  ['treasury-withdraw', 'POST', /\/treasury\/withdraw$/],
];

export const environmentsUnknownValueFaults: readonly Fault[] = [
  /** One endpoint is not behind the gateway. */
  ...operations.map(
    ([word, method, path]): Fault => ({
      id: `env-unknown-ignored-on-${word}`,
      requirement: 'ENV-01',
      defect: `${word} does not pass the gateway, so an unknown X-Environment is ignored.`,
      caughtBy: [`ENV-01.${word}` as CheckId],
      rules: rewriteEnvironmentHeader((request) => request.method === method && path.test(request.path), ignored),
    }),
  ),
  {
    id: 'env-by-prefix',
    requirement: 'ENV-01',
    defect: 'X-Environment is matched by its beginning: SANDBOX2 counts as SANDBOX.',
    caughtBy: ['ENV-01.extended', 'ENV-01.both'],
    rules: rewriteEnvironmentHeader(isListRequest, (value) => (value.startsWith('SANDBOX') ? 'SANDBOX' : value)),
  },
  {
    id: 'env-placeholder-is-none',
    requirement: 'ENV-01',
    defect: '"undefined" and "null", which the dashboard sends without a selection, count as no environment.',
    caughtBy: ['ENV-01.placeholder'],
    rules: rewriteEnvironmentHeader(isListRequest, (value) => (/^(undefined|null)$/.test(value) ? null : value)),
  },
  {
    id: 'env-unknown-ignored-on-list',
    requirement: 'ENV-01',
    defect: 'The list ignores an unknown X-Environment.',
    caughtBy: ['ENV-01.list'],
    rules: rewriteEnvironmentHeader(isListRequest, ignored),
  },
  {
    id: 'env-unknown-ignored-on-later-pages',
    requirement: 'ENV-01',
    defect: 'Later pages come from a cursor that the first page opened, and only the first page checks X-Environment.',
    caughtBy: ['ENV-01.list'],
    rules: rewriteEnvironmentHeader(
      (request) => isListRequest(request) && Number(request.query.get('page')) > 0,
      ignored,
    ),
  },
  {
    id: 'env-unknown-ignored-on-create',
    requirement: 'ENV-01',
    defect: 'Creation ignores an unknown X-Environment, because it runs on another gateway.',
    caughtBy: ['ENV-01.create'],
    rules: rewriteEnvironmentHeader(isCreation, ignored),
  },
  {
    id: 'env-unknown-ignored-on-webhooks',
    requirement: 'ENV-01',
    defect: 'The settings are served by another gateway, which ignores an unknown X-Environment.',
    caughtBy: ['ENV-01.webhook-create'],
    rules: rewriteEnvironmentHeader(({ path }) => path.endsWith('/webhooks'), ignored),
  },
  {
    id: 'env-unknown-ignored-on-read',
    requirement: 'ENV-01',
    defect: 'Reading one invoice ignores an unknown X-Environment.',
    caughtBy: ['ENV-01.read'],
    rules: rewriteEnvironmentHeader(isInvoiceRequest, ignored),
  },
  {
    id: 'env-unknown-ignored-on-action',
    requirement: 'ENV-01',
    defect: 'Actions ignore an unknown X-Environment.',
    caughtBy: ['ENV-01.cancel'],
    rules: rewriteEnvironmentHeader(isActionRequest, ignored),
  },
  {
    id: 'env-lower-case-accepted',
    requirement: 'ENV-01',
    defect: 'X-Environment is compared case-insensitively.',
    caughtBy: ['ENV-01.lower-case'],
    rules: rewriteEnvironmentHeader(
      () => true,
      (value) => value.toUpperCase(),
    ),
  },
  {
    id: 'env-abbreviation-accepted',
    requirement: 'ENV-01',
    defect: 'X-Environment is matched by its beginning: PROD is rejected as the other environment.',
    caughtBy: ['ENV-01.abbreviation'],
    rules: rewriteEnvironmentHeader(
      () => true,
      (value) => ('PRODUCTION'.startsWith(value) && value !== '' ? 'PRODUCTION' : value),
    ),
  },
  {
    id: 'env-unknown-other-code',
    requirement: 'ENV-01',
    defect: 'An unknown X-Environment is rejected with 400 and the general code.',
    caughtBy: ['ENV-01.list', 'ENV-01.create', 'ENV-01.read', 'ENV-01.cancel'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        if (isUnknownEnvironment(requestedEnvironment(request)))
          throw rejections.invalidRequest('X-Environment is unknown');
        return base.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-unknown-ignored-on-reset',
    requirement: 'ENV-01',
    defect: 'The reset does not pass the gateway that checks X-Environment.',
    caughtBy: ['ENV-01.reset'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) =>
        isUnknownEnvironment(requestedEnvironment(request)) && request.path.endsWith('/sandbox/reset')
          ? key.environment
          : base.resolveEnvironment(service, key, request),
    })),
  },
  {
    id: 'env-reader-unchecked',
    requirement: 'ENV-01',
    defect: 'Read-only keys are served by the cache, which does not know X-Environment.',
    caughtBy: ['ENV-01.every-key'],
    rules: ignoreEnvironmentHeader((key, request) => isReadOnlyKey(key) && environmentHeader(request) === 'STAGING'),
  },
  {
    id: 'env-cached-read-skips-environment',
    requirement: 'ENV-01',
    defect: 'An earlier response is returned before X-Environment is checked.',
    caughtBy: ['ENV-01.replayed'],
    rules: skipGateOnReplay('resolveEnvironment'),
  },
];
