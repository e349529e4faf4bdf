import { MultiPatternReplacer } from '../../engine/evidence/masking/multi-pattern-replacer.ts';
import { clockOf, isLongOver } from '../../engine/http/rate-limit-reset.ts';
import {
  type ApiRequest,
  type ApiResponse,
  bodyMember,
  describePart,
  describeResponse,
  headerValue,
  isSuccess,
  type Operation,
  sameBody,
} from '../../engine/model/messages.ts';
import {
  type InvoiceField,
  invoicesOf,
  isObject,
  type JsonObject,
  listItems,
  type Shown,
} from '../../engine/records/find-invoice-record.ts';
import { idsInRequest, idsNamedIn } from '../../engine/records/ids-in-request.ts';
import { isCalendarDate, isUtcTimestamp, utcMilliseconds } from '../../engine/records/iso-8601.ts';

// Suites use no engine; these are its readers of a response, under their own names.
export {
  type ApiRequest,
  type ApiResponse,
  bodyMember,
  clockOf,
  describePart,
  describeResponse,
  headerValue,
  type InvoiceField,
  idsInRequest,
  idsNamedIn,
  invoicesOf,
  isCalendarDate,
  isLongOver,
  isObject,
  isSuccess,
  isUtcTimestamp,
  type JsonObject,
  listItems,
  MultiPatternReplacer,
  type Operation,
  type Shown,
  sameBody,
  utcMilliseconds,
};
