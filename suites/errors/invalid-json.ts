import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import { postWebhook, sendAction } from '../../helpers/api/operations.ts';
import { canHaveBody, requireBinding } from '../../helpers/api/requests.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { stateOffering } from '../../helpers/invoices/invoices.ts';
import { acceptedSubscriptionUrl } from '../../helpers/webhooks/subscriptions.ts';

const MALFORMED_JSON = '{"requestId": oops';

/** A server may check the destination of a withdrawal before it reads the body. */
const STATUSES_BEFORE_PARSING = [409, 412];

export const invalidJsonChecks: readonly Check[] = [
  check('ERR-11.actions', ['connection'], async (ctx) => {
    const tried = performableActions(ctx).filter((action) => canHaveBody(requireBinding(ctx, action)));
    if (tried.length === 0) notApplicable('the kit can perform no action that has a body');
    await Promise.all(
      tried.map(async (action) => {
        if (!(await runActionControl(ctx, action))) return;
        await withSharedInvoice(ctx, stateOffering(action), async (invoice) => {
          const response = await sendAction(ctx, action, invoice.id, {
            as: ctx.credentials(partyFor(ctx, action)),
            rawBody: MALFORMED_JSON,
          });
          // A server may ignore the body of an action that declares none.
          invoice.hasPendingAction = isSuccess(response);
          expectThat(
            ctx,
            response.status < 500,
            response,
            'a rejection with 400',
            `the server returned ${response.status}`,
            { status: [400] },
          );
        });
      }),
    );
  }),

  check('ERR-11.withdrawal', ['seller', 'treasuryWithdraw'], async (ctx) => {
    const bound = requireBinding(ctx, 'treasuryWithdraw');
    if (!canHaveBody(bound) || bound.body === undefined)
      notApplicable('operations.treasuryWithdraw of the target file has no body');
    const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { rawBody: MALFORMED_JSON });
    blockIfForbidden(response);
    expectRejected(ctx, response, [400, ...STATUSES_BEFORE_PARSING]);
  }),

  check('ERR-11.subscription', ['seller'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    expectRejected(ctx, await postWebhook(ctx, `{"url": "${url}", "eventTypes": [`), [400]);
  }),
];
