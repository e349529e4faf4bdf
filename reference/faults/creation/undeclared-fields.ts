import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Body } from '../../service/call.ts';
import type { Fault } from '../fault.ts';
import { crashOnBody, creationFault, OPTIONAL_FIELDS, REQUIRED_FIELDS, rewriteBody } from '../support/creation.ts';

const without = (body: Body, ...names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Undeclared names that real servers may accept, by the word in their check id. */
const undeclared: readonly [word: string, name: string, sentence: string, holds?: (value: unknown) => boolean][] = [
  ['invoice-number', 'invoiceNumber', 'An invoiceNumber in the body is ignored instead of rejected.'],
  [
    'unknown',
    'conformanceProbe',
    'Unknown fields are removed, as is the default of the validation library.',
    (value) => value !== null,
  ],
  [
    'null-value',
    'conformanceProbe',
    'Fields with the value null are dropped before the body is validated.',
    (value) => value === null,
  ],
  [
    'empty-values',
    'conformanceProbe',
    'Unknown fields are tested for truthiness: one with the value false or 0 passes.',
    (value) => value === false || value === 0,
  ],
  ['common-names', 'lineItems', 'lineItems, a field of the next version, is already accepted.'],
  ['status', 'status', 'A status in the body is accepted for imports.'],
  ['id', 'id', 'An id in the body is accepted, because create and update share a type.'],
  ['created-at', 'createdAt', 'A createdAt in the body is accepted for imports.'],
  [
    'organization-ids',
    'buyerOrganizationId',
    'The field names of the record are accepted in addition to those of the request.',
  ],
  ['other-case', 'Amount', 'Field names are matched case-insensitively.'],
  ['snake-case', 'request_id', 'Field names in snake case are accepted for old clients.'],
  ['proto', '__proto__', 'The check for unknown fields iterates with "in", which skips __proto__.'],
  ['constructor', 'constructor', 'A field name is looked up in the schema object, which inherits constructor.'],
];

const LATE_MS = 150;

const withoutOddNames = (body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => /^[A-Za-z_]+$/.test(name)));

export const creationUndeclaredFieldsFaults: readonly Fault[] = [
  ...undeclared.map(
    ([word, name, sentence, holds = () => true]): Fault => ({
      id: `create-ignores-${word}`,
      requirement: 'CREATE-01',
      defect: sentence,
      caughtBy: [`CREATE-01.${word}` as CheckId],
      rules: overrideRules((base) => ({
        validateCreate: (call) => {
          const { body } = call;
          const ignoredHere = Object.hasOwn(body, name) && holds(body[name]);
          return base.validateCreate(ignoredHere ? { ...call, body: without(body, name) } : call);
        },
      })),
    }),
  ),
  {
    id: 'create-own-number-accepted',
    requirement: 'CREATE-01',
    defect: 'An invoiceNumber in the form of the platform is ignored instead of rejected.',
    caughtBy: ['CREATE-01.invoice-number'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const own = /^INV-\d{4}-\d{6}$/.test(String(call.body.invoiceNumber));
        return base.validateCreate(own ? { ...call, body: without(call.body, 'invoiceNumber') } : call);
      },
    })),
  },
  {
    id: 'create-initial-status-accepted',
    requirement: 'CREATE-01',
    defect: 'A status that equals the initial status is ignored instead of rejected.',
    caughtBy: ['CREATE-01.common-names'],
    rules: overrideRules((base) => ({
      validateCreate: (call) =>
        base.validateCreate(call.body.status === 'DRAFT' ? { ...call, body: without(call.body, 'status') } : call),
    })),
  },
  {
    id: 'create-seller-by-record-name',
    requirement: 'CREATE-01',
    defect: 'sellerOrganizationId, the name of the seller in records, is accepted from an older client.',
    caughtBy: ['CREATE-01.organization-ids'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => base.validateCreate({ ...call, body: without(call.body, 'sellerOrganizationId') }),
    })),
  },
  {
    id: 'create-rejected-but-written',
    requirement: 'CREATE-01',
    defect:
      'The transaction is committed before the check for undeclared fields rejects the request: 400, and an invoice.',
    caughtBy: ['CREATE-01.unknown', 'CREATE-01.invoice-number'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        try {
          return base.validateCreate(call);
        } catch (refusal) {
          const known = without(call.body, 'conformanceProbe', 'invoiceNumber');
          const input = base.validateCreate({ ...call, body: known });
          base.issueInvoice(call, input, base.nextInvoiceNumber(call, base.findConnection(call, input)));
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'create-request-id-skips-validation',
    requirement: 'CREATE-01',
    defect: 'A creation with a requestId is validated by an older schema, which removes undeclared fields.',
    caughtBy: ['CREATE-01.generated'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        if (typeof call.body.requestId !== 'string') return base.validateCreate(call);
        const names = ['sellerId', 'buyerId', 'amount', 'dueDate', 'currency', 'description', 'requestId'];
        const body = Object.fromEntries(names.flatMap((name) => (name in call.body ? [[name, call.body[name]]] : [])));
        return base.validateCreate({ ...call, body });
      },
    })),
  },
  creationFault(
    'deep-breaks',
    'CREATE-01.deep',
    'A deeply nested body overflows the stack of the validator: 500.',
    crashOnBody((text) => text.includes('['.repeat(500))),
  ),
  creationFault(
    'ignores-symbol-names',
    'CREATE-01.generated',
    'A sanitizer removes fields whose names contain anything but letters before the body is validated.',
    rewriteBody(withoutOddNames),
  ),
  creationFault(
    'dollar-names-dropped',
    'CREATE-01.unusual-names',
    'Field names that begin with a dollar sign are reserved for tools and removed before the body is validated.',
    rewriteBody((body) => Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('$')))),
  ),
  {
    id: 'create-rejected-created-later',
    requirement: 'CREATE-01',
    defect: 'The body is queued before it is validated; the queue removes unknown fields and creates the invoice.',
    caughtBy: ['CREATE-01.nothing-created-later'],
    takesEffectLater: true,
    traffic: 'smoke',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        try {
          return base.validateCreate(call);
        } catch (refusal) {
          const declared = Object.entries(call.body).filter(([name]) =>
            [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS].includes(name),
          );
          call.background.schedule(LATE_MS, () => {
            const input = base.validateCreate({ ...call, body: Object.fromEntries(declared) });
            base.issueInvoice(call, input, base.nextInvoiceNumber(call, base.findConnection(call, input)));
          });
          throw refusal;
        }
      },
    })),
  },
];
