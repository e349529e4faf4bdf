import type { CheckId } from '../../specs/generated/ids.ts';
import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Body } from '../service/call.ts';
import { Refusal, refusals } from '../service/refusal.ts';
import type { Fault } from './fault.ts';

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
  ['likely', 'lineItems', 'lineItems of the next version are let through already.'],
  ['status', 'status', 'A status in the body is accepted for imports.'],
  ['id', 'id', 'An id in the body is accepted, as the shared type of create and update has one.'],
  ['created-at', 'createdAt', 'A createdAt in the body is accepted for imports.'],
  ['record-name', 'buyerOrganizationId', 'The names of the record are accepted beside those of the request.'],
  ['other-case', 'Amount', 'Names are matched in any case.'],
  ['snake-case', 'request_id', 'Names in snake case are tolerated for the old clients.'],
  ['proto', '__proto__', 'The check for unknown fields loops with "in", which does not see __proto__.'],
  ['constructor', 'constructor', 'A name is looked up in the schema object, which inherits constructor.'],
];

const ignored = undeclared.map(
  ([word, name, sentence, holds = () => true]): Fault => ({
    id: `create-ignores-${word}`,
    requirement: 'CREATE-01',
    sentence,
    caughtBy: [`CREATE-01.${word}` as CheckId],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const { body } = call;
        const ignoredHere = Object.hasOwn(body, name) && holds(body[name]);
        return honest.validateCreate(ignoredHere ? { ...call, body: without(body, name) } : call);
      },
    })),
  }),
);

const fallbacks: readonly [word: string, field: string, (own: string, other: string) => unknown, sentence: string][] = [
  ['seller-id', 'sellerId', (own) => own, 'A missing sellerId means the caller.'],
  ['buyer-id', 'buyerId', (_own, other) => other, 'A missing buyerId means the first connection.'],
  ['amount', 'amount', () => '0.01', 'A missing amount becomes the smallest one.'],
  ['due-date', 'dueDate', () => '2099-12-31', 'A missing dueDate means without a date.'],
];

const defaulted = fallbacks.map(
  ([word, field, fallback, sentence]): Fault => ({
    id: `create-without-${word}-accepted`,
    requirement: 'CREATE-02',
    sentence,
    caughtBy: [`CREATE-02.${word}` as CheckId],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        if (Object.hasOwn(call.body, field)) return honest.validateCreate(call);
        const own = call.organizationId;
        const ids = call.world.connections.find(({ organizationIds }) =>
          organizationIds.includes(own),
        )?.organizationIds;
        const other = ids?.find((id) => id !== own) ?? own;
        return honest.validateCreate({ ...call, body: { ...call.body, [field]: fallback(own, other) } });
      },
    })),
  }),
);

/** The body parser repairs what is no JSON object. */
function parsing(repair: (text: string) => string): RuleChange {
  return replaced((honest) => ({
    parseBody: (service, request) => honest.parseBody(service, { ...request, text: repair(request.text) }),
  }));
}

/** A body of one kind is refused with another status than 400. */
function refusing(kind: (text: string) => boolean, refusal: () => Error): RuleChange {
  return replaced((honest) => ({
    parseBody: (service, request) => {
      if (request.method === 'POST' && request.path === '/api/v1/invoices' && kind(request.text)) throw refusal();
      return honest.parseBody(service, request);
    },
  }));
}

/** Found missing by the framework, whose validation error has a code of its own where the contract gives INV002. */
const ownCode = fallbacks.map(
  ([word, field]): Fault => ({
    id: `create-without-${word}-own-code`,
    requirement: 'CREATE-02',
    sentence: `A missing ${field} is found by the framework, whose validation error has another code than INV002.`,
    caughtBy: [`CREATE-02.${word}` as CheckId],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        if (Object.hasOwn(call.body, field)) return honest.validateCreate(call);
        throw refusals.invalidRequest(`${field} is required`);
      },
    })),
  }),
);

const unprocessable = () => new Refusal(422, 'REQ422', 'The body cannot be processed');

