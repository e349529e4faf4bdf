import { z } from 'zod';
import type { RejectionError } from '../../service/rejection.ts';

/** An organization id. UUIDs ignore case. */
export const organizationId = z.guid('must be a UUID').transform((id) => id.toLowerCase());

/** "Money is carried as a string"; a positive decimal with two fraction digits. */
export const amount = z
  .string()
  .regex(/^(?!0+\.00$)\d{1,13}\.\d{2}$/, 'must be a decimal above zero with two fraction digits, as a string');

export const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of three upper-case letters');

/** A calendar date: zod rejects 30 February. */
export const dueDate = z.iso.date('must be a date, YYYY-MM-DD');

export const requestId = z.string();

/** The valid value, or a rejection with the reason. */
export function parseOrReject<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (detail: string) => RejectionError,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refuse(
    result.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; '),
  );
}
