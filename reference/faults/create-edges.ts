import type { CheckId } from '../../specs/generated/ids.ts';
import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Body, Call } from '../service/call.ts';
import { Refusal, refusals } from '../service/refusal.ts';
import type { Store } from '../service/store.ts';
import type { Fault } from './fault.ts';

const LATE_MS = 150;

/** The body is changed before it is validated. */
function taking(change: (body: Body) => Body): RuleChange {
  return replaced((honest) => ({
    validateCreate: (call) => honest.validateCreate({ ...call, body: change(call.body) }),
  }));
}

/** One field is changed before it is validated, where it is text. */
function reading(field: string, change: (text: string) => string): RuleChange {
  return taking((body) => {
    const value = body[field];
    return typeof value === 'string' ? { ...body, [field]: change(value) } : body;
  });
}

function refusingDates(pattern: RegExp): RuleChange {
  return replaced((honest) => ({
    validateCreate: (call) => {
      const input = honest.validateCreate(call);
      if (pattern.test(input.dueDate)) throw refusals.invalidInvoice('dueDate: no such day');
      return input;
    },
  }));
}

function fault(
  word: string,
  check: CheckId,
  sentence: string,
  rules: RuleChange,
  alongside: readonly CheckId[] = [],
): Fault {
  const requirement = check.split('.')[0] ?? '';
  return { id: `create-${word}`, requirement, sentence, caughtBy: [check], alongside, rules };
}

function breaking(when: (text: string) => boolean): RuleChange {
  return replaced((honest) => ({
    parseBody: (service, request) => {
      if (when(request.text)) throw new RangeError('Maximum call stack size exceeded');
      return honest.parseBody(service, request);
    },
  }));
}

function lookedUp(field: 'sellerId' | 'buyerId'): RuleChange {
  return replaced((honest) => ({
    validateCreate: (call) => {
      if (call.body[field] === 'not-a-uuid') throw refusals.connectionNotFound();
      return honest.validateCreate(call);
    },
  }));
}

const REQUIRED = ['sellerId', 'buyerId', 'amount', 'dueDate'];
const OPTIONAL = ['currency', 'description', 'requestId'];

const withoutOddNames = (body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => /^[A-Za-z_]+$/.test(name)));

const withoutBooleans = (body: Body) =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !(OPTIONAL.includes(name) && typeof value === 'boolean')),
  );

const isCreation = ({ route }: Call) => route.name === 'create';

