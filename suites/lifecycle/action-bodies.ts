import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import { canHaveBody, requireBinding, sendAction } from '../../helpers/api/operations.ts';
import type { ApiResponse, JsonObject } from '../../helpers/api/responses.ts';
import { describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, withPriority } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { completesWithoutOutcome } from '../../helpers/context/combined-experiment.ts';
import { runActionControl } from '../../helpers/controls/controls.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/rejected-action.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

interface UndeclaredFieldTrial {
  action: InvoiceAction;
  invoice: Invoice;
  recordBefore: JsonObject | null;
  response: ApiResponse;
  /** It was refused, and the invoice seen to be as before. */
  isUnchanged: boolean;
}

/** Every action, where its state offers it, with a field in its body of which nothing is known. */
async function tryUndeclaredFields(lab: CheckContext): Promise<readonly UndeclaredFieldTrial[]> {
  const tried = performableActions(lab).filter((action) => canHaveBody(requireBinding(lab, action)));
  const all = await Promise.all(
    tried.map(async (action) => {
      if (!(await runActionControl(lab, action))) return [];
      const tried: UndeclaredFieldTrial[] = [];
      await withSharedInvoice(lab, stateOffering(action), async (invoice) => {
        const { record: before } = await findSettledInvoice(lab, invoice);
        const as = lab.credentials(partyFor(lab, action));
        const answer = await sendAction(lab, action, invoice.id, {
          as,
          extraMembers: { conformanceProbe: 'undeclared' },
        });
        const unmoved =
          isRejectedStatus(answer) &&
          (await completesWithoutOutcome(() => expectInvoiceUnchanged(lab, invoice, before, answer)));
        // Whoever is lent it next is to find it as it was.
        invoice.hasPendingAction = !unmoved;
        tried.push({ action, invoice, recordBefore: before, response: answer, isUnchanged: unmoved });
      });
      return tried;
    }),
  );
  return all.flat();
}

const isRejectedStatus = ({ status }: ApiResponse) => status >= 400 && status < 500;

async function undeclaredFieldTrials(lab: CheckContext): Promise<readonly UndeclaredFieldTrial[]> {
  const tried = await lab.run.memoize('undeclared fields of actions', () => tryUndeclaredFields(lab));
  lab.addEvidence(tried.map(({ response: answer }) => answer));
  return tried;
}

export const actionBodiesChecks: readonly Check[] = withPriority('low', [
  check('LIFE-11.undeclared', ['connection'], async (lab) => {
    const refused = (await undeclaredFieldTrials(lab)).filter(({ response: answer }) => isRejectedStatus(answer));
    if (refused.length === 0) notApplicable('no action is refused for a field that is not declared');
    for (const { invoice, recordBefore: before, response: answer, isUnchanged: unmoved } of refused)
      if (!unmoved) await expectInvoiceUnchanged(lab, invoice, before, answer);
  }),

  check('LIFE-13.undeclared', ['connection'], async (lab) => {
    // Where nothing is declared at all, a body may be nothing that anybody looks at.
    const { operations } = lab.target;
    const declares = ({ action }: UndeclaredFieldTrial) => operations[action]?.body !== undefined;
    const tried = (await undeclaredFieldTrials(lab)).filter(declares);
    if (tried.length === 0) notApplicable('no action with a body of its own can be performed');
    for (const { response: answer } of tried)
      expectThat(lab, !isSuccess(answer), answer, 'a refusal with 400', describeResponse(answer));
  }),
]);
