import { responseOrNull } from '../api/answered-requests.ts';
import { INVOICES_PATH, postInvoiceAt } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { namingMethod, namingPath, PLAIN_SPELLINGS, PUBLIC_PATH, servedSpellings } from '../api/undeclared-paths.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { validBody } from '../data/invoice-body.ts';
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
  const sent = await Promise.all(
    creations.map(async ({ path, ...more }) => {
      const body = validBody(ctx);
      const response = await responseOrNull(() => postInvoiceAt(ctx, path, body, { as, ...more }));
      return response === null ? [] : [{ body, response }];
    }),
  );
  const answered = sent.flat();
  const responses = answered.map(({ response }) => response);
  await expectNoInvoiceCreated(
    ctx,
    responses,
    answered.map(({ body }) => body),
  );
}
