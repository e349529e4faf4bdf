import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import type { ActionInput } from '../../service/inputs.ts';
import type { Action } from '../../service/lifecycle.ts';
import { refusals } from '../../service/refusal.ts';
import { amount, requestId, valid } from './fields.ts';

const nothing = z.strictObject({});
const text = z.string().min(1, 'must not be empty');

/** "Only invoice create, invoice submit and the treasury operations accept `requestId`"; resolve goes "via notes or adjustment". */
const bodies: Readonly<Record<Action, z.ZodType<ActionInput>>> = {
  submit: z.strictObject({ requestId: requestId.optional() }),
  delete: nothing,
  approve: nothing,
  dispute: z.strictObject({ reason: text }),
  cancel: nothing,
  settle: nothing,
  resolve: z
    .strictObject({ note: text.optional(), adjustment: z.strictObject({ amount }).optional() })
    .refine(({ note, adjustment }) => note !== undefined || adjustment !== undefined, 'note or adjustment is required'),
};

/** "400: invalid body or query, or undeclared body field." */
export function validateAction({ body }: Call, action: Action): ActionInput {
  return valid(bodies[action], body, refusals.invalidInvoice);
}
