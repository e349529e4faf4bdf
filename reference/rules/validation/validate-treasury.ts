import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import type { BalanceInput, WithdrawalInput } from '../../service/inputs.ts';
import { rejections } from '../../service/rejection.ts';
import { parseOrReject, requestId } from './fields.ts';

const balanceBody = z.strictObject({ requestId: requestId.optional() });

const withdrawalBody = z.strictObject({
  // Allows larger values than the amount of an invoice: an amount beyond the funds is TREAS007 and not an invalid
  // number.
  amount: z
    .string()
    .regex(/^(?!0+\.00$)\d{1,18}\.\d{2}$/, 'must be a decimal above zero with two fraction digits, as a string'),
  requestId: requestId.optional(),
});

/** "Only invoice create, invoice submit and the treasury balance and withdrawal operations accept `requestId`." */
export function validateBalance({ body }: Call): BalanceInput {
  return parseOrReject(balanceBody, body, rejections.invalidRequest);
}

export function validateWithdrawal({ body }: Call): WithdrawalInput {
  return parseOrReject(withdrawalBody, body, rejections.invalidRequest);
}
