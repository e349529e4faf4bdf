import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import { sendAction } from '../../helpers/api/operations.ts';
import { canHaveBody, requireBinding } from '../../helpers/api/requests.ts';
import { type ApiResponse, describeResponse, isSuccess, type JsonObject } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { completesWithoutOutcome, sharedResult } from '../../helpers/context/shared-result.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { type Invoice, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';

interface UndeclaredFieldTrial {
  action: InvoiceAction;
  invoice: Invoice;
  recordBefore: JsonObject | null;
  response: ApiResponse;
  /** The action was rejected, and the invoice is unchanged. */
  isUnchanged: boolean;
}

/** Sends every action in a state that offers it, with an undeclared field in its body. */
async function tryUndeclaredFields(ctx: CheckContext): Promise<readonly UndeclaredFieldTrial[]> {
  const tried = performableActions(ctx).filter((action) => canHaveBody(requireBinding(ctx, action)));
  const all = await Promise.all(
    tried.map(async (action) => {
      if (!(await runActionControl(ctx, action))) return [];
      const tried: UndeclaredFieldTrial[] = [];
      await withSharedInvoice(ctx, stateOffering(action), async (invoice) => {
        const { record: before } = await findSettledInvoice(ctx, invoice);
        const as = ctx.credentials(partyFor(ctx, action));
        const response = await sendAction(ctx, action, invoice.id, {
          as,
          extraMembers: { conformanceProbe: 'undeclared' },
        });
        const unmoved =
          isRejectedStatus(response) &&
          (await completesWithoutOutcome(() => expectInvoiceUnchanged(ctx, invoice, before, response)));
        // The next borrower of the invoice needs to know whether a change is pending.
        invoice.hasPendingAction = !unmoved;
        tried.push({ action, invoice, recordBefore: before, response, isUnchanged: unmoved });
      });
      return tried;
    }),
  );
  return all.flat();
}

const isRejectedStatus = ({ status }: ApiResponse) => status >= 400 && status < 500;

const undeclaredTrials = sharedResult((ctx) => tryUndeclaredFields(ctx));

async function undeclaredFieldTrials(ctx: CheckContext): Promise<readonly UndeclaredFieldTrial[]> {
  const tried = await undeclaredTrials(ctx);
  ctx.addEvidence(tried.map(({ response }) => response));
  return tried;
}

export const actionBodiesChecks: readonly Check[] = [
  check('LIFE-11.undeclared', ['connection'], async (ctx) => {
    const rejected = (await undeclaredFieldTrials(ctx)).filter(({ response }) => isRejectedStatus(response));
    if (rejected.length === 0) notApplicable('the server rejects no action for an undeclared field');
    for (const { invoice, recordBefore, response, isUnchanged } of rejected)
      if (!isUnchanged) await expectInvoiceUnchanged(ctx, invoice, recordBefore, response);
  }),

  check('LIFE-13.undeclared', ['connection'], async (ctx) => {
    // A server may ignore the body of an action that declares no body.
    const { operations } = ctx.target;
    const declares = ({ action }: UndeclaredFieldTrial) => operations[action]?.body !== undefined;
    const tried = (await undeclaredFieldTrials(ctx)).filter(declares);
    if (tried.length === 0) notApplicable('no action with a body in the target file can be performed');
    for (const { response } of tried)
      expectThat(ctx, !isSuccess(response), response, 'a rejection with 400', describeResponse(response), {
        status: 'rejection',
      });
  }),
];
