import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import {
  environmentHeader,
  isSandboxOnlyBody,
  isSandboxOnlyPath,
  NONEXISTENT_ORGANIZATION_ID,
  sandboxHeader,
} from '../../helpers/api/environment-header.ts';
import { listInvoices, postInvoice, readInvoice, sendAction } from '../../helpers/api/operations.ts';
import { type ActionOptions, type RequestOptions, requireBinding } from '../../helpers/api/requests.ts';
import { type ApiResponse, bodyMember, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { breach, expectRejected } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { expectNothingCreatedBy } from '../../helpers/creation/rejected-creation.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { type WithdrawalPurpose, withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import {
  expectMismatch,
  expectProductionMismatch,
  MISMATCH_CODE,
} from '../../helpers/environments/environment-mismatch.ts';
import {
  headerForOtherKeysCheck,
  LIST_QUERIES,
  PRODUCTION_HEADER_OPTIONS,
} from '../../helpers/environments/header-checks.ts';
import { isUndeployed } from '../../helpers/environments/production.ts';
import { expectNoChangeByProduction } from '../../helpers/environments/production-actions.ts';
import {
  blockUnlessProductionCreates,
  createProductionInvoice,
  expectNoProductionInvoice,
  findListedInProduction,
} from '../../helpers/environments/production-invoices.ts';
import { expectKeyStillValid, resetSandboxOnce, sendInvalidReset } from '../../helpers/environments/sandbox-reset.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { createInvoice, ifReachable, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { expectNoChangeInAnyState } from '../../helpers/lifecycle/unauthorized-actions.ts';
import { centsByPlace, waitForLoweredAmount } from '../../helpers/treasury/balances/balance.ts';
import { mayReadProductionBalance, readProductionBalance } from '../../helpers/treasury/balances/production-balance.ts';
import { expectNoWithdrawal } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { acceptedSubscriptionUrl, subscribe, trySubscription } from '../../helpers/webhooks/subscriptions.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Runs only if the balance is a GET or production writes are allowed, because the header or the key names production. */
function balanceMismatchCheck(id: CheckId, actor: 'seller' | 'production', named: string): Check {
  return check(id, [actor, 'treasuryBalance'], async (ctx) => {
    const { method } = requireBinding(ctx, 'treasuryBalance');
    if (!mayReadProductionBalance(ctx))
      notApplicable(`the target file binds treasuryBalance to ${method}, and allow.productionWrites is not true`);
    const as = ctx.credentials(actor);
    const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { as, headers: environmentHeader(named) });
    const otherwise = response.status === 403 && bodyMember(response, 'code') !== MISMATCH_CODE;
    if (otherwise) blockIfForbidden(await sendTreasuryRequest(ctx, 'treasuryBalance', { as }));
    await (actor === 'production' ? expectProductionMismatch : expectMismatch)(ctx, response);
  });
}

/**
 * Sends every action in a state that offers it. The only defect is X-Environment: PRODUCTION. False if no action can
 * be sent.
 */
async function expectMismatchOnActions(ctx: CheckContext): Promise<boolean> {
  // With sequential ids, production may hold another invoice of the same id, so only requests that name a sandbox-only one are safe.
  const mayTry = async (action: InvoiceAction, id: string) => {
    const template = requireBinding(ctx, action);
    const mayName = ctx.target.allow.productionWrites && isSandboxOnlyBody(template, id);
    return mayName || isSandboxOnlyPath(template.path, id);
  };
  return await expectNoChangeInAnyState(ctx, performableActions(ctx), mayTry, async ({ action, id }) => {
    const response = await sendAction(ctx, action, id, {
      as: ctx.credentials(partyFor(ctx, action)),
      ...PRODUCTION_HEADER_OPTIONS,
    });
    expectMismatch(ctx, response);
    return response;
  });
}

type ResponseAssertion = (response: ApiResponse) => void | Promise<void>;

