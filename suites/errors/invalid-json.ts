import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import { sendAction } from '../../helpers/api/operations.ts';
import { buildBoundRequest, canHaveBody, requireBinding } from '../../helpers/api/requests.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest, treasuryActor } from '../../helpers/api/treasury-requests.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { stateOffering } from '../../helpers/invoices/invoices.ts';
import { acceptedSubscriptionUrl, trySubscriptionText } from '../../helpers/webhooks/subscriptions.ts';

const MALFORMED_JSON = '{"requestId": oops';

const WITHDRAWN_AMOUNT = '1.00';

const withTrailingText = (text: string) => `${text} and more`;

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
    // Complete except for its end, because a lenient parser reads only the first value of a text.
    const as = ctx.credentials(treasuryActor(ctx, 'treasuryWithdraw'));
    const { body } = buildBoundRequest(ctx, 'treasuryWithdraw', { as }, { amount: WITHDRAWN_AMOUNT });
    const rawBody = withTrailingText(JSON.stringify(body));
    const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { rawBody }, WITHDRAWN_AMOUNT);
    blockIfForbidden(response);
    expectRejected(ctx, response, [400, ...STATUSES_BEFORE_PARSING]);
  }),

  check('ERR-11.subscription', ['seller'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    const cut = (text: string) => text.slice(0, -1);
    for (const addDefect of [cut, withTrailingText])
      expectRejected(ctx, await trySubscriptionText(ctx, { url }, addDefect), [400]);
  }),
];
