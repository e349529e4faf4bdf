import { environmentHeader } from '../../helpers/api/environment-header.ts';
import { type ListQuery, listInvoices, postInvoice, readInvoice, sendAction } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { forEachReplay } from '../../helpers/authentication/rejected-replays.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { createUntouchedInvoices } from '../../helpers/controls/untouched-group.ts';
import { expectCreationRejected } from '../../helpers/creation/rejected-creation.ts';
import { headerForOtherKeysCheck, LIST_QUERIES } from '../../helpers/environments/header-checks.ts';
import { isUndeployed } from '../../helpers/environments/production.ts';
import { expectKeyStillValid, resetSandboxOnce, sendInvalidReset } from '../../helpers/environments/sandbox-reset.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { createOriginal } from '../../helpers/idempotency/replay.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, type Invoice, needsToReach, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';
import { expectNoWithdrawal } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { noNotificationCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { acceptedSubscriptionUrl, trySubscription } from '../../helpers/webhooks/subscriptions.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const UNKNOWN_ENVIRONMENT_CODE = 'GW_UNKNOWN_ENVIRONMENT';

function unknownEnvironmentListCheck(
  id: CheckId,
  values: readonly string[],
  queries: readonly ListQuery[] = [{}],
): Check {
  return check(id, ['seller'], async (ctx) => {
    const requests = queries.flatMap((query) =>
      values.map((value) => listInvoices(ctx, query, { headers: environmentHeader(value) })),
    );
    for (const response of await Promise.all(requests)) expectRejected(ctx, response, [400], UNKNOWN_ENVIRONMENT_CODE);
    if (!ctx.target.actors.production) return;
    const [value = ''] = values;
    const response = await listInvoices(
      ctx,
      {},
      { as: ctx.credentials('production'), headers: environmentHeader(value) },
    );
    if (!isUndeployed(response)) expectRejected(ctx, response, [400], UNKNOWN_ENVIRONMENT_CODE);
  });
}

/** Sends an action that the invoice's state offers. The only defect is the named environment. */
async function expectEnvironmentRejected(
  ctx: CheckContext,
  value: string,
  action: InvoiceAction,
  invoice: Invoice,
  rule: (response: ApiResponse) => void,
): Promise<void> {
  const { record: before } = await findSettledInvoice(ctx, invoice);
  const as = ctx.credentials(partyFor(ctx, action));
  const response = await sendAction(ctx, action, invoice.id, { as, headers: environmentHeader(value) });
  rule(response);
  await expectInvoiceUnchanged(ctx, invoice, before, response);
}

function unknownEnvironmentActionCheck(id: CheckId, action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(id, ['connection', ...needsToReach(state), action], async (ctx) => {
    if (!(await runActionControl(ctx, action))) notApplicable(`no invoice was ever in state ${state}`);
    // Untouched invoices show whether this server changes states spontaneously.
    await createUntouchedInvoices(ctx);
    await withSharedInvoice(ctx, state, (invoice) =>
      expectEnvironmentRejected(ctx, 'STAGING', action, invoice, (response) =>
        expectRejected(ctx, response, [400], UNKNOWN_ENVIRONMENT_CODE),
      ),
    );
  });
}

export const unknownValueChecks: readonly Check[] = [
  unknownEnvironmentListCheck('ENV-01.list', ['STAGING'], LIST_QUERIES),

  unknownEnvironmentListCheck('ENV-01.lower-case', ['sandbox', 'Sandbox']),

  unknownEnvironmentListCheck('ENV-01.abbreviation', ['PROD', 'SAND']),

  unknownEnvironmentListCheck('ENV-01.extended', ['SANDBOX2', 'XSANDBOX', '"SANDBOX"']),

  // The last two are properties that every JavaScript object has.
  unknownEnvironmentListCheck('ENV-01.placeholder', [
    'undefined',
    'null',
    'none',
    '0',
    '1',
    'TEST',
    'production',
    'toString',
    'constructor',
  ]),

  unknownEnvironmentListCheck('ENV-01.both', ['SANDBOX PRODUCTION', 'SANDBOX,PRODUCTION']),

  check('ENV-01.create', ['connection'], async (ctx) => {
    for (const value of ['STAGING', 'sandbox']) {
      const extra = { headers: environmentHeader(value) };
      await expectCreationRejected(ctx, {
        addDefect: (valid) => valid,
        statuses: [400],
        code: UNKNOWN_ENVIRONMENT_CODE,
        extra,
      });
    }
    // The environment is also validated for a replay.
    const { body } = await createOriginal(ctx);
    expectRejected(
      ctx,
      await postInvoice(ctx, body, { headers: environmentHeader('STAGING') }),
      [400],
      UNKNOWN_ENVIRONMENT_CODE,
    );
  }),

  check('ENV-01.webhook-create', ['seller'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    expectRejected(
      ctx,
      await trySubscription(ctx, { url }, { headers: environmentHeader('STAGING') }),
      [400],
      UNKNOWN_ENVIRONMENT_CODE,
    );
  }),

  check('ENV-01.read', ['connection', 'read'], async (ctx) => {
    const { id } = await createInvoice(ctx);
    expectRejected(
      ctx,
      await readInvoice(ctx, id, { headers: environmentHeader('STAGING') }),
      [400],
      UNKNOWN_ENVIRONMENT_CODE,
    );
  }),

  unknownEnvironmentActionCheck('ENV-01.cancel', 'cancel'),

  unknownEnvironmentActionCheck('ENV-01.submit', 'submit'),

  unknownEnvironmentActionCheck('ENV-01.delete', 'delete'),

  unknownEnvironmentActionCheck('ENV-01.approve', 'approve'),

  unknownEnvironmentActionCheck('ENV-01.dispute', 'dispute'),

  unknownEnvironmentActionCheck('ENV-01.settle', 'settle'),

  unknownEnvironmentActionCheck('ENV-01.resolve', 'resolve'),

  check('ENV-01.treasury-balance', ['seller', 'treasuryBalance'], async (ctx) => {
    const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { headers: environmentHeader('STAGING') });
    // The contract does not list key permissions, or say whether permission is checked first.
    if (response.status === 403) blockIfForbidden(await sendTreasuryRequest(ctx, 'treasuryBalance'));
    expectRejected(ctx, response, [400], UNKNOWN_ENVIRONMENT_CODE);
  }),

  check('ENV-01.treasury-withdraw', ['seller', 'treasuryWithdraw'], async (ctx) => {
    const extras = [{ headers: environmentHeader('STAGING') }];
    await expectNoWithdrawal(ctx, 'unknown environment', extras, async (response) => {
      if (response.status === 403) blockIfForbidden(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '0.01'));
      expectRejected(ctx, response, [400], UNKNOWN_ENVIRONMENT_CODE);
    });
  }),

  checkInPhase('reset', 'ENV-01.reset', ['reset', 'seller'], async (ctx) => {
    const { answers: responses, after } = await sendInvalidReset(ctx, 'environment');
    // The contract does not say which key may reset, or whether permission is checked first.
    if (responses.some(({ status }) => status === 403)) blockIfForbidden((await resetSandboxOnce(ctx)).response);
    for (const response of responses) expectRejected(ctx, response, [400], UNKNOWN_ENVIRONMENT_CODE);
    expectKeyStillValid(ctx, after);
  }),

  headerForOtherKeysCheck('ENV-01.every-key', environmentHeader('STAGING'), (ctx, response) =>
    expectRejected(ctx, response, [400], 'GW_UNKNOWN_ENVIRONMENT'),
  ),

  check('ENV-01.replayed', ['connection', 'submit'], (ctx) =>
    forEachReplay(ctx, [{ headers: environmentHeader('STAGING') }], (response) =>
      expectRejected(ctx, response, [400], 'GW_UNKNOWN_ENVIRONMENT'),
    ),
  ),

  noNotificationCheck('ENV-01.webhook-no-notification', 'environment'),
];
