import { type ExchangeRule, environmentOf, showsInvoices } from '../../helpers/rules/exchange-rule.ts';
import {
  type ApiResponse,
  describeResponsePart,
  type InvoiceField,
  invoicesOf,
  isCalendarDate,
  isObject,
  isUtcTimestamp,
  type JsonObject,
  type ObservedRecord,
  utcEpochMs,
} from '../../helpers/rules/response-parts.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

const isNonEmptyString = (value: unknown) => typeof value === 'string' && value !== '';
const INVOICE_STATES: readonly unknown[] = lifecycle.states;

const FIELD_FORMATS: { id: CheckId; field: InvoiceField; form: string; holds: (value: unknown) => boolean }[] = [
  { id: 'REC-01.id', field: 'id', form: 'a string', holds: isNonEmptyString },
  { id: 'REC-02.invoice-number', field: 'invoiceNumber', form: 'a string', holds: isNonEmptyString },
  {
    id: 'REC-03.status',
    field: 'status',
    form: `one of ${lifecycle.states.join(', ')}`,
    holds: (value) => INVOICE_STATES.includes(value),
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
  { id: 'REC-06.buyer', field: 'buyerOrganizationId', form: 'a string', holds: isNonEmptyString },
  { id: 'REC-07.seller', field: 'sellerOrganizationId', form: 'a string', holds: isNonEmptyString },
  { id: 'REC-08.due-date', field: 'dueDate', form: 'a date YYYY-MM-DD', holds: isCalendarDate },
  { id: 'REC-09.created-at', field: 'createdAt', form: 'an ISO 8601 timestamp in UTC', holds: isUtcTimestamp },
];

/** What an answer to anything but a list and a creation looks like is not shown: it may give a field members of its own. */
function isFieldShown({ request }: ApiResponse, record: JsonObject, field: InvoiceField): boolean {
  return Object.hasOwn(record, field) && (request.operation === 'create' || !isObject(record[field]));
}

/** A record, and the fields of it that are not of their form. */
interface MalformedRecord extends ObservedRecord {
  malformedFields: readonly InvoiceField[];
}

const malformedFieldsByRecord = new WeakMap<JsonObject, readonly InvoiceField[]>();

function malformedFieldsOf(record: JsonObject): readonly InvoiceField[] {
  const known = malformedFieldsByRecord.get(record);
  if (known) return known;
  const flaws = FIELD_FORMATS.filter(({ field, holds }) => !holds(record[field])).map(({ field }) => field);
  malformedFieldsByRecord.set(record, flaws);
  return flaws;
}

const malformedRecordsByResponse = new WeakMap<ApiResponse, readonly MalformedRecord[]>();

/** The records of an answer that have flaws, found once for the judges of all fields. */
function malformedRecordsIn(response: ApiResponse): readonly MalformedRecord[] {
  const known = malformedRecordsByResponse.get(response);
  if (known) return known;
  const found: MalformedRecord[] = [];
  for (const shown of invoicesOf(response)) {
    const flaws = malformedFieldsOf(shown.record);
    if (flaws.length > 0) found.push({ ...shown, malformedFields: flaws });
  }
  malformedRecordsByResponse.set(response, found);
  return found;
}

/** One judge a field: list items carry all of them, other answers at least keep the form of those they carry. */
const fieldFormatRules = FIELD_FORMATS.map(({ id, field, form }): ExchangeRule => {
  const speaks = (response: ApiResponse, { record, isListed }: ObservedRecord) =>
    isListed || isFieldShown(response, record, field);
  return {
    id,
    whenNeverApplicable: 'blocked',
    appliesTo: showsInvoices,
    start: () => (response) => {
      const wrong = malformedRecordsIn(response).find(
        (each) => each.malformedFields.includes(field) && speaks(response, each),
      );
      if (!wrong) return invoicesOf(response).some((each) => speaks(response, each)) ? 'kept' : null;
      const { record, isListed } = wrong;
      const value = Object.hasOwn(record, field) ? JSON.stringify(record[field]) : 'no such field';
      return {
        reason: `${isListed ? 'a list item' : 'the invoice'} in the answer to ${response.requestLine} has ${field}: ${value}`,
        expected: `${field}: ${form} (Resources, Invoice)`,
        actual: describeResponsePart(response, record),
      };
    },
  };
});

/** Whether a value is another than before. */
type FieldComparator = (field: InvoiceField, before: unknown, after: unknown) => boolean;

/** Nothing that names one of these fields of an invoice says anything else than what was said of it before; or no list. */
function unchangedFieldsRule(
  id: CheckId,
  fields: readonly InvoiceField[],
  { listedOnly = false, differs = isDifferentValue }: { listedOnly?: boolean; differs?: FieldComparator } = {},
): ExchangeRule {
  return {
    id,
    whenNeverApplicable: 'blocked',
    appliesTo: showsInvoices,
    start: ({ changedRecords }) => {
      /** What was said of each invoice. */
      const said = { SANDBOX: new Map<string, JsonObject>(), PRODUCTION: new Map<string, JsonObject>() };
      // What is told beside its id may be of any invoice.
      const speaksOf = ({ record, isListed }: ObservedRecord) => record.id !== undefined && (isListed || !listedOnly);
      return (response) => {
        const environment = environmentOf(response.request);
        if (environment === null || !invoicesOf(response).some(speaksOf)) return null;
        for (const { record } of changedRecords(response).filter(speaksOf)) {
          const id = String(record.id);
          const known = said[environment].get(id) ?? {};
          said[environment].set(id, known);
          const changed = fields.find(
            (field) =>
              field in known && isFieldShown(response, record, field) && differs(field, known[field], record[field]),
          );
          if (changed) {
            return {
              reason: `the answer to ${response.requestLine} has ${changed} ${JSON.stringify(record[changed])} for invoice ${id}, which has changed`,
              expected: `${changed} ${JSON.stringify(known[changed])}, as seen before`,
              actual: describeResponsePart(response, record),
            };
          }
          for (const field of fields) if (isFieldShown(response, record, field)) known[field] = record[field];
        }
        return 'kept';
      };
    },
  };
}

const stableFieldsRule = unchangedFieldsRule('REC-10.stable', ['invoiceNumber', 'currency', 'createdAt']);
/** An invoice has one buyer and one seller: of two answers that name others, one is wrong. */
const samePartyRules = [
  unchangedFieldsRule('REC-06.same-buyer', ['buyerOrganizationId']),
  unchangedFieldsRule('REC-07.same-seller', ['sellerOrganizationId']),
];

/** In lists, whose items are shown in full, even by what other answers may leave out: timestamps of one form differ in any digit. */
const stableListFieldsRule = unchangedFieldsRule('REC-16.listed', ['currency', 'createdAt'], {
  listedOnly: true,
  differs: (field, before, after) =>
    before !== after && (maskDigits(before) === maskDigits(after) || isDifferentValue(field, before, after)),
});

const maskDigits = (value: unknown) => String(value).replace(/\d/g, '9');

function isDifferentValue(field: InvoiceField, before: unknown, after: unknown): boolean {
  if (before === after) return false;
  if (field.endsWith('OrganizationId')) return String(before).toLowerCase() !== String(after).toLowerCase();
  if (field !== 'createdAt') return true;
  const [earlier, later] = [utcEpochMs(before), utcEpochMs(after)];
  // One answer may show milliseconds and another seconds of the same moment.
  return Math.abs(earlier - later) >= 1000;
}

/** Judges of every invoice record that appears in the run. */
export const invoiceFieldRules: readonly ExchangeRule[] = [
  ...fieldFormatRules,
  stableFieldsRule,
  stableListFieldsRule,
  ...samePartyRules,
];
