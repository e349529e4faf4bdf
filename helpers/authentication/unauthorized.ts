import type { Credentials } from '../api/invalid-credentials.ts';
import { postInvoice } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { expectNoInvoiceCreated } from '../creation/rejected-creation.ts';
import { validBody } from '../data/invoice-body.ts';
import { isUndeployed } from '../environments/production.ts';

/** Throws a Breach unless each response is 401. A gateway may first report that production is not deployed. */
export function expectUnauthorized(ctx: CheckContext, responses: readonly ApiResponse[]): void {
  for (const response of responses) if (!isUndeployed(response)) expectRejected(ctx, response, [401]);
}

export async function expectCreationUnauthorized(ctx: CheckContext, failures: readonly Credentials[]): Promise<void> {
  const bodies = failures.map(() => validBody(ctx));
  const responses = await Promise.all(failures.map((as, at) => postInvoice(ctx, bodies[at], { as })));
  for (const response of responses) expectRejected(ctx, response, [401]);
  await expectNoInvoiceCreated(ctx, responses, bodies);
}

export const REPRESENTATIVE_FAILURES = ['both-missing', 'key-unknown', 'secret-wrong'] as const;
