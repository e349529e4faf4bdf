import type { CheckId } from '../../specs/generated/ids.ts';
import { postInvoice } from '../api/operations.ts';
import { type ApiResponse, isSuccess } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import { statusBelow } from '../assert/expectations.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, check } from '../context/check.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { expectCreationRejected } from './rejected-creation.ts';

export function rawValueCheck(id: CheckId, field: keyof InvoiceBody, value: string): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, { addDefect: withRawValue(field, value), defect: field, statuses: [400] }),
  );
}

/** The valid body as JSON text, with `value` as the raw text of one field. */
export function withRawValue(field: keyof InvoiceBody, value: string): (valid: InvoiceBody) => string {
  return (valid) => JSON.stringify({ ...valid, [field]: 'TO BE REPLACED' }).replace('"TO BE REPLACED"', value);
}

/** The server may reject the value with a 4xx status. Throws a Breach for a 5xx status; `keep` checks an accepted value. */
export async function expectRejectedOrKept(
  ctx: CheckContext,
  body: InvoiceBody,
  keep: (response: ApiResponse) => Promise<void>,
): Promise<{ status: number }> {
  await runCreationControl(ctx);
  const response = await postInvoice(ctx, body);
  if (isSuccess(response)) await keep(response);
  else
    expectThat(
      ctx,
      response.status < 500,
      response,
      'a status below 500: the creation accepted or rejected',
      `the server returned ${response.status}`,
      statusBelow(500),
    );
  return response;
}

/** These checks try their defect a second time with all optional fields and headers. */
export const CHECKED_WITH_ALL_FIELDS: readonly CheckId[] = [
  'CREATE-01.unknown',
  'CREATE-01.status',
  'CREATE-03.text',
  'CREATE-03.number',
  'CREATE-05.description-number',
  'CREATE-06.seller-id-text',
  'CREATE-06.buyer-id-text',
  'CREATE-07.text',
  'CREATE-07.february-30',
];

/** A check of a body that is invalid as a whole; `addDefect` changes the JSON text of a valid body. */
export function invalidBodyTextCheck(id: CheckId, addDefect: (text: string) => string): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, { addDefect: (valid) => addDefect(JSON.stringify(valid)), statuses: [400] }),
  );
}

/** A check of one invalid value in a declared field. `code` is the error code if the contract gives one. */
export function invalidFieldCheck(
  id: CheckId,
  field: FieldName,
  value: unknown | ((valid: InvoiceBody) => unknown),
  code?: string,
  statuses: readonly number[] = [400],
): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, {
      addDefect: (valid) => ({
        ...valid,
        [field]: typeof value === 'function' ? (value as (v: InvoiceBody) => unknown)(valid) : value,
      }),
      defect: field,
      statuses,
      ...(code !== undefined && { code }),
      ...(CHECKED_WITH_ALL_FIELDS.includes(id) && { whole: true }),
    }),
  );
}

/** A check of several invalid values in a declared field, one request for each. */
export function invalidValuesCheck(
  id: CheckId,
  field: FieldName,
  values: (valid: InvoiceBody) => readonly unknown[],
  code?: string,
): Check {
  return check(id, ['connection'], async (ctx) => {
    for (const [at] of values(validBody(ctx)).entries()) {
      const addDefect = (valid: InvoiceBody) => ({ ...valid, [field]: values(valid)[at] });
      await expectCreationRejected(ctx, {
        addDefect,
        defect: field,
        statuses: [400],
        ...(code !== undefined && { code }),
      });
    }
  });
}

export type FieldName = keyof InvoiceBody;
