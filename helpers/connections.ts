import { creationWorks } from './controls.ts';
import { optionalFields } from './created.ts';
import { expectRefused } from './expect.ts';
import { validBody } from './invoice-body.ts';
import type { Lab } from './lab.ts';
import { postInvoice } from './operations.ts';
import { expectNothingCreated } from './refused-creation.ts';

/** A creation that is valid but for its buyer is refused because of the connection, and creates nothing. */
export async function expectNoConnection(lab: Lab, buyerId: string, status: number, code: string): Promise<void> {
  await creationWorks(lab);
  const whole = await optionalFields(lab);
  // Asked again it is no better, nor with all that may be left out.
  for (const more of [{}, {}, whole]) {
    const body = { ...validBody(lab), buyerId, ...more };
    const answer = await postInvoice(lab, body);
    expectRefused(lab, answer, [status], code);
    await expectNothingCreated(lab, answer, body);
  }
}
