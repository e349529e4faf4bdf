import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import {
  environmentHeader,
  isSandboxOnlyPath,
  NONEXISTENT_ORGANIZATION_ID,
  sandboxHeader,
} from '../../helpers/api/environment-header.ts';
import type { ActionOptions, RequestOptions } from '../../helpers/api/operations.ts';
import {
  listInvoices,
  postInvoice,
  readInvoice,
  requireBinding,
  sendAction,
  sendTreasuryRequest,
} from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectRejected } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { expectNothingCreatedBy } from '../../helpers/creation/rejected-creation.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import type { WithdrawalPurpose } from '../../helpers/data/withdrawal-amounts.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
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
import { acceptedSubscriptionUrl, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

/** Only where the balance is a GET or production may be written to: the header or the key names production. */
function balanceMismatchCheck(id: CheckId, actor: 'seller' | 'production', named: string): Check {
  return check(id, [actor, 'treasuryBalance'], async (ctx) => {
    const { method } = requireBinding(ctx, 'treasuryBalance');
    if (!mayReadProductionBalance(ctx))
      notApplicable(`the balance is a ${method} here, and allow.productionWrites is not true`);
    const as = ctx.credentials(actor);
    const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { as, headers: environmentHeader(named) });
    const otherwise = response.status === 403 && bodyMember(response, 'code') !== MISMATCH_CODE;
    if (otherwise) blockIfForbidden(await sendTreasuryRequest(ctx, 'treasuryBalance', { as }));
    await (actor === 'production' ? expectProductionMismatch : expectMismatch)(ctx, response);
  });
}

/** Every action, where its state offers it, with nothing wrong but that it names production. */
async function expectMismatchOnActions(ctx: CheckContext): Promise<void> {
  // By an id that is counted, production may hold another invoice; without its id in the path, the path is not about it.
  const mayTry = async (action: InvoiceAction, id: string) => isSandboxOnlyPath(requireBinding(ctx, action).path, id);
  const tried = await expectNoChangeInAnyState(ctx, performableActions(ctx), mayTry, async ({ action, id }) => {
    const response = await sendAction(ctx, action, id, {
      as: ctx.credentials(partyFor(ctx, action)),
      ...PRODUCTION_HEADER_OPTIONS,
    });
    expectMismatch(ctx, response);
    return response;
  });
  if (!tried) notApplicable('there is no action on an invoice whose id only the sandbox can hold');
}

type ResponseAssertion = (response: ApiResponse) => void | Promise<void>;

/** A creation with nothing wrong but the environment it names is refused for it, and comes to nothing in either environment. */
async function expectCreationMismatch(
  ctx: CheckContext,
  extra: RequestOptions,
  rule: ResponseAssertion,
): Promise<void> {
  await runCreationControl(ctx);
  await expectNothingCreatedBy(ctx, null, async () => {
    const body = validBody(ctx);
    const response = await postInvoice(ctx, body, extra);
    const astray = isSuccess(response) && !(await findListedInProduction(ctx, body));
    if (astray) await ifReachable(() => resolveCreatedInvoice(ctx, body, response));
    await expectNoProductionInvoice(ctx, body, response);
    await rule(response);
    return { refusals: [response], bodies: [body] };
  });
}

/** A withdrawal with nothing wrong but the environment it names is refused for it, and lowers the balance of neither environment. */
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
  // What the look at the sandbox has waited for has shown here, too.
  const lowered = await waitForLoweredAmount(ctx, centsByPlace(before), cents, 0, once);
  if (lowered) throw breach(ctx, lowered.response, 'no withdrawal', `${lowered.place} of production fell by ${text}`);
}

const isForbiddenForOtherReason = (response: ApiResponse) =>
  response.status === 403 && bodyMember(response, 'code') !== MISMATCH_CODE;

/** Whether the production key gets 403 for the same action on its own invoice, too: what a key may do is not shown. */
async function isActionForbidden(ctx: CheckContext, action: InvoiceAction): Promise<boolean> {
  const { id } = await createProductionInvoice(ctx);
  return (await sendAction(ctx, action, id, { as: ctx.credentials('production') })).status === 403;
}

