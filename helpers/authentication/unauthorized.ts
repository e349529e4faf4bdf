import type { Credentials } from '../api/invalid-credentials.ts';
import { postInvoice } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { expectNoInvoiceCreated } from '../creation/rejected-creation.ts';
import { validBody } from '../data/invoice-body.ts';
import { isUndeployed } from '../environments/production.ts';

/** 401 to each; whether production is deployed at all may be asked first. */
export function expectUnauthorized(lab: CheckContext, answers: readonly ApiResponse[]): void {
  for (const answer of answers) if (!isUndeployed(answer)) expectRejected(lab, answer, [401]);
}

export async function expectCreationUnauthorized(lab: CheckContext, failures: readonly Credentials[]): Promise<void> {
  const bodies = failures.map(() => validBody(lab));
  const answers = await Promise.all(failures.map((as, at) => postInvoice(lab, bodies[at], { as })));
  for (const answer of answers) expectRejected(lab, answer, [401]);
  await expectNoInvoiceCreated(lab, answers, bodies);
}

export const REPRESENTATIVE_FAILURES = ['both-missing', 'key-unknown', 'secret-wrong'] as const;
