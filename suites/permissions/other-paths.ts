import { INVOICES_PATH, postInvoiceAt } from '../../helpers/api/operations.ts';
import type { RequestOptions } from '../../helpers/api/requests.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import {
  type Detour,
  namingMethod,
  namingPath,
  PLAIN_SPELLINGS,
  PUBLIC_PATH,
  sendByDetour,
  servedSpellings,
} from '../../helpers/api/undeclared-paths.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { runActionControl, runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { expectNoInvoiceCreated } from '../../helpers/creation/rejected-creation.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { actionsLeadingTo, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';

interface UndeclaredCreation extends Pick<RequestOptions, 'headers'> {
  path: string;
  method?: string;
}

/** A request that the contract does not declare must not create an invoice, whatever the response is. */
async function expectNothingCreatedBy(ctx: CheckContext, creations: readonly UndeclaredCreation[]): Promise<void> {
  await runCreationControl(ctx);
  const as = ctx.credentials('readOnly');
  const bodies = creations.map(() => validBody(ctx));
  const responses = await Promise.all(
    creations.map(({ path, ...more }, at) => postInvoiceAt(ctx, path, bodies[at] ?? {}, { as, ...more })),
  );
  await expectNoInvoiceCreated(ctx, responses, bodies);
}

/** A guard may look at one method or path of such a request, and the router at the other. */
const SUBMISSION_DETOURS: readonly Detour[] = [
  ...PLAIN_SPELLINGS.slice(0, 2).map((spelling) => ({ spelling })),
  { headers: namingMethod('GET') },
  { method: 'GET', headers: namingMethod('POST') },
];

export const permissionOtherPathsChecks: readonly Check[] = [
  check('PERM-01.other-paths', ['connection', 'readOnly'], async (ctx) => {
    // A server may have a second spelling for the creation only.
    const spellings = new Set([...PLAIN_SPELLINGS, ...(await servedSpellings(ctx))]);
    await expectNothingCreatedBy(
      ctx,
      [...spellings].map((spelling) => ({ path: spelling(INVOICES_PATH) })),
    );
  }),

  check('PERM-01.rewritten', ['connection', 'readOnly'], (ctx) =>
    expectNothingCreatedBy(ctx, [
      { path: INVOICES_PATH, headers: namingMethod('GET') },
      { path: INVOICES_PATH, method: 'GET', headers: namingMethod('POST') },
      { path: INVOICES_PATH, headers: namingPath(PUBLIC_PATH) },
    ]),
  ),

  check(
    'PERM-01.submit-other-paths',
    ['connection', 'readOnly', ...actionsLeadingTo(stateOffering('submit')), 'submit'],
    async (ctx) => {
      await runActionControl(ctx, 'submit');
      await withSharedInvoice(ctx, stateOffering('submit'), async (invoice) => {
        const { record: before } = await findSettledInvoice(ctx, invoice);
        const as = ctx.credentials('readOnly');
        let last: ApiResponse | undefined;
        for (const detour of SUBMISSION_DETOURS) last = await sendByDetour(ctx, 'submit', invoice.id, as, detour);
        await expectInvoiceUnchanged(ctx, invoice, before, last);
      });
    },
  ),
];
