import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Body } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { byTable, camelCaseOf, ignoringCase, readAliases } from '../support/field-aliases.ts';

const URL_OF_NOBODY = 'https://receiver.example.com/hook';

/** Invalid subscriptions that real servers may accept: how each recognises them, and how it reads them. */
const lenient: readonly [
  check: CheckId,
  field: string,
  defect: (value: unknown) => boolean,
  taken: unknown,
  sentence: string,
][] = [
  ['HOOK-02.url-number', 'url', (value) => typeof value === 'number', URL_OF_NOBODY, 'A numeric url is stringified.'],
  [
    'HOOK-08.url-in-array',
    'url',
    (value) => Array.isArray(value),
    URL_OF_NOBODY,
    'The type of url is not validated: an array with one url is stored as text.',
  ],
  [
    'HOOK-02.url-invalid',
    'url',
    (value) => value === 'not a url',
    URL_OF_NOBODY,
    'Any text is accepted as a url: it is used only at a delivery.',
  ],
  [
    'HOOK-02.event-types-string',
    'eventTypes',
    (value) => typeof value === 'string',
    ['PAYMENT_COMPLETED'],
    'A single event kind is wrapped into an array.',
  ],
  [
    'HOOK-02.event-types-numbers',
    'eventTypes',
    (value) => Array.isArray(value) && typeof value[0] === 'number',
    ['PAYMENT_COMPLETED'],
    'The elements of eventTypes are not validated.',
  ],
  [
    'HOOK-02.signing-secret-number',
    'signingSecret',
    (value) => typeof value === 'number',
    'secret',
    'A numeric signingSecret is stringified.',
  ],
  [
    'HOOK-03.undeclared',
    'conformanceProbe',
    () => true,
    undefined,
    'Undeclared fields are removed from a subscription.',
  ],
];

/** Names that real servers read in place of declared ones. */
const aliases: readonly [word: string, sentence: string, nameOf: (name: string) => string][] = [
  [
    'any-case',
    'The JSON library matches the names of fields without regard to case.',
    ignoringCase(['url', 'eventTypes', 'signingSecret']),
  ],
  ['snake-case', 'Fields in snake case are read for the old dashboard.', camelCaseOf],
  [
    'callback-url',
    'callbackUrl and events, the names of the first version, are still read.',
    byTable({ callbackUrl: 'url', events: 'eventTypes' }),
  ],
];

export const webhooksSubscriptionFaults: readonly Fault[] = [
  ...lenient.map(
    ([check, field, defect, taken, sentence]): Fault => ({
      id: `hook-accepts-${check.split('.')[1]}`,
      requirement: check.split('.')[0] ?? '',
      defect: sentence,
      caughtBy: [check],
      rules: overrideRules((base) => ({
        validateSubscription: (call) => {
          if (!Object.hasOwn(call.body, field) || !defect(call.body[field])) return base.validateSubscription(call);
          const { [field]: _, ...rest } = call.body;
          const body: Body = taken === undefined ? rest : { ...rest, [field]: taken };
          return base.validateSubscription({ ...call, body });
        },
      })),
    }),
  ),
  {
    id: 'hook-secret-rejected',
    requirement: 'HOOK-01',
    defect: 'signingSecret is rejected, because the server chooses the secret.',
    caughtBy: ['HOOK-01.created'],
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        if (call.body.signingSecret !== undefined) throw rejections.invalidRequest('signingSecret: unknown');
        return base.validateSubscription(call);
      },
    })),
  },
  {
    id: 'hook-secret-letters-break',
    requirement: 'HOOK-01',
    defect: 'The secret is stored as ASCII, and another letter causes an internal error.',
    caughtBy: ['HOOK-01.created'],
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        if (/[^\x20-\x7e]/.test(String(call.body.signingSecret))) throw new Error('ordinal not in range(128)');
        return base.validateSubscription(call);
      },
    })),
  },
  {
    id: 'hook-kind-unknown',
    requirement: 'HOOK-01',
    defect: 'BOOKING_UPDATED is missing from the list of event kinds.',
    caughtBy: ['HOOK-01.event-kinds'],
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        const input = base.validateSubscription(call);
        if (input.eventTypes.includes('BOOKING_UPDATED')) throw rejections.invalidRequest('eventTypes: unknown kind');
        return input;
      },
    })),
  },
  {
    id: 'hook-three-kinds-rejected',
    requirement: 'HOOK-01',
    defect: 'The column of event kinds is too short for all three.',
    caughtBy: ['HOOK-01.event-kinds'],
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        const input = base.validateSubscription(call);
        if (input.eventTypes.length > 2) throw rejections.invalidRequest('eventTypes: too many');
        return input;
      },
    })),
  },
  {
    id: 'hook-undeclared-422',
    requirement: 'HOOK-03',
    defect: 'An undeclared field in a subscription is rejected with 412.',
    caughtBy: ['HOOK-03.undeclared'],
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        if (Object.hasOwn(call.body, 'conformanceProbe')) throw rejections.connectionNotActive();
        return base.validateSubscription(call);
      },
    })),
  },
  ...aliases.map(
    ([word, sentence, nameOf]): Fault => ({
      id: `hook-alias-${word}`,
      requirement: 'HOOK-03',
      defect: sentence,
      caughtBy: ['HOOK-03.undeclared'],
      rules: overrideRules((base) => ({
        validateSubscription: (call) => base.validateSubscription({ ...call, body: readAliases(call.body, nameOf) }),
      })),
    }),
  ),
];
