import { everyRecordHas, placeOf } from '../../helpers/assert/expectations.ts';
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
import { type ExchangeRule, environmentOf, showsInvoices } from '../../helpers/rules/rule-vocabulary.ts';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const isNonEmptyString = (value: unknown) => typeof value === 'string' && value !== '';
const INVOICE_STATES: readonly unknown[] = lifecycle.states;
const TEXT_FILTER = 'type == "string" and length > 0';
const DATE_FILTER = 'type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")';
const TIME_FILTER = 'type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-]00:?00)$")';

interface FieldFormat {
  id: CheckId;
  field: InvoiceField;
  form: string;
  holds: (value: unknown) => boolean;
  /** The same as a jq filter of the value. */
  filter: string;
}

const FIELD_FORMATS: FieldFormat[] = [
  { id: 'REC-01.id', field: 'id', form: 'a string', holds: isNonEmptyString, filter: TEXT_FILTER },
  {
    id: 'REC-02.invoice-number',
    field: 'invoiceNumber',
    form: 'a string',
    holds: isNonEmptyString,
    filter: TEXT_FILTER,
  },
  {
    id: 'REC-03.status',
    field: 'status',
    form: `one of ${lifecycle.states.join(', ')}`,
    holds: (value) => INVOICE_STATES.includes(value),
    filter: `IN(${lifecycle.states.map((state) => `"${state}"`).join(', ')})`,
  },
  {
    id: 'REC-04.amount',
    field: 'amount',
    form: 'a string, a decimal with two fraction digits',
    holds: (value) => typeof value === 'string' && /^-?\d+\.\d{2}$/.test(value),
    filter: 'type == "string" and test("^-?[0-9]+[.][0-9]{2}$")',
  },
  {
    id: 'REC-05.currency',
    field: 'currency',
    form: 'three upper-case letters',
    holds: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
    filter: 'type == "string" and test("^[A-Z]{3}$")',
  },
  { id: 'REC-06.buyer', field: 'buyerOrganizationId', form: 'a string', holds: isNonEmptyString, filter: TEXT_FILTER },
  {
    id: 'REC-07.seller',
    field: 'sellerOrganizationId',
    form: 'a string',
    holds: isNonEmptyString,
    filter: TEXT_FILTER,
  },
  { id: 'REC-08.due-date', field: 'dueDate', form: 'a date YYYY-MM-DD', holds: isCalendarDate, filter: DATE_FILTER },
  {
    id: 'REC-09.created-at',
    field: 'createdAt',
    form: 'an ISO 8601 timestamp in UTC',
    holds: isUtcTimestamp,
    filter: TIME_FILTER,
  },
];

/** The contract specifies the record only in lists and creations. Other responses may give a field as an object. */
function isFieldShown({ request }: ApiResponse, record: JsonObject, field: InvoiceField): boolean {
  return Object.hasOwn(record, field) && (request.operation === 'create' || !isObject(record[field]));
}

/** One rule for each field. List items must have every field; other responses are judged only by the fields they have. */
const fieldFormatRules = FIELD_FORMATS.map(({ id, field, form, holds, filter }): ExchangeRule => {
  const speaks = (response: ApiResponse, { record, isListed }: ObservedRecord) =>
    isListed || isFieldShown(response, record, field);
  return {
    id,
    whenNeverApplicable: 'blocked',
    appliesTo: showsInvoices,
    start: () => (response) => {
      const judged = invoicesOf(response).filter((each) => speaks(response, each));
      const wrong = judged.find((each) => !holds(each.record[field]));
      if (!wrong) return judged.length > 0 ? 'kept' : null;
      const { record, isListed } = wrong;
      const value = Object.hasOwn(record, field) ? JSON.stringify(record[field]) : 'absent';
      return {
        reason: `${isListed ? 'a list item' : 'the invoice'} in the response to ${response.requestLine} has ${field}: ${value}`,
        expected: `${field}: ${form} (Resources, Invoice)`,
        actual: describeResponsePart(response, record),
        expectation: {
          ...(isListed &&
            typeof record.id === 'string' && { given: `any(.items[]; .id == ${JSON.stringify(record.id)})` }),
          body: isListed ? `all(.items[]; .${field} | ${filter})` : everyRecordHas(field, filter),
          fields: placeOf(response, record, field),
        },
      };
    },
  };
});

/** Whether a value differs from the earlier one. */
type FieldComparator = (field: InvoiceField, before: unknown, after: unknown) => boolean;

/** Expects these fields of an invoice to keep the values of earlier responses. `listedOnly`: compares list items only. */
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
      /** The known field values of each invoice. */
      const said = { SANDBOX: new Map<string, JsonObject>(), PRODUCTION: new Map<string, JsonObject>() };
      // A record without an id may belong to any invoice.
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
              reason: `the response to ${response.requestLine} shows invoice ${id} with a changed ${changed}: ${JSON.stringify(record[changed])}`,
              expected: `${changed} ${JSON.stringify(known[changed])}, as in an earlier response`,
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
/** An invoice has one buyer and one seller. If two responses name different ones, one of them is wrong. */
const samePartyRules = [
  unchangedFieldsRule('REC-06.same-buyer', ['buyerOrganizationId']),
  unchangedFieldsRule('REC-07.same-seller', ['sellerOrganizationId']),
];

/** List items are complete, so timestamps of the same form must be equal in every digit. */
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
  // One response may show milliseconds and another whole seconds of the same time.
  return Math.abs(earlier - later) >= 1000;
}

/** Exchange rules for every invoice record of the run. */
export const invoiceFieldRules: readonly ExchangeRule[] = [
  ...fieldFormatRules,
  stableFieldsRule,
  stableListFieldsRule,
  ...samePartyRules,
];
