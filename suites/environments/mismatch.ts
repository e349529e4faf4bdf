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
import { runCreationControl } from '../../helpers/controls/controls.ts';
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
import { expectNoChangeInAnyState } from '../../helpers/lifecycle/rejected-for-all.ts';
import { centsByPlace, waitForLoweredAmount } from '../../helpers/treasury/balances/balance.ts';
import { mayReadProductionBalance, readProductionBalance } from '../../helpers/treasury/balances/production-balance.ts';
import { expectNoWithdrawal } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { acceptedSubscriptionUrl, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

/** Only where the balance is a GET or production may be written to: the header or the key names production. */
function balanceMismatchCheck(id: CheckId, actor: 'seller' | 'production', named: string): Check {
  return check(id, [actor, 'treasuryBalance'], async (lab) => {
    const { method } = requireBinding(lab, 'treasuryBalance');
    if (!mayReadProductionBalance(lab))
      notApplicable(`the balance is a ${method} here, and allow.productionWrites is not true`);
    const as = lab.credentials(actor);
    const answer = await sendTreasuryRequest(lab, 'treasuryBalance', { as, headers: environmentHeader(named) });
    const otherwise = answer.status === 403 && bodyMember(answer, 'code') !== MISMATCH_CODE;
    if (otherwise) blockIfForbidden(await sendTreasuryRequest(lab, 'treasuryBalance', { as }));
    await (actor === 'production' ? expectProductionMismatch : expectMismatch)(lab, answer);
  });
}

/** Every action, where its state offers it, with nothing wrong but that it names production. */
async function expectMismatchOnActions(lab: CheckContext): Promise<void> {
  // By an id that is counted, production may hold another invoice; without its id in the path, the path is not about it.
  const mayTry = async (action: InvoiceAction, id: string) => isSandboxOnlyPath(requireBinding(lab, action).path, id);
  const tried = await expectNoChangeInAnyState(lab, performableActions(lab), mayTry, async ({ action, id }) => {
    const answer = await sendAction(lab, action, id, {
      as: lab.credentials(partyFor(lab, action)),
      ...PRODUCTION_HEADER_OPTIONS,
    });
    expectMismatch(lab, answer);
    return answer;
  });
  if (!tried) notApplicable('there is no action on an invoice whose id only the sandbox can hold');
}

type ResponseAssertion = (answer: ApiResponse) => void | Promise<void>;

/** A creation with nothing wrong but the environment it names is refused for it, and comes to nothing in either environment. */
async function expectCreationMismatch(
  lab: CheckContext,
  extra: RequestOptions,
  judge: ResponseAssertion,
): Promise<void> {
  await runCreationControl(lab);
  await expectNothingCreatedBy(lab, null, async () => {
    const body = validBody(lab);
    const answer = await postInvoice(lab, body, extra);
    const astray = isSuccess(answer) && !(await findListedInProduction(lab, body));
    if (astray) await ifReachable(() => resolveCreatedInvoice(lab, body, answer));
    await expectNoProductionInvoice(lab, body, answer);
    await judge(answer);
    return { refusals: [answer], bodies: [body] };
  });
}

/** A withdrawal with nothing wrong but the environment it names is refused for it, and lowers the balance of neither environment. */
async function expectWithdrawalMismatch(
  lab: CheckContext,
  use: WithdrawalPurpose,
  extra: ActionOptions,
  judge: ResponseAssertion,
): Promise<void> {
  const [before] = mayReadProductionBalance(lab) ? await ifReachable(() => readProductionBalance(lab)) : [];
  await expectNoWithdrawal(lab, use, [extra], judge);
  if (!before) return;
  const { cents, text } = withdrawalAmountFor(lab, use);
  const once = { least: 1, most: 1, as: lab.credentials('production') };
  // What the look at the sandbox has waited for has shown here, too.
  const lowered = await waitForLoweredAmount(lab, centsByPlace(before), cents, 0, once);
  if (lowered) throw breach(lab, lowered.response, 'no withdrawal', `${lowered.place} of production fell by ${text}`);
}

const isForbiddenForOtherReason = (answer: ApiResponse) =>
  answer.status === 403 && bodyMember(answer, 'code') !== MISMATCH_CODE;

/** Whether the production key gets 403 for the same action on its own invoice, too: what a key may do is not shown. */
async function isActionForbidden(lab: CheckContext, action: InvoiceAction): Promise<boolean> {
  const { id } = await createProductionInvoice(lab);
  return (await sendAction(lab, action, id, { as: lab.credentials('production') })).status === 403;
}

export const mismatchChecks: readonly Check[] = [
  check('ENV-02.sandbox-key-list', ['seller'], async (lab) => {
    const headers = environmentHeader('PRODUCTION');
    const asked = LIST_QUERIES.map((query) => listInvoices(lab, query, { headers }));
    for (const answer of await Promise.all(asked)) expectMismatch(lab, answer);
  }),

  check('ENV-02.sandbox-key-read', ['connection', 'read'], async (lab) => {
    const { id } = await createInvoice(lab);
    expectMismatch(lab, await readInvoice(lab, id, { headers: environmentHeader('PRODUCTION') }));
  }),

  check('ENV-02.sandbox-key-action', ['connection'], expectMismatchOnActions),

  check('ENV-02.sandbox-key-create', ['connection'], async (lab) => {
    // Nothing can come of it, whichever environment a server takes it to.
    const body = { ...validBody(lab), buyerId: NONEXISTENT_ORGANIZATION_ID };
    const plain = await postInvoice(lab, body);
    if (plain.status !== 404) notApplicable(`an unknown buyer is answered with ${plain.status}; CONN-01 judges that`);
    expectMismatch(lab, await postInvoice(lab, body, { headers: environmentHeader('PRODUCTION') }));
  }),

  check('ENV-02.webhook-create', ['connection'], async (lab) => {
    const named = { headers: environmentHeader('PRODUCTION') };
    // In which order a server looks at a body and at the environment is not shown: it shows here.
    const creation = await postInvoice(
      lab,
      { ...validBody(lab), buyerId: NONEXISTENT_ORGANIZATION_ID, amount: 42 },
      named,
    );
    if (bodyMember(creation, 'code') !== MISMATCH_CODE)
      notApplicable(`a creation is answered with ${creation.status} for its body first`);
    const url = { url: 42 };
    const plain = await subscribe(lab, url);
    if (plain.status !== 400) notApplicable(`a subscription without an address is answered with ${plain.status}`);
    expectMismatch(lab, await subscribe(lab, url, named));
  }),

  check('ENV-02.production-key-list', ['production'], async (lab) => {
    const extra = { as: lab.credentials('production'), headers: sandboxHeader };
    const asked = LIST_QUERIES.map((query) => listInvoices(lab, query, extra));
    for (const answer of await Promise.all(asked)) await expectProductionMismatch(lab, answer);
  }),

  check('ENV-02.production-key-read', ['connection', 'read', 'production'], async (lab) => {
    const { id } = await createInvoice(lab);
    const extra = { as: lab.credentials('production'), headers: sandboxHeader };
    await expectProductionMismatch(lab, await readInvoice(lab, id, extra));
  }),

  balanceMismatchCheck('ENV-02.sandbox-key-balance', 'seller', 'PRODUCTION'),

  balanceMismatchCheck('ENV-02.production-key-balance', 'production', 'SANDBOX'),

  headerForOtherKeysCheck('ENV-02.every-key', environmentHeader('PRODUCTION'), (lab, answer) => {
    if (!isUndeployed(answer)) expectRejected(lab, answer, [403], 'GW_ENVIRONMENT_KEY_MISMATCH');
  }),

  check('ENV-02.sandbox-key-valid-create', ['connection', 'production', 'productionWrites'], async (lab) => {
    await expectCreationMismatch(lab, PRODUCTION_HEADER_OPTIONS, (answer) => expectMismatch(lab, answer));
  }),

  check('ENV-02.sandbox-key-subscribe', ['seller', 'productionWrites'], async (lab) => {
    const url = await acceptedSubscriptionUrl(lab);
    expectMismatch(lab, await subscribe(lab, { url }, PRODUCTION_HEADER_OPTIONS));
  }),

  check(
    'ENV-02.sandbox-key-withdraw',
    ['seller', 'production', 'treasuryWithdraw', 'productionWrites'],
    async (lab) => {
      if (!isSuccess(await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, '0.01')))
        notApplicable('a withdrawal of 0.01 is refused');
      await expectWithdrawalMismatch(lab, 'production named', PRODUCTION_HEADER_OPTIONS, (answer) =>
        expectMismatch(lab, answer),
      );
    },
  ),

  checkInPhase('reset', 'ENV-02.reset', ['reset', 'seller', 'productionWrites'], async (lab) => {
    const { answers, after } = await sendInvalidReset(lab, 'mismatch');
    // Which key may reset is not shown, nor whether that is asked first.
    if (answers.some(isForbiddenForOtherReason)) blockIfForbidden((await resetSandboxOnce(lab)).answer);
    for (const answer of answers) expectMismatch(lab, answer);
    expectKeyStillValid(lab, after);
  }),

  check(
    'ENV-02.production-key-writes',
    ['connection', 'production', 'boundOperations', 'productionWrites'],
    async (lab) => {
      await blockUnlessProductionCreates(lab);
      const extra = { as: lab.credentials('production'), headers: sandboxHeader };
      await expectCreationMismatch(lab, extra, (answer) => expectProductionMismatch(lab, answer));
      // Only the seller's actions: the key is the seller's.
      const sellers = performableActions(lab).filter((action) => partyFor(lab, action) === 'seller');
      await expectNoChangeByProduction(lab, sellers, async ({ action, id }) => {
        const answer = await sendAction(lab, action, id, extra);
        if (isForbiddenForOtherReason(answer) && (await isActionForbidden(lab, action))) return null;
        await expectProductionMismatch(lab, answer);
        return answer;
      });
      if (!lab.target.operations.treasuryWithdraw) return;
      await expectWithdrawalMismatch(lab, 'sandbox named', extra, async (answer) => {
        // Whether this key may withdraw at all is not shown, and asking would move production's money.
        if (!isForbiddenForOtherReason(answer)) await expectProductionMismatch(lab, answer);
      });
    },
  ),
];
