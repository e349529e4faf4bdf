import { z } from 'zod';

/** The fields by which an object of a body is known as an invoice: it has at least two of them. */
export const RECORD_FIELDS = ['id', 'invoiceNumber', 'status', 'amount', 'dueDate', 'createdAt'] as const;

/** A jq filter: the invoices in a body, bare or in an envelope, outer ones first. */
export const RECORDS_FILTER = `.. | objects | select([has(${RECORD_FIELDS.map((field) => `"${field}"`).join(', ')})] | map(select(.)) | length > 1)`;

/**
 * The condition that the deciding response of a failed check does not meet, in a form that a script can test. All present parts
 * must hold; without any part, every response is as expected, and the deciding request got none.
 */
export const expectation = z.strictObject({
  /** `success`: 200 to 299, or 303. `rejection`: any other status. */
  status: z.union([z.array(z.number().int()), z.enum(['success', 'rejection'])]).optional(),
  /** The member `code` of the body. */
  code: z.string().optional(),
  /** A jq filter of the body, with `$status` and `$headers`. It yields `true` if the response is as expected. */
  body: z.string().optional(),
  /** A jq filter of the body that must hold before the others say anything, such as a list with at least two items. */
  given: z.string().optional(),
  /** The fields of the body that are not as expected, so that a report can mark them. */
  fields: z
    .array(
      z.strictObject({
        /** The names and indexes from the root of the body to the field. */
        path: z.array(z.union([z.string(), z.number().int()])),
        /** The expected value; absent if the condition is about no single value. */
        value: z.json().optional(),
      }),
    )
    .optional(),
  /** A jq filter: the parts of the body that are not as expected, such as list items. A response as expected has none. */
  wrong: z.string().optional(),
  /** Id of the exchange whose status and body the response must repeat. */
  sameAs: z.string().optional(),
  /**
   * `original`: id of the exchange whose body the response must not repeat, such as a response to another organization. `control`:
   * id of the caller's own response. It must differ, too, or the comparison says nothing.
   */
  differentFrom: z.strictObject({ original: z.string(), control: z.string() }).optional(),
});
export type Expectation = z.infer<typeof expectation>;
