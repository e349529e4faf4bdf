import type { Answer } from './answers.ts';
import { creationWorks } from './controls.ts';
import { optionalFields } from './created.ts';
import { ownEnvironment } from './environment.ts';
import { expectRefused } from './expect.ts';
import { type InvoiceBody, validBody } from './invoice-body.ts';
import type { Lab } from './lab.ts';
import { type Extra, postInvoice } from './operations.ts';
import { expectNoneCreated } from './refused-creation.ts';

/** A creation that is valid but for its buyer is refused because of the connection, and creates nothing. */
export async function expectNoConnection(lab: Lab, buyerId: string, status: number, code: string): Promise<void> {
  await creationWorks(lab);
  const whole = await optionalFields(lab);
  // Asked again it is no better, nor with all that may be left out, nor where the environment is named.
  const ways: { more?: object; extra?: Extra }[] = [{}, {}, { more: whole }, { extra: { headers: ownEnvironment } }];
  const attempts: { body: InvoiceBody; answer: Answer }[] = [];
  for (const { more, extra } of ways) {
    const body = { ...validBody(lab), buyerId, ...more };
    const answer = await postInvoice(lab, body, extra);
    expectRefused(lab, answer, [status], code);
    attempts.push({ body, answer });
  }
  await expectNoneCreated(
    lab,
    attempts.map(({ answer }) => answer),
    attempts.map(({ body }) => body),
  );
}
