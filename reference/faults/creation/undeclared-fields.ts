import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Body } from '../../service/call.ts';
import type { Fault } from '../fault.ts';
import { crashOnBody, creationFault, OPTIONAL_FIELDS, REQUIRED_FIELDS, rewriteBody } from '../support/creation.ts';

const without = (body: Body, ...names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Undeclared names that one server or another lets pass, by the word for their check. */
const undeclared: readonly [word: string, name: string, sentence: string, holds?: (value: unknown) => boolean][] = [
  ['invoice-number', 'invoiceNumber', 'An invoiceNumber in the body is ignored instead of refused.'],
  [
    'unknown',
    'conformanceProbe',
    'Unknown fields are stripped: the default of the validation library.',
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
    'Unknown fields are looked for by their truth: one that holds false or 0 passes.',
    (value) => value === false || value === 0,
  ],
  ['common-names', 'lineItems', 'lineItems of the next version are let through already.'],
  ['status', 'status', 'A status in the body is accepted for imports.'],
  ['id', 'id', 'An id in the body is accepted, as the shared type of create and update has one.'],
  ['created-at', 'createdAt', 'A createdAt in the body is accepted for imports.'],
  ['organization-ids', 'buyerOrganizationId', 'The names of the record are accepted beside those of the request.'],
  ['other-case', 'Amount', 'Names are matched in any case.'],
  ['snake-case', 'request_id', 'Names in snake case are tolerated for the old clients.'],
  ['proto', '__proto__', 'The check for unknown fields loops with "in", which does not see __proto__.'],
  ['constructor', 'constructor', 'A name is looked up in the schema object, which inherits constructor.'],
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
    id: 'create-own-number-let-in',
    requirement: 'CREATE-01',
    defect: 'An invoiceNumber of the form that the platform gives out is taken for its own, and ignored.',
    caughtBy: ['CREATE-01.invoice-number'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const own = /^INV-\d{4}-\d{6}$/.test(String(call.body.invoiceNumber));
        return base.validateCreate(own ? { ...call, body: without(call.body, 'invoiceNumber') } : call);
      },
    })),
  },
  {
    id: 'create-first-status-let-in',
    requirement: 'CREATE-01',
    defect: 'A status that says what a new invoice is anyhow does no harm, and is ignored.',
    caughtBy: ['CREATE-01.common-names'],
    rules: overrideRules((base) => ({
      validateCreate: (call) =>
        base.validateCreate(call.body.status === 'DRAFT' ? { ...call, body: without(call.body, 'status') } : call),
    })),
  },
  {
    id: 'create-seller-by-its-other-name',
    requirement: 'CREATE-01',
    defect: 'sellerOrganizationId is what records call the seller, and an older client sends both.',
    caughtBy: ['CREATE-01.organization-ids'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => base.validateCreate({ ...call, body: without(call.body, 'sellerOrganizationId') }),
    })),
  },
  {
    id: 'create-refused-but-written',
    requirement: 'CREATE-01',
    defect: 'The transaction is committed before the check for undeclared fields refuses: 400, and an invoice.',
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
    id: 'create-requestid-skips-strictness',
    requirement: 'CREATE-01',
    defect: 'A creation with a requestId is validated by an older schema, which strips undeclared fields.',
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
    'A body of many levels overflows the stack of the validator: 500.',
    crashOnBody((text) => text.includes('['.repeat(500))),
  ),
  creationFault(
    'ignores-odd-names',
    'CREATE-01.generated',
    'A sanitizer drops members whose names hold anything but letters, before the body is validated.',
    rewriteBody(withoutOddNames),
  ),
  creationFault(
    'dollar-names-dropped',
    'CREATE-01.unusual-names',
    'Names that begin with a dollar belong to the tooling and are dropped before the body is validated.',
    rewriteBody((body) => Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('$')))),
  ),
  {
    id: 'create-refused-lands-late',
    requirement: 'CREATE-01',
    defect: 'The body is queued before it is validated; the queue drops what it does not know, and creates the rest.',
    caughtBy: ['CREATE-01.nothing-created-later'],
    needsFullRun: true,
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