export const createEdgeFaults: readonly Fault[] = [
  fault(
    'deep-breaks',
    'CREATE-01.deep',
    'A body of many levels overflows the stack of the validator: 500.',
    breaking((text) => text.includes('['.repeat(500))),
  ),
  fault(
    'ignores-odd-names',
    'CREATE-01.generated',
    'A sanitizer drops members whose names hold anything but letters, before the body is validated.',
    taking(withoutOddNames),
  ),
  fault(
    'seller-looked-up-first',
    'CREATE-20.seller-id',
    'The seller is looked up before its id is seen to be none: 404 for what is an invalid body.',
    lookedUp('sellerId'),
  ),
  fault(
    'buyer-looked-up-first',
    'CREATE-20.buyer-id',
    'The buyer is looked up before its id is seen to be none: 404 for what is an invalid body.',
    lookedUp('buyerId'),
  ),
  fault(
    'dollar-names-dropped',
    'CREATE-01.unusual-names',
    'Names that begin with a dollar belong to the tooling and are dropped before the body is validated.',
    taking((body) => Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('$')))),
  ),
  {
    id: 'create-refused-lands-late',
    requirement: 'CREATE-01',
    sentence: 'The body is queued before it is validated; the queue drops what it does not know, and creates the rest.',
    caughtBy: ['CREATE-01.nothing-created-later'],
    wholeRun: true,
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        try {
          return honest.validateCreate(call);
        } catch (refusal) {
          const declared = Object.entries(call.body).filter(([name]) => [...REQUIRED, ...OPTIONAL].includes(name));
          call.background.later(LATE_MS, () => {
            const input = honest.validateCreate({ ...call, body: Object.fromEntries(declared) });
            honest.issue(call, input, honest.number(call, honest.connect(call, input)));
          });
          throw refusal;
        }
      },
    })),
  },
  fault(
    'several-missing-own-code',
    'CREATE-02.generated',
    'Several missing fields are collected into one error, which has the code of the validation library.',
    replaced((honest) => ({
      validateCreate: (call) => {
        const missing = REQUIRED.filter((name) => !Object.hasOwn(call.body, name));
        if (missing.length === 2 || missing.length === 3) {
          throw new Refusal(400, 'VAL001', 'Bad Request', `missing: ${missing.join(', ')}`);
        }
        return honest.validateCreate(call);
      },
    })),
  ),
  fault(
    'huge-number-breaks',
    'CREATE-03.huge-number',
    'A number beyond all doubles makes the mapper throw: 500.',
    breaking((text) => text.includes('1e400')),
  ),
  fault(
    'strips-signs',
    'CREATE-03.generated',
    'Signs of currencies and other ornaments are stripped from an amount before it is parsed.',
    reading('amount', (amount) => amount.replaceAll(/[$€%#]/g, '')),
  ),
  fault(
    'big-number-as-text',
    'CREATE-05.description-huge-number',
    'Numbers that do not fit are kept as text by the parser, and pass for a description.',
    taking((body) =>
      typeof body.description === 'number' && !Number.isSafeInteger(body.description)
        ? { ...body, description: String(body.description) }
        : body,
    ),
  ),
  fault(
    'ignores-booleans',
    'CREATE-05.generated',
    'An optional field that is true or false counts as left out.',
    taking(withoutBooleans),
  ),
  fault(
    'strips-id',
    'CREATE-06.generated',
    'Whatever is no hexadecimal digit is stripped from an id.',
    replaced((honest) => ({
      validateCreate: (call) => {
        const clean = (id: unknown) => (typeof id === 'string' ? id.replaceAll(/[^0-9a-f-]/gi, '') : id);
        const { sellerId, buyerId } = call.body;
        const given = Object.hasOwn(call.body, 'sellerId') && Object.hasOwn(call.body, 'buyerId');
        if (!given) return honest.validateCreate(call);
        return honest.validateCreate({
          ...call,
          body: { ...call.body, sellerId: clean(sellerId), buyerId: clean(buyerId) },
        });
      },
    })),
  ),
  fault(
    'strips-date',
    'CREATE-07.generated',
    'Letters are stripped from a date.',
    reading('dueDate', (date) => date.replaceAll(/[^\d-]/g, '')),
  ),
  fault(
    'cuts-currency',
    'CREATE-08.generated',
    'A currency longer than its column is cut to three letters.',
    reading('currency', (currency) => (currency.length > 4 ? currency.slice(0, 3) : currency)),
  ),
  fault(
    'request-id-of-hexadecimal',
    'CREATE-14.generated',
    'A requestId with letters beyond those of a UUID is refused.',
    replaced((honest) => ({
      validateCreate: (call) => {
        const input = honest.validateCreate(call);
        if (/[G-Z]/.test(input.requestId ?? '')) throw refusals.invalidInvoice('requestId: not a UUID');
        return input;
      },
    })),
  ),
  fault(
    'rounds-to-five-cents',
    'CREATE-15.smallest',
    'Amounts are rounded to five cents, as in shops of one country.',
    reading('amount', (amount) => (amount === '0.01' ? '0.05' : amount)),
  ),
  fault(
    'zero-becomes-one',
    'CREATE-15.zero',
    'An amount of zero is taken for the least one.',
    reading('amount', (amount) => (amount === '0.00' ? '0.01' : amount)),
  ),
  fault(
    'pads-fraction-left',
    'CREATE-15.short-forms',
    'A fraction of one digit is padded on the wrong side: 25.5 becomes 25.05.',
    reading('amount', (amount) => amount.replace(/\.(\d)$/, '.0$1')),
  ),
  fault(
    'groups-thousands',
    'CREATE-15.thousands',
    'A sum of four digits and more is read up to where its thousands would be grouped.',
    reading('amount', (amount) => amount.replace(/^(\d)\d{3}\./, '$1.')),
  ),
  fault(
    'drops-currency-beside-header',
    'CREATE-11.all-fields',
    'Who names the environment comes from the dashboard, whose form has no currency.',
    replaced((honest) => ({
      validateCreate: (call) => {
        const { currency: _, ...body } = call.body;
        const named = call.request.headers.has('X-Environment');
        return honest.validateCreate(named ? { ...call, body } : call);
      },
    })),
  ),
  fault(
    'drops-falsy-description',
    'CREATE-16.reserved-words',
    'A description is tested as careless languages test for truth: "0" is none.',
    taking(({ description, ...body }) =>
      description === '0' ? body : { ...body, ...(description !== undefined && { description }) },
    ),
  ),
  fault(
    'keeps-last-description',
    'CREATE-16.left-out',
    'The form of the last creation is filled in again, and keeps a description that is not given.',
    replaced((honest) => {
      const last = new WeakMap<Store, unknown>();
      return {
        validateCreate: (call) => {
          const description = call.body.description ?? last.get(call.store);
          last.set(call.store, call.body.description);
          const body = description === undefined ? call.body : { ...call.body, description };
          return honest.validateCreate({ ...call, body });
        },
      };
    }),
  ),
  fault(
    'shortens-years',
    'CREATE-11.edge-due-dates',
    'Years are kept with two digits, and those from 70 on are taken for the last century.',
    reading('dueDate', (date) => date.replace(/^20(?=[7-9])/, '19')),
  ),
  fault(
    'breaks-on-blank-amount',
    'CREATE-03.blank',
    'An amount is parsed before it is trimmed, and nobody catches what the parser says to a blank.',
    replaced((honest) => ({
      validateCreate: (call) => {
        if (typeof call.body.amount === 'string' && /^\s+$/.test(call.body.amount)) throw refusals.internal();
        return honest.validateCreate(call);
      },
    })),
  ),
  fault(
    'breaks-on-many-digits',
    'ERR-05.unusual-bodies',
    'An amount of more digits than its column holds is found out by the database: 500.',
    replaced((honest) => ({
      validateCreate: (call) => {
        if (String(call.body.amount).length > 25) throw refusals.internal();
        return honest.validateCreate(call);
      },
    })),
  ),
  fault(
    'keeps-amounts-as-floats',
    'CREATE-15.thousands',
    'Amounts are kept in 32 bits: from some hundred thousand on the cents are others.',
    reading('amount', (text) => (/^\d+\.\d\d$/.test(text) ? Math.fround(Number(text)).toFixed(2) : text)),
  ),
  fault(
    'writes-exponents',
    'CREATE-15.thousands',
    'Amounts are numbers, which from ten million on are written with an exponent.',
    replaced((honest) => ({
      renderInvoice: (invoice) => {
        const { amount } = invoice;
        const shown = amount.length > 10 ? Number(amount).toExponential().replace('e+', 'E') : amount;
        return { ...honest.renderInvoice(invoice), amount: shown };
      },
    })),
  ),
  fault(
    'filters-description',
    'CREATE-16.reserved-words',
    'A filter in front takes the words of a query language for an attack.',
    replaced((honest) => ({
      validateCreate: (call) => {
        if (/\b(select|union|drop)\b/i.test(String(call.body.description))) throw refusals.invalidInvoice('forbidden');
        return honest.validateCreate(call);
      },
    })),
  ),
  fault(
    'fills-in-description',
    'CREATE-16.reserved-words',
    'A description is the format of the line in the log: a percent sign and a letter want an argument.',
    replaced((honest) => ({
      validateCreate: (call) => {
        if (/%[dsi]/.test(String(call.body.description)))
          throw new RangeError('not enough arguments for format string');
        return honest.validateCreate(call);
      },
    })),
  ),
  fault(
    'loses-sign',
    'CREATE-15.negative',
    'The sign of an amount is no part of the pattern that takes it out of the text.',
    reading('amount', (text) => text.replace(/^-/, '')),
  ),
  fault(
    'takes-minus-nought',
    'CREATE-04.negative',
    'The sign is looked for in the whole part, and minus nought is not below zero.',
    reading('amount', (text) => text.replace(/^-0\./, '0.')),
  ),
  fault(
    'rounds-before-the-sign',
    'CREATE-04.negative',
    'A float is rounded before its sign is looked at, and what is left of a cent or two below zero is zero.',
    reading('amount', (text) => text.replace(/^-0\.0[0-4]$/, '1.00')),
  ),
  fault(
    'joins-descriptions',
    'CREATE-16.left-out',
    'Lists join the table of descriptions, in which an invoice without one has no line.',
    replaced((honest) => ({
      page: (call, invoices, query) =>
        honest.page(
          call,
          invoices.filter(({ description }) => description !== undefined),
          query,
        ),
    })),
  ),
  fault(
    'cuts-description',
    'CREATE-16.long',
    'The column cuts a description after 255 characters.',
    reading('description', (text) => text.slice(0, 255)),
  ),
  fault(
    'charset-refused',
    'CREATE-18.charset',
    'The Content-Type is compared as a whole: one with a charset is unsupported.',
    replaced((honest) => ({
      authorize: (call) => {
        honest.authorize(call);
        if (isCreation(call) && call.request.headers.get('Content-Type')?.includes(';')) {
          throw refusals.unreadableBody('Content-Type must be application/json');
        }
      },
    })),
  ),
  fault(
    'joins-lines',
    'CREATE-19.lines',
    'Line breaks become blanks.',
    reading('description', (text) => text.replaceAll(/\s*\n\s*/g, ' ')),
  ),
  fault(
    'trims-description',
    'CREATE-19.surrounding-spaces',
    'A description is trimmed.',
    reading('description', (text) => text.trim()),
  ),
  fault(
    'no-leap-days',
    'CREATE-07.leap-day',
    'The days of the months are a table, and February has 28 of them in every year.',
    refusingDates(/-02-29$/),
  ),
  fault('no-thirty-firsts', 'CREATE-07.every-day', 'The pattern of days ends with 30.', refusingDates(/-31$/)),
  fault(
    'octal-months',
    'CREATE-07.every-day',
    'The month is read as a number in the notation of the language, where 08 and 09 are none.',
    refusingDates(/-0[89]-/),
  ),
  fault(
    'null-description-breaks',
    'ERR-05.unusual-bodies',
    'A description of null passes the check for undefined, and the next line reads its length: 500.',
    replaced((honest) => ({
      validateCreate: (call) => {
        if (call.body.description === null) throw new TypeError("Cannot read properties of null (reading 'length')");
        return honest.validateCreate(call);
      },
    })),
  ),
];
