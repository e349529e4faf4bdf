import { z } from 'zod';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import { parseOrReject } from './fields.ts';

/** "No payload is shown": every field is undeclared. */
export function validateReset({ body }: Call): void {
  parseOrReject(z.strictObject({}), body, rejections.invalidRequest);
}