/** A creation whose only defect is the named environment is rejected and creates nothing in either environment. */
async function expectCreationMismatch(
  ctx: CheckContext,
  extra: RequestOptions,
  rule: ResponseAssertion,
): Promise<void> {
  await runCreationControl(ctx);
  await expectNothingCreatedBy(ctx, null, async () => {
    const body = validBody(ctx);
    const response = await postInvoice(ctx, body, extra);
    const isElsewhere = isSuccess(response) && !(await findListedInProduction(ctx, body));
    if (isElsewhere) await ifReachable(() => resolveCreatedInvoice(ctx, body, response));
    await expectNoProductionInvoice(ctx, body, response);
    await rule(response);
    return { rejections: [response], bodies: [body] };
  });
}

/** A withdrawal whose only defect is the named environment is rejected and lowers neither environment's balance. */
async function expectWithdrawalMismatch(
  ctx: CheckContext,
  use: WithdrawalPurpose,
  extra: ActionOptions,
  rule: ResponseAssertion,
): Promise<void> {
  const [before] = mayReadProductionBalance(ctx) ? await ifReachable(() => readProductionBalance(ctx)) : [];
  await expectNoWithdrawal(ctx, use, [extra], rule);
  if (!before) return;
  const { cents, text } = withdrawalAmountFor(ctx, use);
  const once = { least: 1, most: 1, as: ctx.credentials('production') };
  // expectNoWithdrawal has already waited for delayed effects, so one read is enough.
  const lowered = await waitForLoweredAmount(ctx, centsByPlace(before), cents, 0, once);
  if (lowered) throw breach(ctx, lowered.response, 'no withdrawal', `${lowered.place} of production fell by ${text}`);
}

const isForbiddenForOtherReason = (response: ApiResponse) =>
  response.status === 403 && bodyMember(response, 'code') !== MISMATCH_CODE;

/** Whether the production key also gets 403 for the action on its own invoice. The contract does not list key permissions. */
async function isActionForbidden(ctx: CheckContext, action: InvoiceAction): Promise<boolean> {
  const { id } = await createProductionInvoice(ctx);
  return (await sendAction(ctx, action, id, { as: ctx.credentials('production') })).status === 403;
}

