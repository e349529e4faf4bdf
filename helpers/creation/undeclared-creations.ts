import { INVOICES_PATH, postInvoiceAt } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import type { ApiResponse } from '../api/responses.ts';
import { responseOrNull } from '../api/responses.ts';
import { namingMethod, namingPath, PLAIN_SPELLINGS, PUBLIC_PATH, servedSpellings } from '../api/undeclared-paths.ts';
import type { CheckContext } from '../context/check.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { expectNoInvoiceCreated } from './rejected-creation.ts';

/** A creation that the contract does not declare. */
interface UndeclaredCreation extends Pick<RequestOptions, 'headers'> {
  path: string;
  method?: string;
}

/** Creations at other spellings of the path. A server may have such a spelling for the creation only. */
export async function creationsAtOtherPaths(ctx: CheckContext): Promise<UndeclaredCreation[]> {
  const spellings = new Set([...PLAIN_SPELLINGS, ...(await servedSpellings(ctx))]);
  return [...spellings].map((spelling) => ({ path: spelling(INVOICES_PATH) }));
}

/** Creations that name two paths or methods: a guard may look at one of them, and the router at the other. */
export const AMBIGUOUS_CREATIONS: readonly UndeclaredCreation[] = [
  { path: INVOICES_PATH, headers: namingMethod('GET') },
  { path: INVOICES_PATH, method: 'GET', headers: namingMethod('POST') },
  { path: INVOICES_PATH, headers: namingPath(PUBLIC_PATH) },
];

/** Sends creations with the read-only key. Throws a Breach if one creates an invoice, whatever the response is. */
export async function expectUndeclaredCreationsRejected(
  ctx: CheckContext,
  creations: readonly UndeclaredCreation[],
): Promise<void> {
  await runCreationControl(ctx);
  const as = ctx.credentials('readOnly');
  const { responses, bodies } = await sendUndeclaredCreations(
    ctx,
    creations.map((creation) => ({ ...creation, as })),
  );
  await expectNoInvoiceCreated(ctx, responses, bodies);
}

/** Sends creations that a firewall may drop. The responses that came, and the body of each. */
export async function sendUndeclaredCreations(
  ctx: CheckContext,
  creations: readonly (UndeclaredCreation & Pick<RequestOptions, 'as'>)[],
): Promise<{ responses: ApiResponse[]; bodies: InvoiceBody[] }> {
  const sent = await Promise.all(
    creations.map(async ({ path, ...more }) => {
      const body = validBody(ctx);
      const response = await responseOrNull(() => postInvoiceAt(ctx, path, body, more));
      return response === null ? [] : [{ body, response }];
    }),
  );
  const answered = sent.flat();
  return { responses: answered.map(({ response }) => response), bodies: answered.map(({ body }) => body) };
}
