import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Rules } from '../../service/rules.ts';
import type { Fault } from '../fault.ts';
import { addTrailingSlashRoute, hasTrailingSlash } from '../support/authentication.ts';
import { skipGateOnReplay } from '../support/other-keys.ts';

/** Routes by the word in their check id. */
const guarded: readonly [word: string, route: string, sentence: string][] = [
  ['create', 'create', 'Creation requires no permission: the decorator was lost in a merge.'],
  ['submit', 'submit', 'Submitting is listed among the reading operations.'],
  ['delete', 'delete', 'The permission check covers POST but not DELETE.'],
  ['cancel', 'cancel', 'Cancelling requires no permission.'],
  ['reset', 'reset', 'Any sandbox key may reset the sandbox, even a read-only one.'],
  ['webhook-create', 'subscribe', 'Subscribing counts as reading.'],
  ['treasury-withdraw', 'withdraw', 'Only the dashboard checks the permission to withdraw.'],
];

/** The permission is not checked for requests with a requestId. */
const openWithRequestId = (route: string): RuleChange =>
  overrideRules((base) => ({
    authorize: (call) => {
      if (call.route.name !== route || !call.request.text.includes('"requestId"')) base.authorize(call);
    },
  }));

/** The request is carried out before the permission is checked. */
const doneAllTheSame = (route: string, work: (base: Readonly<Rules>, call: Call) => void): RuleChange =>
  overrideRules((base) => ({
    authorize: (call) => {
      try {
        base.authorize(call);
      } catch (refusal) {
        if (call.route.name === route) work(base, { ...call, body: base.parseBody(call, call.request) });
        throw refusal;
      }
    },
  }));

export const permissionsMissingPermissionFaults: readonly Fault[] = [
  {
    id: 'perm-guard-by-exact-path',
    requirement: 'PERM-01',
    defect: 'Permissions are looked up by the exact path; a path with a trailing slash requires none.',
    caughtBy: ['PERM-01.other-paths'],
    routes: addTrailingSlashRoute('create'),
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (!hasTrailingSlash(call.request)) base.authorize(call);
      },
    })),
  },
  {
    id: 'perm-cached-read-skips-permission',
    requirement: 'PERM-03',
    defect:
      'The cache returns an earlier response to every key of the organization, without a check of its permission.',
    caughtBy: ['PERM-03.replayed'],
    rules: skipGateOnReplay('authorize'),
  },
  ...guarded.map(
    ([word, route, sentence]): Fault => ({
      id: `perm-${word}-open`,
      requirement: 'PERM-01',
      defect: sentence,
      caughtBy: [`PERM-01.${word}` as CheckId],
      rules: overrideRules((base) => ({
        authorize: (call) => {
          if (call.route.name !== route) base.authorize(call);
        },
      })),
    }),
  ),
  /** Actions that the seller's read-only key may only perform if the party is not checked either. */
  ...(['approve', 'dispute', 'settle', 'resolve'] as const).map(
    (action): Fault => ({
      id: `perm-${action}-open`,
      requirement: 'PERM-01',
      defect: `A key of either party may ${action}, even a read-only one: the guard checks only the permission to read.`,
      caughtBy: [`PERM-01.${action}`],
      rules: overrideRules((base) => ({
        authorize: (call) => {
          if (call.route.name !== action) base.authorize(call);
        },
        checkParty: (call, invoice, asked) => {
          const reader = asked === action && !call.key.scopes.includes(call.route.scope);
          if (!reader) base.checkParty(call, invoice, asked);
        },
      })),
    }),
  ),
  {
    id: 'perm-rejected-with-401',
    requirement: 'PERM-01',
    defect: 'A key without the permission gets 404, as for an operation that does not exist.',
    caughtBy: ['PERM-01.create', 'PERM-01.submit', 'PERM-01.webhook-create'],
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (!call.key.scopes.includes(call.route.scope)) throw rejections.noSuchRoute();
        base.authorize(call);
      },
    })),
  },
  {
    id: 'perm-rejected-but-created',
    requirement: 'PERM-01',
    defect: 'The permission is checked after the write, so the 403 comes too late.',
    caughtBy: ['PERM-01.create'],
    rules: doneAllTheSame('create', (base, call) => {
      const input = base.validateCreate(call);
      base.issueInvoice(call, input, base.nextInvoiceNumber(call, base.findConnection(call, input)));
    }),
  },
  {
    id: 'perm-request-id-skips-permission',
    requirement: 'PERM-01',
    defect: 'A creation with a requestId goes through the replay store, which does not check the permission.',
    caughtBy: ['PERM-01.create'],
    rules: openWithRequestId('create'),
  },
  {
    id: 'perm-submit-with-requestid-open',
    requirement: 'PERM-01',
    defect: 'A submission with a requestId goes through the replay store, which does not check the permission.',
    caughtBy: ['PERM-01.submit'],
    rules: openWithRequestId('submit'),
  },
  {
    id: 'perm-small-withdrawal-open',
    requirement: 'PERM-01',
    defect: 'A withdrawal below one unit requires no permission.',
    caughtBy: ['PERM-01.treasury-withdraw'],
    rules: overrideRules((base) => ({
      authorize: (call) => {
        const petty = call.route.name === 'withdraw' && /"amount":"0\./.test(call.request.text);
        if (!petty) base.authorize(call);
      },
    })),
  },
  {
    id: 'perm-withdrawal-rejected-but-paid',
    requirement: 'PERM-01',
    defect: 'A withdrawal is queued before the permission is checked, and is paid in spite of the 403.',
    caughtBy: ['PERM-01.treasury-withdraw'],
    rules: doneAllTheSame('withdraw', (base, call) => {
      base.withdraw(call, base.validateWithdrawal(call));
    }),
  },
  {
    id: 'perm-withdrawal-replayed-without-permission',
    requirement: 'PERM-01',
    defect:
      'The cache returns an earlier response to every key of the organization, without a check of its permission.',
    caughtBy: ['PERM-01.treasury-withdraw'],
    rules: overrideRules((base) => {
      const given = new Set<string>();
      const requestIdOf = (text: string) => /"requestId":"([^"]+)"/.exec(text)?.[1] ?? '';
      return {
        authorize: (call) => {
          const { text } = call.request;
          if (call.route.name === 'withdraw' && given.has(requestIdOf(text))) return;
          base.authorize(call);
          if (call.route.name === 'withdraw' && requestIdOf(text)) given.add(requestIdOf(text));
        },
      };
    }),
  },
];
