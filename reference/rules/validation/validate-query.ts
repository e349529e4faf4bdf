import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import type { ListQuery } from '../../service/inputs.ts';
import { rejections } from '../../service/rejection.ts';
import { parseOrReject } from './fields.ts';

const integer = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a non-negative integer')
  .transform(Number);

/** The fields by which a list can be sorted. */
export const RECORD_FIELDS = [
  'id',
  'invoiceNumber',
  'status',
  'amount',
  'currency',
  'buyerOrganizationId',
  'sellerOrganizationId',
  'dueDate',
  'createdAt',
  'description',
] as const;

// Not a strict object: query parameters that the contract does not name are ignored.
const listQuery = z.object({
  page: integer.default(0),
  limit: integer.pipe(z.number().min(1, 'must be at least 1').max(100, 'must be at most 100')).default(20),
  sortBy: z.enum(RECORD_FIELDS).default('createdAt'),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
});

/** "`page` is zero-based, `limit` at most 100, `sortBy` a field name of the record." */
export function validateQuery({ request }: Call): ListQuery {
  return parseOrReject(listQuery, Object.fromEntries(request.query), rejections.invalidRequest);
}