export const mismatchChecks: readonly Check[] = [
  check('ENV-02.sandbox-key-list', ['seller'], async (ctx) => {
    const headers = environmentHeader('PRODUCTION');
    const requests = LIST_QUERIES.map((query) => listInvoices(ctx, query, { headers }));
    for (const response of await Promise.all(requests)) expectMismatch(ctx, response);
  }),

  check('ENV-02.sandbox-key-read', ['connection', 'read'], async (ctx) => {
    const { id } = await createInvoice(ctx);
    expectMismatch(ctx, await readInvoice(ctx, id, { headers: environmentHeader('PRODUCTION') }));
  }),

  check('ENV-02.sandbox-key-action', ['connection'], async (ctx) => {
    if (!(await expectMismatchOnActions(ctx)))
      notApplicable('no action can be tried safely, because production may have an invoice with the same id');
  }),

  check('ENV-02.sandbox-key-create', ['connection'], async (ctx) => {
    // The unknown buyer prevents a creation in either environment.
    const body = { ...validBody(ctx), buyerId: NONEXISTENT_ORGANIZATION_ID };
    const plain = await postInvoice(ctx, body);
    if (plain.status !== 404)
      notApplicable(`the server returned ${plain.status}, not 404, to a creation with an unknown buyer`, {
        judgedBy: 'CONN-01.unknown',
      });
    expectMismatch(ctx, await postInvoice(ctx, body, { headers: environmentHeader('PRODUCTION') }));
  }),

  check('ENV-02.webhook-create', ['connection'], async (ctx) => {
    const named = { headers: environmentHeader('PRODUCTION') };
    // The contract does not say whether the body or the environment is validated first, so this request finds out.
    const creation = await postInvoice(
      ctx,
      { ...validBody(ctx), buyerId: NONEXISTENT_ORGANIZATION_ID, amount: 42 },
      named,
    );
    if (bodyMember(creation, 'code') !== MISMATCH_CODE)
      notApplicable(
        `the server validates the body before the environment: an invalid creation returns ${creation.status}`,
      );
    const url = { url: 42 };
    const plain = await subscribe(ctx, url);
    if (plain.status !== 400) notApplicable(`a subscription with an invalid url returns ${plain.status}, not 400`);
    expectMismatch(ctx, await trySubscription(ctx, url, named));
  }),

  check('ENV-02.production-key-list', ['production'], async (ctx) => {
    const extra = { as: ctx.credentials('production'), headers: sandboxHeader };
    const requests = LIST_QUERIES.map((query) => listInvoices(ctx, query, extra));
    for (const response of await Promise.all(requests)) await expectProductionMismatch(ctx, response);
  }),

  check('ENV-02.production-key-read', ['connection', 'read', 'production'], async (ctx) => {
    const { id } = await createInvoice(ctx);
    const extra = { as: ctx.credentials('production'), headers: sandboxHeader };
    await expectProductionMismatch(ctx, await readInvoice(ctx, id, extra));
  }),

  balanceMismatchCheck('ENV-02.sandbox-key-balance', 'seller', 'PRODUCTION'),

  balanceMismatchCheck('ENV-02.production-key-balance', 'production', 'SANDBOX'),

  headerForOtherKeysCheck('ENV-02.every-key', environmentHeader('PRODUCTION'), (ctx, response) => {
    if (!isUndeployed(response)) expectRejected(ctx, response, [403], 'GW_ENVIRONMENT_KEY_MISMATCH');
  }),

  check('ENV-02.sandbox-key-valid-create', ['connection', 'production', 'productionWrites'], async (ctx) => {
    await expectCreationMismatch(ctx, PRODUCTION_HEADER_OPTIONS, (response) => expectMismatch(ctx, response));
  }),

  check('ENV-02.sandbox-key-subscribe', ['seller', 'productionWrites'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    expectMismatch(ctx, await trySubscription(ctx, { url }, PRODUCTION_HEADER_OPTIONS));
  }),

  check(
    'ENV-02.sandbox-key-withdraw',
    ['seller', 'production', 'treasuryWithdraw', 'productionWrites'],
    async (ctx) => {
      if (!isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '0.01')))
        notApplicable('the server rejects a withdrawal of 0.01');
      await expectWithdrawalMismatch(ctx, 'production named', PRODUCTION_HEADER_OPTIONS, (response) =>
        expectMismatch(ctx, response),
      );
    },
  ),

  checkInPhase('reset', 'ENV-02.reset', ['reset', 'seller', 'productionWrites'], async (ctx) => {
    const { answers: responses, after } = await sendInvalidReset(ctx, 'mismatch');
    // The contract does not say which key may reset, or whether permission is checked first.
    if (responses.some(isForbiddenForOtherReason)) blockIfForbidden((await resetSandboxOnce(ctx)).response);
    for (const response of responses) expectMismatch(ctx, response);
    expectKeyStillValid(ctx, after);
  }),

  check(
    'ENV-02.production-key-writes',
    ['connection', 'production', 'boundOperations', 'productionWrites'],
    async (ctx) => {
      await blockUnlessProductionCreates(ctx);
      const extra = { as: ctx.credentials('production'), headers: sandboxHeader };
      await expectCreationMismatch(ctx, extra, (response) => expectProductionMismatch(ctx, response));
      if (ctx.target.operations.treasuryWithdraw)
        await expectWithdrawalMismatch(ctx, 'sandbox named', extra, async (response) => {
          // The contract does not say whether this key may withdraw, and a control would move production money.
          if (!isForbiddenForOtherReason(response)) await expectProductionMismatch(ctx, response);
        });
      // The production key belongs to the seller.
      const sellers = performableActions(ctx).filter((action) => partyFor(ctx, action) === 'seller');
      await expectNoChangeByProduction(ctx, sellers, async ({ action, id }) => {
        const response = await sendAction(ctx, action, id, extra);
        if (isForbiddenForOtherReason(response) && (await isActionForbidden(ctx, action))) return null;
        await expectProductionMismatch(ctx, response);
        return response;
      });
    },
  ),
];
