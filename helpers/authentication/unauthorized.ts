import type { Credentials } from '../api/invalid-credentials.ts';
import { INVOICES_PATH, postInvoice } from '../api/operations.ts';
import { type ApiResponse, bodyMember } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { expectNoInvoiceCreated } from '../creation/rejected-creation.ts';
import { sendUndeclaredCreations } from '../creation/undeclared-creations.ts';
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

/**
 * Throws a Breach unless the response is 401. A proxy or a firewall in front of the service may reject an unusual or a repeated header
 * with its own 4xx response, which has no code of the contract.
 */
export function expectRejectedByAnyLayer(ctx: CheckContext, response: ApiResponse): void {
  const { status } = response;
  const isFromFront = status >= 400 && status < 500 && bodyMember(response, 'code') === undefined;
  if (!isFromFront) expectRejected(ctx, response, [401, 400]);
}

/** Creations with unusual headers, which a proxy may reject. Throws a Breach if the service accepts one. */
export async function expectUnusualCreationUnauthorized(
  ctx: CheckContext,
  failures: readonly Credentials[],
): Promise<void> {
  const { responses, bodies } = await sendUndeclaredCreations(
    ctx,
    failures.map((as) => ({ path: INVOICES_PATH, as })),
  );
  for (const response of responses) expectRejectedByAnyLayer(ctx, response);
  await expectNoInvoiceCreated(ctx, responses, bodies);
}

export const REPRESENTATIVE_FAILURES = ['both-missing', 'key-unknown', 'secret-wrong'] as const;
