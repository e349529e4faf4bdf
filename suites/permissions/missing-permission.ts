import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { listInvoices, postInvoice, sendAction } from '../../helpers/api/operations.ts';
import type { ActionOptions } from '../../helpers/api/requests.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { type Detour, namingMethod, PLAIN_SPELLINGS } from '../../helpers/api/undeclared-paths.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { replayedSubmission } from '../../helpers/authentication/rejected-replays.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { runActionControl, runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { expectCreationRejected } from '../../helpers/creation/rejected-creation.ts';
import {
  AMBIGUOUS_CREATIONS,
  creationsAtOtherPaths,
  expectUndeclaredCreationsRejected,
} from '../../helpers/creation/undeclared-creations.ts';
import { smallWithdrawalAmount, withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectKeyStillValid, sendInvalidReset } from '../../helpers/environments/sandbox-reset.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { createOriginal } from '../../helpers/idempotency/replay.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { needsToReach, stateOffering } from '../../helpers/invoices/invoices.ts';
import { blockUnlessActionHasEffect } from '../../helpers/lifecycle/ineffective-action.ts';
import { expectNoEffectByDetours } from '../../helpers/lifecycle/sequences/detours.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';
import { expectNoWithdrawal } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import {
  type ReplayableWithdrawal,
  repeatedWithdrawal,
} from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { noNotificationCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { acceptedSubscriptionUrl, trySubscription } from '../../helpers/webhooks/subscriptions.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** A guard may look at one method or path of such a request, and the router at the other. */
const SUBMISSION_DETOURS: readonly Detour[] = [
  ...PLAIN_SPELLINGS.slice(0, 2).map((spelling) => ({ spelling })),
  { headers: namingMethod('GET') },
  { method: 'GET', headers: namingMethod('POST') },
];

/** For actions of the other party, the server may also reject the seller's read-only key as the wrong party. */
const OTHER_PARTY_STATUSES = [403, 404, 409, 412];

const ACTIONS_WITH_REQUEST_ID: readonly InvoiceAction[] = ['submit'];

function readOnlyActionCheck(action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(
    `PERM-01.${action}` as CheckId,
    ['connection', 'readOnly', ...needsToReach(state), action],
    async (ctx) => {
      if (!(await runActionControl(ctx, action))) notApplicable(`no invoice was ever in state ${state}`);
      await withSharedInvoice(ctx, state, async (invoice) => {
        const { record: before } = await findSettledInvoice(ctx, invoice);
        const as = ctx.credentials('readOnly');
        const statuses = partyFor(ctx, action) === 'seller' ? [403] : OTHER_PARTY_STATUSES;
        // A server may process a request with a requestId on another code path.
        const named = { as, headers: sandboxHeader };
        const replayed = ACTIONS_WITH_REQUEST_ID.includes(action) ? [{ as, requestId: ctx.createRequestId() }] : [];
        let last: ApiResponse | undefined;
        for (const extra of [{ as }, named, ...replayed]) {
          last = await sendAction(ctx, action, invoice.id, extra);
          if (isSuccess(last)) await blockUnlessActionHasEffect(ctx, action, invoice);
          expectRejected(ctx, last, statuses);
        }
        await expectInvoiceUnchanged(ctx, invoice, before, last);
      });
    },
  );
}

/** Sends a withdrawal with a requestId. The withdrawal may be rejected. */
async function sendReplayableWithdrawal(ctx: CheckContext): Promise<ReplayableWithdrawal> {
  const requestId = ctx.createRequestId();
  const { text } = withdrawalAmountFor(ctx, 'read-only, replayed');
  const again = (inner: CheckContext, more: ActionOptions = {}) =>
    sendTreasuryRequest(inner, 'treasuryWithdraw', { requestId, ...more }, text);
  return { first: await again(ctx), replay: again };
}

export const missingPermissionChecks: readonly Check[] = [
  check('PERM-01.create', ['connection', 'readOnly'], async (ctx) => {
    await runCreationControl(ctx);
    ctx.observe('read-only-may-list', (await listInvoices(ctx, {}, { as: ctx.credentials('readOnly') })).status);
    const as = ctx.credentials('readOnly');
    const { body } = await createOriginal(ctx);
    for (const [more, extra] of [
      [{}, { as }],
      [{}, { as, headers: sandboxHeader }],
      [{ requestId: ctx.createRequestId() }, { as }],
    ] as const) {
      await expectCreationRejected(ctx, { addDefect: (valid) => ({ ...valid, ...more }), statuses: [403], extra });
    }
    // A read-only key must not receive the stored response of another key of the organization.
    expectRejected(ctx, await postInvoice(ctx, body, { as }), [403]);
  }),

  readOnlyActionCheck('submit'),

  readOnlyActionCheck('delete'),

  readOnlyActionCheck('cancel'),

  readOnlyActionCheck('approve'),

  readOnlyActionCheck('dispute'),

  readOnlyActionCheck('settle'),

  readOnlyActionCheck('resolve'),

  checkInPhase('reset', 'PERM-01.reset', ['reset', 'seller', 'readOnly'], async (ctx) => {
    const { answers: responses, after } = await sendInvalidReset(ctx, 'permission');
    for (const response of responses) expectRejected(ctx, response, [403]);
    expectKeyStillValid(ctx, after);
  }),

  check('PERM-01.webhook-create', ['seller', 'readOnly'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    const as = ctx.credentials('readOnly');
    expectRejected(ctx, await trySubscription(ctx, { url }, { as }), [403]);
    expectRejected(ctx, await trySubscription(ctx, { url: `${url}/named` }, { as, headers: sandboxHeader }), [403]);
  }),

  // Holds the balance exclusively, as its neighbours in the list do.
  check('PERM-01.treasury-withdraw', ['seller', 'readOnly', 'treasuryWithdraw'], async (ctx) => {
    const as = ctx.credentials('readOnly');
    const extras = [{ as }, { as, requestId: ctx.createRequestId() }, { as, headers: sandboxHeader }];
    const { first: control, replay: again } = (await repeatedWithdrawal(ctx)) ?? (await sendReplayableWithdrawal(ctx));
    await expectNoWithdrawal(ctx, 'read-only', extras, (response) => {
      const isRejectedForAll = !isSuccess(control) && response.status === control.status && response.status !== 403;
      if (isRejectedForAll)
        notApplicable(`the server rejects the withdrawal for every key: ${describeResponse(control)}`);
      expectRejected(ctx, response, [403]);
    });
    // A server may skip the permission check for very small amounts.
    if (
      (await smallWithdrawal(ctx)) ||
      isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, smallWithdrawalAmount(ctx)))
    )
      expectRejected(
        ctx,
        await sendTreasuryRequest(ctx, 'treasuryWithdraw', { as }, smallWithdrawalAmount(ctx)),
        [403],
      );
    // A read-only key must not receive the stored response of another key of the organization.
    if (!isSuccess(control)) return;
    expectRejected(ctx, await again(ctx, { as }), [403]);
  }),

  check('PERM-01.other-paths', ['connection', 'readOnly'], async (ctx) =>
    expectUndeclaredCreationsRejected(ctx, await creationsAtOtherPaths(ctx)),
  ),

  check('PERM-01.rewritten', ['connection', 'readOnly'], (ctx) =>
    expectUndeclaredCreationsRejected(ctx, AMBIGUOUS_CREATIONS),
  ),

  check(
    'PERM-01.submit-other-paths',
    ['connection', 'readOnly', ...needsToReach(stateOffering('submit')), 'submit'],
    async (ctx) => {
      await runActionControl(ctx, 'submit');
      await withSharedInvoice(ctx, stateOffering('submit'), (invoice) =>
        expectNoEffectByDetours(ctx, invoice, ctx.credentials('readOnly'), SUBMISSION_DETOURS),
      );
    },
  ),

  noNotificationCheck('PERM-01.webhook-no-notification', 'permission', 'readOnly'),

  check('PERM-03.replayed', ['connection', 'submit', 'readOnly'], async (ctx) => {
    const { replay: again } = await replayedSubmission(ctx);
    expectRejected(ctx, await again(ctx, { as: ctx.credentials('readOnly') }), [403]);
  }),
];