export const mismatchChecks: readonly Check[] = [
  check('ENV-02.sandbox-key-list', ['seller'], async (ctx) => {
    const headers = environmentHeader('PRODUCTION');
    const asked = LIST_QUERIES.map((query) => listInvoices(ctx, query, { headers }));
    for (const response of await Promise.all(asked)) expectMismatch(ctx, response);
  }),

  check('ENV-02.sandbox-key-read', ['connection', 'read'], async (ctx) => {
    const { id } = await createInvoice(ctx);
    expectMismatch(ctx, await readInvoice(ctx, id, { headers: environmentHeader('PRODUCTION') }));
  }),

  check('ENV-02.sandbox-key-action', ['connection'], expectMismatchOnActions),

  check('ENV-02.sandbox-key-create', ['connection'], async (ctx) => {
    // Nothing can come of it, whichever environment a server takes it to.
    const body = { ...validBody(ctx), buyerId: NONEXISTENT_ORGANIZATION_ID };
    const plain = await postInvoice(ctx, body);
    if (plain.status !== 404) notApplicable(`an unknown buyer is answered with ${plain.status}; CONN-01 judges that`);
    expectMismatch(ctx, await postInvoice(ctx, body, { headers: environmentHeader('PRODUCTION') }));
  }),

  check('ENV-02.webhook-create', ['connection'], async (ctx) => {
    const named = { headers: environmentHeader('PRODUCTION') };
    // In which order a server looks at a body and at the environment is not shown: it shows here.
    const creation = await postInvoice(
      ctx,
      { ...validBody(ctx), buyerId: NONEXISTENT_ORGANIZATION_ID, amount: 42 },
      named,
    );
    if (bodyMember(creation, 'code') !== MISMATCH_CODE)
      notApplicable(`a creation is answered with ${creation.status} for its body first`);
    const url = { url: 42 };
    const plain = await subscribe(ctx, url);
    if (plain.status !== 400) notApplicable(`a subscription without an address is answered with ${plain.status}`);
    expectMismatch(ctx, await subscribe(ctx, url, named));
  }),

  check('ENV-02.production-key-list', ['production'], async (ctx) => {
    const extra = { as: ctx.credentials('production'), headers: sandboxHeader };
    const asked = LIST_QUERIES.map((query) => listInvoices(ctx, query, extra));
    for (const response of await Promise.all(asked)) await expectProductionMismatch(ctx, response);
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
    expectMismatch(ctx, await subscribe(ctx, { url }, PRODUCTION_HEADER_OPTIONS));
  }),

  check(
    'ENV-02.sandbox-key-withdraw',
    ['seller', 'production', 'treasuryWithdraw', 'productionWrites'],
    async (ctx) => {
      if (!isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '0.01')))
        notApplicable('a withdrawal of 0.01 is refused');
      await expectWithdrawalMismatch(ctx, 'production named', PRODUCTION_HEADER_OPTIONS, (response) =>
        expectMismatch(ctx, response),
      );
    },
  ),

  checkInPhase('reset', 'ENV-02.reset', ['reset', 'seller', 'productionWrites'], async (ctx) => {
    const { answers: responses, after } = await sendInvalidReset(ctx, 'mismatch');
    // Which key may reset is not shown, nor whether that is asked first.
    if (responses.some(isForbiddenForOtherReason)) blockIfForbidden((await resetSandboxOnce(ctx)).answer);
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
      // Only the seller's actions: the key is the seller's.
      const sellers = performableActions(ctx).filter((action) => partyFor(ctx, action) === 'seller');
      await expectNoChangeByProduction(ctx, sellers, async ({ action, id }) => {
        const response = await sendAction(ctx, action, id, extra);
        if (isForbiddenForOtherReason(response) && (await isActionForbidden(ctx, action))) return null;
        await expectProductionMismatch(ctx, response);
        return response;
      });
      if (!ctx.target.operations.treasuryWithdraw) return;
      await expectWithdrawalMismatch(ctx, 'sandbox named', extra, async (response) => {
        // Whether this key may withdraw at all is not shown, and asking would move production's money.
        if (!isForbiddenForOtherReason(response)) await expectProductionMismatch(ctx, response);
      });
    },
  ),
];
