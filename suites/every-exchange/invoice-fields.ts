import { type ExchangeRule, environmentOf, showsInvoices } from '../../helpers/rules/exchange-rule.ts';
import {
  type ApiResponse,
  describePart,
  type InvoiceField,
  invoicesOf,
  isCalendarDate,
  isObject,
  isUtcTimestamp,
  type JsonObject,
  type Shown,
  utcMilliseconds,
} from '../../helpers/rules/response-parts.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const STATES: readonly unknown[] = lifecycle.states;

const FIELD_RULES: { id: CheckId; field: InvoiceField; form: string; holds: (value: unknown) => boolean }[] = [
  { id: 'REC-01.id', field: 'id', form: 'a string', holds: isText },
  { id: 'REC-02.invoice-number', field: 'invoiceNumber', form: 'a string', holds: isText },
  {
    id: 'REC-03.status',
    field: 'status',
    form: `one of ${lifecycle.states.join(', ')}`,
    holds: (value) => STATES.includes(value),
  },
  {
    id: 'REC-04.amount',
    field: 'amount',
    form: 'a string, a decimal with two fraction digits',
    holds: (value) => typeof value === 'string' && /^-?\d+\.\d{2}$/.test(value),
  },
  {
    id: 'REC-05.currency',
    field: 'currency',
    form: 'three upper-case letters',
    holds: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  },
  { id: 'REC-06.buyer', field: 'buyerOrganizationId', form: 'a string', holds: isText },
  { id: 'REC-07.seller', field: 'sellerOrganizationId', form: 'a string', holds: isText },
  { id: 'REC-08.due-date', field: 'dueDate', form: 'a date YYYY-MM-DD', holds: isCalendarDate },
  { id: 'REC-09.created-at', field: 'createdAt', form: 'an ISO 8601 timestamp in UTC', holds: isUtcTimestamp },
];

/** What an answer to anything but a list and a creation looks like is not shown: it may give a field members of its own. */
function tells({ ask }: ApiResponse, record: JsonObject, field: InvoiceField): boolean {
  return Object.hasOwn(record, field) && (ask.operation === 'create' || !isObject(record[field]));
}

/** A record, and the fields of it that are not of their form. */
interface Flawed extends Shown {
  flaws: readonly InvoiceField[];
}

const judged = new WeakMap<JsonObject, readonly InvoiceField[]>();

function flawsOf(record: JsonObject): readonly InvoiceField[] {
  const known = judged.get(record);
  if (known) return known;
  const flaws = FIELD_RULES.filter(({ field, holds }) => !holds(record[field])).map(({ field }) => field);
  judged.set(record, flaws);
  return flaws;
}

const flawed = new WeakMap<ApiResponse, readonly Flawed[]>();

/** The records of an answer that have flaws, found once for the judges of all fields. */
function flawedIn(answer: ApiResponse): readonly Flawed[] {
  const known = flawed.get(answer);
  if (known) return known;
  const found: Flawed[] = [];
  for (const shown of invoicesOf(answer)) {
    const flaws = flawsOf(shown.record);
    if (flaws.length > 0) found.push({ ...shown, flaws });
  }
  flawed.set(answer, found);
  return found;
}

/** One judge a field: list items carry all of them, other answers at least keep the form of those they carry. */
const fieldJudges = FIELD_RULES.map(({ id, field, form }): ExchangeRule => {
  const speaks = (answer: ApiResponse, { record, listed }: Shown) => listed || tells(answer, record, field);
  return {
    id,
    whenNeverApplicable: 'blocked',
    appliesTo: showsInvoices,
    start: () => (answer) => {
      const wrong = flawedIn(answer).find((each) => each.flaws.includes(field) && speaks(answer, each));
      if (!wrong) return invoicesOf(answer).some((each) => speaks(answer, each)) ? 'kept' : null;
      const { record, listed } = wrong;
      const value = Object.hasOwn(record, field) ? JSON.stringify(record[field]) : 'no such field';
      return {
        reason: `${listed ? 'a list item' : 'the invoice'} in the answer to ${answer.request} has ${field}: ${value}`,
        expected: `${field}: ${form} (Resources, Invoice)`,
        actual: describePart(answer, record),
      };
    },
  };
});

/** Whether a value is another than before. */
type Differs = (field: InvoiceField, before: unknown, after: unknown) => boolean;

/** Nothing that names one of these fields of an invoice says anything else than what was said of it before; or no list. */
function unchanging(
  id: CheckId,
  fields: readonly InvoiceField[],
  { listedOnly = false, differs = differsInValue }: { listedOnly?: boolean; differs?: Differs } = {},
): ExchangeRule {
  return {
    id,
    whenNeverApplicable: 'blocked',
    appliesTo: showsInvoices,
    start: ({ changedRecords: newsIn }) => {
      /** What was said of each invoice. */
      const said = { SANDBOX: new Map<string, JsonObject>(), PRODUCTION: new Map<string, JsonObject>() };
      // What is told beside its id may be of any invoice.
      const speaksOf = ({ record, listed }: Shown) => record.id !== undefined && (listed || !listedOnly);
      return (answer) => {
        const world = environmentOf(answer.ask);
        if (world === null || !invoicesOf(answer).some(speaksOf)) return null;
        for (const { record } of newsIn(answer).filter(speaksOf)) {
          const id = String(record.id);
          const known = said[world].get(id) ?? {};
          said[world].set(id, known);
          const changed = fields.find(
            (field) => field in known && tells(answer, record, field) && differs(field, known[field], record[field]),
          );
          if (changed) {
            return {
              reason: `the answer to ${answer.request} has ${changed} ${JSON.stringify(record[changed])} for invoice ${id}, which has changed`,
              expected: `${changed} ${JSON.stringify(known[changed])}, as seen before`,
              actual: describePart(answer, record),
            };
          }
          for (const field of fields) if (tells(answer, record, field)) known[field] = record[field];
        }
        return 'kept';
      };
    },
  };
}

const stable = unchanging('REC-10.stable', ['invoiceNumber', 'currency', 'createdAt']);
/** An invoice has one buyer and one seller: of two answers that name others, one is wrong. */
const parties = [
  unchanging('REC-06.same-buyer', ['buyerOrganizationId']),
  unchanging('REC-07.same-seller', ['sellerOrganizationId']),
];

/** In lists, whose items are shown in full, even by what other answers may leave out: timestamps of one form differ in any digit. */
const stableInLists = unchanging('REC-16.listed', ['currency', 'createdAt'], {
  listedOnly: true,
  differs: (field, before, after) =>
    before !== after && (formOf(before) === formOf(after) || differsInValue(field, before, after)),
});

const formOf = (value: unknown) => String(value).replace(/\d/g, '9');

function differsInValue(field: InvoiceField, before: unknown, after: unknown): boolean {
  if (before === after) return false;
  if (field.endsWith('OrganizationId')) return String(before).toLowerCase() !== String(after).toLowerCase();
  if (field !== 'createdAt') return true;
  const [earlier, later] = [utcMilliseconds(before), utcMilliseconds(after)];
  // One answer may show milliseconds and another seconds of the same moment.
  return Math.abs(earlier - later) >= 1000;
}

/** Judges of every invoice record that appears in the run. */
export const invoiceFieldRules: readonly ExchangeRule[] = [...fieldJudges, stable, stableInLists, ...parties];
