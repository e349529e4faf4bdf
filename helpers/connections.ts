import type { Answer } from './answers.ts';
import { creationWorks } from './controls.ts';
import { optionalFields } from './created.ts';
import { expectRefused } from './expect.ts';
import { validBody } from './invoice-body.ts';
import type { Lab } from './lab.ts';
import { postInvoice } from './operations.ts';
import { expectNoneCreated } from './refused-creation.ts';

/** A creation that is valid but for its buyer is refused because of the connection, and creates nothing. */
export async function expectNoConnection(lab: Lab, buyerId: string, status: number, code: string): Promise<void> {
  await creationWorks(lab);
  const whole = await optionalFields(lab);
  // Asked again it is no better, nor with all that may be left out.
  const bodies = [{}, {}, whole].map((more) => ({ ...validBody(lab), buyerId, ...more }));
  const answers: Answer[] = [];
  for (const body of bodies) {
    const answer = await postInvoice(lab, body);
    expectRefused(lab, answer, [status], code);
    answers.push(answer);
  }
  await expectNoneCreated(lab, answers, bodies);
}
