import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import { refusals } from '../../service/refusal.ts';
import { valid } from './fields.ts';

/** "No payload is shown": every field is an undeclared one. */
export function validateReset({ body }: Call): void {
  valid(z.strictObject({}), body, refusals.invalidRequest);
}
