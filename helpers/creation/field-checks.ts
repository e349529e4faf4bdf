import type { CheckId } from '../../specs/generated/ids.ts';
import { postInvoice } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import type { Check } from '../context/check.ts';
import { check } from '../context/check.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { validBody } from '../data/invoice-body.ts';
import { expectCreationRejected } from './rejected-creation.ts';

export function rawValueCheck(id: CheckId, field: keyof InvoiceBody, value: string): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, { spoil: withRawValue(field, value), defect: field, statuses: [400] }),
  );
}

/** The valid body as text, with the value of one field written as given. */
export function withRawValue(field: keyof InvoiceBody, value: string): (valid: InvoiceBody) => string {
  return (valid) => JSON.stringify({ ...valid, [field]: 'TO BE REPLACED' }).replace('"TO BE REPLACED"', value);
}

/** What may be refused, but neither breaks the server nor comes back as something else. */
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
      'accepted, or refused as invalid',
      `answered with ${response.status}`,
    );
  return response;
}

/** Where one defect of each kind is tried with whatever else may go with a creation, too. */
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

/** The body as a whole is wrong; the valid one, as JSON text, is there to be spoiled. */
export function invalidBodyTextCheck(id: CheckId, spoil: (text: string) => string): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, { spoil: (valid) => spoil(JSON.stringify(valid)), statuses: [400] }),
  );
}

/** The declared field holds an invalid value; `code` where the contract gives one. */
export function invalidFieldCheck(
  id: CheckId,
  field: FieldName,
  value: unknown | ((valid: InvoiceBody) => unknown),
  code?: string,
  statuses: readonly number[] = [400],
): Check {
  return check(id, ['connection'], (ctx) =>
    expectCreationRejected(ctx, {
      spoil: (valid) => ({
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

/** The declared field holds one invalid value after the other. */
export function invalidValuesCheck(
  id: CheckId,
  field: FieldName,
  values: (valid: InvoiceBody) => readonly unknown[],
  code?: string,
): Check {
  return check(id, ['connection'], async (ctx) => {
    for (const [at] of values(validBody(ctx)).entries()) {
      const spoil = (valid: InvoiceBody) => ({ ...valid, [field]: values(valid)[at] });
      await expectCreationRejected(ctx, { spoil, defect: field, statuses: [400], ...(code !== undefined && { code }) });
    }
  });
}

export type FieldName = keyof InvoiceBody;
