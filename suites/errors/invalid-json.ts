import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import {
  canHaveBody,
  postWebhook,
  requireBinding,
  sendAction,
  sendTreasuryRequest,
} from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/controls.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { stateOffering } from '../../helpers/invoices/invoices.ts';
import { acceptedSubscriptionUrl } from '../../helpers/webhooks/subscriptions.ts';

const MALFORMED_JSON = '{"requestId": oops';

/** Whether there is something to withdraw to may be asked before the body is read. */
const STATUSES_BEFORE_PARSING = [409, 412];

export const invalidJsonChecks: readonly Check[] = [
  check('ERR-11.actions', ['connection'], async (lab) => {
    const tried = performableActions(lab).filter((action) => canHaveBody(requireBinding(lab, action)));
    if (tried.length === 0) notApplicable('no action with a body can be performed');
    await Promise.all(
      tried.map(async (action) => {
        if (!(await runActionControl(lab, action))) return;
        await withSharedInvoice(lab, stateOffering(action), async (invoice) => {
          const answer = await sendAction(lab, action, invoice.id, {
            as: lab.credentials(partyFor(lab, action)),
            rawBody: MALFORMED_JSON,
          });
          // Where nothing is declared, a body may be nothing that anybody reads.
          invoice.hasPendingAction = isSuccess(answer);
          expectThat(lab, answer.status < 500, answer, 'a refusal with 400', `answered with ${answer.status}`);
        });
      }),
    );
  }),

  check('ERR-11.withdrawal', ['seller', 'treasuryWithdraw'], async (lab) => {
    const bound = requireBinding(lab, 'treasuryWithdraw');
    if (!canHaveBody(bound) || bound.body === undefined) notApplicable('a withdrawal has no body');
    const answer = await sendTreasuryRequest(lab, 'treasuryWithdraw', { rawBody: MALFORMED_JSON });
    blockIfForbidden(answer);
    expectRejected(lab, answer, [400, ...STATUSES_BEFORE_PARSING]);
  }),

  check('ERR-11.subscription', ['seller'], async (lab) => {
    const url = await acceptedSubscriptionUrl(lab);
    expectRejected(lab, await postWebhook(lab, `{"url": "${url}", "eventTypes": [`), [400]);
  }),
];
