import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import type { ActionInput } from '../../service/inputs.ts';
import type { Action } from '../../service/lifecycle.ts';
import { rejections } from '../../service/rejection.ts';
import { amount, parseOrReject, requestId } from './fields.ts';

const emptyBody = z.strictObject({});
const textField = z.string().min(1, 'must not be empty');

/** "Only invoice create, invoice submit and the treasury operations accept `requestId`"; resolve goes "via notes or adjustment". */
const actionBodies: Readonly<Record<Action, z.ZodType<ActionInput>>> = {
  submit: z.strictObject({ requestId: requestId.optional() }),
  delete: emptyBody,
  approve: emptyBody,
  dispute: z.strictObject({ reason: textField }),
  cancel: emptyBody,
  settle: emptyBody,
  resolve: z
    .strictObject({ note: textField.optional(), adjustment: z.strictObject({ amount }).optional() })
    .refine(({ note, adjustment }) => note !== undefined || adjustment !== undefined, 'note or adjustment is required'),
};

/** "400: invalid body or query, or undeclared body field." */
export function validateAction({ body }: Call, action: Action): ActionInput {
  return parseOrReject(actionBodies[action], body, rejections.invalidInvoice);
}
