import type { Answer } from './answers.ts';
import { creationWorks } from './controls.ts';
import { optionalFields } from './created.ts';
import { dressed } from './dressed.ts';
import { ownEnvironment } from './environment.ts';
import { expectRefused } from './expect.ts';
import { type InvoiceBody, validBody } from './invoice-body.ts';
import type { Lab } from './lab.ts';
import { type Extra, postInvoice } from './operations.ts';
import { expectNoneCreated } from './refused-creation.ts';

/** A creation that is valid but for its buyer is refused because of the connection, and creates nothing. */
export async function expectNoConnection(lab: Lab, buyerId: string, status: number, code: string): Promise<void> {
  await creationWorks(lab);
  const { body: whole, headers } = await dressed(lab);
  // Asked again it is no better, nor with whatever else may go with a creation.
  const ways: { more?: object; extra?: Extra }[] = [
    {},
    {},
    {},
    { more: await optionalFields(lab) },
    { extra: { headers: ownEnvironment } },
    { more: whole, extra: { headers } },
  ];
  const attempts: { body: InvoiceBody; answer: Answer }[] = [];
  for (const { more, extra } of ways) {
    const body = { ...validBody(lab), ...more, buyerId };
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
