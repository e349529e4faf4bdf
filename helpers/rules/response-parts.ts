import { certainRateLimitWaitMs, isExpiredReset } from '../../engine/http/rate-limit-reset.ts';
import {
  type ApiRequest,
  type ApiResponse,
  bodyMember,
  describeResponse,
  describeResponsePart,
  hasSameBody,
  headerValue,
  isSuccess,
  type Operation,
} from '../../engine/model/messages.ts';
import {
  type InvoiceField,
  invoicesOf,
  isObject,
  type JsonObject,
  listItems,
  type ObservedRecord,
} from '../../engine/records/invoice-records.ts';
import { isCalendarDate, isUtcTimestamp, utcEpochMs } from '../../engine/records/iso-8601.ts';
import { idsInRequest, idsNamedIn } from '../../engine/records/request-ids.ts';

// Suites import no engine module; this module re-exports the functions that read a response.
export {
  type ApiRequest,
  type ApiResponse,
  bodyMember,
  certainRateLimitWaitMs,
  describeResponse,
  describeResponsePart,
  hasSameBody,
  headerValue,
  type InvoiceField,
  idsInRequest,
  idsNamedIn,
  invoicesOf,
  isCalendarDate,
  isExpiredReset,
  isObject,
  isSuccess,
  isUtcTimestamp,
  type JsonObject,
  listItems,
  type ObservedRecord,
  type Operation,
  utcEpochMs,
};