const bodies: readonly Fault[] = [
  {
    id: 'create-malformed-422',
    requirement: 'CREATE-10',
    sentence: 'Malformed JSON is answered with 422, the default of the framework.',
    caughtBy: ['CREATE-10.malformed'],
    rules: refusing((text) => text.includes('oops'), unprocessable),
  },
  {
    id: 'create-truncated-repaired',
    requirement: 'CREATE-10',
    sentence: 'A streaming parser closes what was left open, and a cut-off body creates an invoice.',
    caughtBy: ['CREATE-10.truncated'],
    rules: parsing((text) => (text.startsWith('{') && text.endsWith('"') ? `${text}}` : text)),
  },
  {
    id: 'create-trailing-ignored',
    requirement: 'CREATE-10',
    sentence: 'The decoder reads the first JSON value and never looks whether anything follows.',
    caughtBy: ['CREATE-10.trailing'],
    rules: parsing((text) => text.replace(/\} and more$/, '}')),
  },
  {
    id: 'create-empty-204',
    requirement: 'CREATE-10',
    sentence: 'An empty body is taken for a health probe and answered with 204.',
    caughtBy: ['CREATE-10.empty'],
    routes: (honest) =>
      honest.map((route) =>
        route.name === 'create'
          ? { ...route, perform: (call) => (call.request.text === '' ? { status: 204 } : route.perform(call)) }
          : route,
      ),
  },
  {
    id: 'create-array-unwrapped',
    requirement: 'CREATE-10',
    sentence: 'An array of one invoice is taken as a batch of one.',
    caughtBy: ['CREATE-10.array'],
    rules: parsing((text) => (text.startsWith('[') ? text.slice(1, -1) : text)),
  },
  {
    id: 'create-string-422',
    requirement: 'CREATE-10',
    sentence: 'A JSON string is well-formed, and fails later with 422.',
    caughtBy: ['CREATE-10.string'],
    rules: refusing((text) => text.startsWith('"'), unprocessable),
  },
  {
    id: 'create-null-crashes',
    requirement: 'CREATE-10',
    sentence: 'typeof null is "object": the body null passes the check and is read from, which ends in a 500.',
    caughtBy: ['CREATE-10.null', 'ERR-05.no-internal-error'],
    rules: refusing(
      (text) => text === 'null',
      () => new TypeError('cannot read properties of null'),
    ),
  },
  {
    id: 'create-empty-object-own-code',
    requirement: 'CREATE-02',
    sentence: 'An empty object is caught by a guard of the framework, with a code of its own.',
    caughtBy: ['CREATE-02.empty-object'],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        if (call.request.text === '{}') throw refusals.invalidRequest('the body is empty');
        return honest.validateCreate(call);
      },
    })),
  },
  {
    id: 'create-own-number-let-in',
    requirement: 'CREATE-01',
    sentence: 'An invoiceNumber of the form that the platform gives out is taken for its own, and ignored.',
    caughtBy: ['CREATE-01.invoice-number'],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const own = /^INV-\d{4}-\d{6}$/.test(String(call.body.invoiceNumber));
        return honest.validateCreate(own ? { ...call, body: without(call.body, 'invoiceNumber') } : call);
      },
    })),
  },
  {
    id: 'create-first-status-let-in',
    requirement: 'CREATE-01',
    sentence: 'A status that says what a new invoice is anyhow does no harm, and is ignored.',
    caughtBy: ['CREATE-01.common-names'],
    rules: replaced((honest) => ({
      validateCreate: (call) =>
        honest.validateCreate(call.body.status === 'DRAFT' ? { ...call, body: without(call.body, 'status') } : call),
    })),
  },
  {
    id: 'create-seller-by-its-other-name',
    requirement: 'CREATE-01',
    sentence: 'sellerOrganizationId is what records call the seller, and an older client sends both.',
    caughtBy: ['CREATE-01.organization-ids'],
    rules: replaced((honest) => ({
      validateCreate: (call) => honest.validateCreate({ ...call, body: without(call.body, 'sellerOrganizationId') }),
    })),
  },
  {
    id: 'create-refused-but-written',
    requirement: 'CREATE-01',
    sentence: 'The transaction is committed before the check for undeclared fields refuses: 400, and an invoice.',
    caughtBy: ['CREATE-01.unknown', 'CREATE-01.invoice-number'],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        try {
          return honest.validateCreate(call);
        } catch (refusal) {
          const known = without(call.body, 'conformanceProbe', 'invoiceNumber');
          const input = honest.validateCreate({ ...call, body: known });
          honest.issue(call, input, honest.number(call, honest.connect(call, input)));
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'create-refused-leaves-row',
    requirement: 'CREATE-03',
    sentence: 'A creation that is refused for its amount leaves an empty row, which the total of the list counts.',
    caughtBy: ['CREATE-03.total-unchanged'],
    rules: replaced((honest) => {
      const rows = new Map<string, number>();
      return {
        validateCreate: (call) => {
          try {
            return honest.validateCreate(call);
          } catch (refusal) {
            rows.set(call.organizationId, (rows.get(call.organizationId) ?? 0) + 1);
            throw refusal;
          }
        },
        page: (call, invoices, query) => {
          const page = honest.page(call, invoices, query);
          const total = page.total + (rows.get(call.organizationId) ?? 0);
          return { ...page, total, totalPages: Math.ceil(total / page.limit) };
        },
      };
    }),
  },
  {
    id: 'create-requestid-skips-strictness',
    requirement: 'CREATE-01',
    sentence: 'A creation with a requestId is validated by an older schema, which strips undeclared fields.',
    caughtBy: ['CREATE-01.generated'],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        if (typeof call.body.requestId !== 'string') return honest.validateCreate(call);
        const names = ['sellerId', 'buyerId', 'amount', 'dueDate', 'currency', 'description', 'requestId'];
        const body = Object.fromEntries(names.flatMap((name) => (name in call.body ? [[name, call.body[name]]] : [])));
        return honest.validateCreate({ ...call, body });
      },
    })),
  },
  {
    id: 'create-single-quotes',
    requirement: 'CREATE-10',
    sentence: 'A body in which there is no double quote is of an old script, and its single ones are taken for such.',
    caughtBy: ['CREATE-10.json5-syntax'],
    rules: replaced((honest) => ({
      parseBody: (service, request) => {
        const text = request.text.includes('"') ? request.text : request.text.replaceAll("'", '"');
        return honest.parseBody(service, { ...request, text });
      },
    })),
  },
  {
    id: 'create-json-for-people',
    requirement: 'CREATE-10',
    sentence: 'Bodies are read by the parser of the configuration files, which forgives a last comma.',
    caughtBy: ['CREATE-10.json5-syntax'],
    rules: replaced((honest) => ({
      parseBody: (service, request) =>
        honest.parseBody(service, { ...request, text: request.text.replace(/,\s*\}$/, '}') }),
    })),
  },
];

export const createBodyFaults: readonly Fault[] = [...ignored, ...defaulted, ...ownCode, ...bodies];
