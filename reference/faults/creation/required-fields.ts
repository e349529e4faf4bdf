import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { creationFault, OPTIONAL_FIELDS, REQUIRED_FIELDS, rewriteBody } from '../support/creation.ts';
import { byTable, camelCaseOf, ignoringCase, readAliases } from '../support/field-aliases.ts';
import type { JsonObject } from '../support/records.ts';

const fallbacks: readonly [word: string, field: string, (own: string, other: string) => unknown, sentence: string][] = [
  ['seller-id', 'sellerId', (own) => own, 'A missing sellerId defaults to the caller.'],
  ['buyer-id', 'buyerId', (_own, other) => other, 'A missing buyerId defaults to the first connection.'],
  ['amount', 'amount', () => '0.01', 'A missing amount defaults to the smallest amount.'],
  ['due-date', 'dueDate', () => '2099-12-31', 'An invoice without a dueDate is accepted.'],
];

/** Names that real servers read in place of declared ones. Beside the declared name, they are rejected as undeclared. */
const aliases: readonly [word: string, checks: CheckId[], sentence: string, nameOf: (name: string) => string][] = [
  [
    'any-case',
    ['CREATE-02.other-names', 'CREATE-01.other-names'],
    'The JSON library matches the names of fields without regard to case.',
    ignoringCase([...REQUIRED_FIELDS, ...OPTIONAL_FIELDS]),
  ],
  [
    'snake-case',
    ['CREATE-02.other-names', 'CREATE-01.other-names'],
    'The model fills its fields by alias and by name, so that snake case is accepted as well.',
    camelCaseOf,
  ],
  [
    'record-names',
    ['CREATE-02.other-names'],
    'A copied record can be sent again: its names of the organizations are read if the others are missing.',
    byTable({ buyerOrganizationId: 'buyerId', sellerOrganizationId: 'sellerId' }),
  ],
  [
    'old-total',
    ['CREATE-02.other-names'],
    'The amount is still read from total, its name in the first version.',
    byTable({ total: 'amount' }),
  ],
  [
    'kebab-due-date',
    ['CREATE-02.other-names'],
    'The import of a partner, which writes due-date, uses the same mapping.',
    byTable({ 'due-date': 'dueDate' }),
  ],
  [
    'currency-code',
    ['CREATE-01.other-names'],
    'currencyCode of another product line is read as the currency.',
    byTable({ currencyCode: 'currency' }),
  ],
  [
    'memo',
    ['CREATE-01.other-names'],
    'memo is the old name of the description and still read.',
    byTable({ memo: 'description' }),
  ],
];

export const creationRequiredFieldsFaults: readonly Fault[] = [
  ...fallbacks.map(
    ([word, field, fallback, sentence]): Fault => ({
      id: `create-without-${word}-accepted`,
      requirement: 'CREATE-02',
      defect: sentence,
      caughtBy: [`CREATE-02.${word}` as CheckId],
      rules: overrideRules((base) => ({
        validateCreate: (call) => {
          if (Object.hasOwn(call.body, field)) return base.validateCreate(call);
          const own = call.organizationId;
          const ids = call.world.connections.find(({ organizationIds }) =>
            organizationIds.includes(own),
          )?.organizationIds;
          const other = ids?.find((id) => id !== own) ?? own;
          return base.validateCreate({ ...call, body: { ...call.body, [field]: fallback(own, other) } });
        },
      })),
    }),
  ),
  /** The framework rejects the missing field with a code of its own, although the contract gives INV002. */
  ...fallbacks.map(
    ([word, field]): Fault => ({
      id: `create-without-${word}-own-code`,
      requirement: 'CREATE-02',
      defect: `The framework detects a missing ${field} and rejects it with a code other than INV002.`,
      caughtBy: [`CREATE-02.${word}` as CheckId],
      rules: overrideRules((base) => ({
        validateCreate: (call) => {
          if (Object.hasOwn(call.body, field)) return base.validateCreate(call);
          throw rejections.invalidRequest(`${field} is required`);
        },
      })),
    }),
  ),
  {
    id: 'create-empty-object-own-code',
    requirement: 'CREATE-02',
    defect: 'A guard of the framework rejects an empty object with another code.',
    caughtBy: ['CREATE-02.empty-object'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        if (call.request.text === '{}') throw rejections.invalidRequest('the body is empty');
        return base.validateCreate(call);
      },
    })),
  },
  creationFault(
    'several-missing-own-code',
    'CREATE-02.generated',
    'Several missing fields are reported in one error, which has the code of the validation library.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        const missing = REQUIRED_FIELDS.filter((name) => !Object.hasOwn(call.body, name));
        if (missing.length === 2 || missing.length === 3) {
          throw new RejectionError(400, 'VAL001', 'Bad Request', `missing: ${missing.join(', ')}`);
        }
        return base.validateCreate(call);
      },
    })),
  ),
  ...(
    [
      [
        'required-only',
        'A body without any optional field is rejected.',
        (body) => !body.currency && !body.description && !body.requestId,
      ],
      [
        'all-declared',
        'A body with all optional fields is rejected.',
        (body) => body.currency && body.description && body.requestId,
      ],
      [
        'description',
        'A description requires a currency.',
        (body) =>
          body.description && !body.currency && !body.requestId && !String(body.description).includes('conformance'),
      ],
      [
        'required-only-amounts',
        'From 10,000, an invoice requires a description.',
        (body) => Number(body.amount) >= 10_000 && !body.description,
      ],
      ['currency', 'A currency requires a description.', (body) => body.currency && !body.description],
      ['request-id', 'A requestId requires a description.', (body) => body.requestId && !body.description],
    ] as [string, string, (body: JsonObject) => unknown][]
  ).map(([word, defect, refuses]) => ({
    id: `create-optional-${word}-rejected`,
    requirement: 'CREATE-13',
    defect,
    caughtBy: [`CREATE-13.${word}` as 'CREATE-13.currency'],
    rules: overrideRules((base) => ({
      validateCreate: (call) =>
        base.validateCreate(refuses(call.body) ? { ...call, body: { ...call.body, amount: null } } : call),
    })),
  })),

  ...aliases.map(
    ([word, checks, sentence, nameOf]): Fault => ({
      id: `create-alias-${word}`,
      requirement: (checks[0] ?? '').split('.')[0] ?? '',
      defect: sentence,
      caughtBy: checks,
      rules: rewriteBody((body) => readAliases(body, nameOf)),
    }),
  ),
];
