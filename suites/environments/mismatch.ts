import { performable } from '../../helpers/adaptation/performable-actions.ts';
import { environment, NOBODY, namesInSandboxOnly, ownEnvironment } from '../../helpers/api/environment-header.ts';
import type { ActExtra, Extra } from '../../helpers/api/operations.ts';
import { act, binding, list, postInvoice, readInvoice, treasury } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectRefused } from '../../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { creationWorks } from '../../helpers/controls/controls.ts';
import { expectNothingCameOf } from '../../helpers/creation/rejected-creation.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import type { Use } from '../../helpers/data/withdrawal-amounts.ts';
import { ownSum } from '../../helpers/data/withdrawal-amounts.ts';
import { expectMismatch, expectProductionMismatch, MISMATCH } from '../../helpers/environments/environment-mismatch.ts';
import { headerForOtherKeysCheck, LIST_QUERIES, NAMING_PRODUCTION } from '../../helpers/environments/header-checks.ts';
import { isUndeployed } from '../../helpers/environments/production.ts';
import { expectNoneChangesByProduction } from '../../helpers/environments/production-actions.ts';
import {
  createInProduction,
  expectNoneInProduction,
  listedInProduction,
  productionCreationWorks,
} from '../../helpers/environments/production-invoices.ts';
import { badReset, expectStillLive, resetOnce } from '../../helpers/environments/sandbox-reset.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { freshInvoice, invoiceOf, whereReachable } from '../../helpers/invoices/invoices.ts';
import { expectNoneMoves } from '../../helpers/lifecycle/rejected-for-all.ts';
import { amountsOf, placeLoweredBy } from '../../helpers/treasury/balances/balance.ts';
import { mayAskForFunds, productionFunds } from '../../helpers/treasury/balances/production-balance.ts';
import { expectNothingPaid } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { acceptedSubscription, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

/** Only where the balance is a GET or production may be written to: the header or the key names production. */
function mismatchOnBalance(id: CheckId, actor: 'seller' | 'production', named: string): Check {
  return check(id, [actor, 'treasuryBalance'], async (lab) => {
    const { method } = binding(lab, 'treasuryBalance');
    if (!mayAskForFunds(lab)) notApplicable(`the balance is a ${method} here, and allow.productionWrites is not true`);
    const as = lab.who(actor);
    const answer = await treasury(lab, 'treasuryBalance', { as, headers: environment(named) });
    const otherwise = answer.status === 403 && bodyMember(answer, 'code') !== MISMATCH;
    if (otherwise) expectPermitted(await treasury(lab, 'treasuryBalance', { as }));
    await (actor === 'production' ? expectProductionMismatch : expectMismatch)(lab, answer);
  });
}

/** Every action, where its state offers it, with nothing wrong but that it names production. */
async function expectMismatchOnActions(lab: Lab): Promise<void> {
  // By an id that is counted, production may hold another invoice; without its id in the path, the path is not about it.
  const mayTry = async (action: InvoiceAction, id: string) => namesInSandboxOnly(binding(lab, action).path, id);
  const tried = await expectNoneMoves(lab, performable(lab), mayTry, async ({ action, id }) => {
    const answer = await act(lab, action, id, { as: lab.who(partyFor(lab, action)), ...NAMING_PRODUCTION });
    expectMismatch(lab, answer);
    return answer;
  });
  if (!tried) notApplicable('there is no action on an invoice whose id only the sandbox can hold');
}

type Judge = (answer: ApiResponse) => void | Promise<void>;

/** A creation with nothing wrong but the environment it names is refused for it, and comes to nothing in either environment. */
async function expectCreationMismatch(lab: Lab, extra: Extra, judge: Judge): Promise<void> {
  await creationWorks(lab);
  await expectNothingCameOf(lab, null, async () => {
    const body = validBody(lab);
    const answer = await postInvoice(lab, body, extra);
    const astray = isSuccess(answer) && !(await listedInProduction(lab, body));
    if (astray) await whereReachable(() => invoiceOf(lab, body, answer));
    await expectNoneInProduction(lab, body, answer);
    await judge(answer);
    return { refusals: [answer], bodies: [body] };
  });
}

/** A withdrawal with nothing wrong but the environment it names is refused for it, and lowers the balance of neither environment. */
async function expectWithdrawalMismatch(lab: Lab, use: Use, extra: ActExtra, judge: Judge): Promise<void> {
  const [before] = mayAskForFunds(lab) ? await whereReachable(() => productionFunds(lab)) : [];
  await expectNothingPaid(lab, use, [extra], judge);
  if (!before) return;
  const { cents, text } = ownSum(lab, use);
  const once = { least: 1, most: 1, as: lab.who('production') };
  // What the look at the sandbox has waited for has shown here, too.
  const lowered = await placeLoweredBy(lab, amountsOf(before), cents, 0, once);
  if (lowered) throw breach(lab, lowered.answer, 'no withdrawal', `${lowered.place} of production fell by ${text}`);
}

const isOtherRefusal = (answer: ApiResponse) => answer.status === 403 && bodyMember(answer, 'code') !== MISMATCH;

/** Whether the production key gets 403 for the same action on its own invoice, too: what a key may do is not shown. */
async function lacksPermission(lab: Lab, action: InvoiceAction): Promise<boolean> {
  const { id } = await createInProduction(lab);
  return (await act(lab, action, id, { as: lab.who('production') })).status === 403;
}

export const mismatchChecks: readonly Check[] = [
  check('ENV-02.sandbox-key-list', ['seller'], async (lab) => {
    const headers = environment('PRODUCTION');
    const asked = LIST_QUERIES.map((query) => list(lab, query, { headers }));
    for (const answer of await Promise.all(asked)) expectMismatch(lab, answer);
  }),

  check('ENV-02.sandbox-key-read', ['connection', 'read'], async (lab) => {
    const { id } = await freshInvoice(lab);
    expectMismatch(lab, await readInvoice(lab, id, { headers: environment('PRODUCTION') }));
  }),

  check('ENV-02.sandbox-key-action', ['connection'], expectMismatchOnActions),

  check('ENV-02.sandbox-key-create', ['connection'], async (lab) => {
    // Nothing can come of it, whichever environment a server takes it to.
    const body = { ...validBody(lab), buyerId: NOBODY };
    const plain = await postInvoice(lab, body);
    if (plain.status !== 404) notApplicable(`an unknown buyer is answered with ${plain.status}; CONN-01 judges that`);
    expectMismatch(lab, await postInvoice(lab, body, { headers: environment('PRODUCTION') }));
  }),

  check('ENV-02.webhook-create', ['connection'], async (lab) => {
    const named = { headers: environment('PRODUCTION') };
    // In which order a server looks at a body and at the environment is not shown: it shows here.
    const creation = await postInvoice(lab, { ...validBody(lab), buyerId: NOBODY, amount: 42 }, named);
    if (bodyMember(creation, 'code') !== MISMATCH)
      notApplicable(`a creation is answered with ${creation.status} for its body first`);
    const url = { url: 42 };
    const plain = await subscribe(lab, url);
    if (plain.status !== 400) notApplicable(`a subscription without an address is answered with ${plain.status}`);
    expectMismatch(lab, await subscribe(lab, url, named));
  }),

  check('ENV-02.production-key-list', ['production'], async (lab) => {
    const extra = { as: lab.who('production'), headers: ownEnvironment };
    const asked = LIST_QUERIES.map((query) => list(lab, query, extra));
    for (const answer of await Promise.all(asked)) await expectProductionMismatch(lab, answer);
  }),

  check('ENV-02.production-key-read', ['connection', 'read', 'production'], async (lab) => {
    const { id } = await freshInvoice(lab);
    const extra = { as: lab.who('production'), headers: ownEnvironment };
    await expectProductionMismatch(lab, await readInvoice(lab, id, extra));
  }),

  mismatchOnBalance('ENV-02.sandbox-key-balance', 'seller', 'PRODUCTION'),

  mismatchOnBalance('ENV-02.production-key-balance', 'production', 'SANDBOX'),

  headerForOtherKeysCheck('ENV-02.every-key', environment('PRODUCTION'), (lab, answer) => {
    if (!isUndeployed(answer)) expectRefused(lab, answer, [403], 'GW_ENVIRONMENT_KEY_MISMATCH');
  }),

  check('ENV-02.sandbox-key-valid-create', ['connection', 'production', 'productionWrites'], async (lab) => {
    await expectCreationMismatch(lab, NAMING_PRODUCTION, (answer) => expectMismatch(lab, answer));
  }),

  check('ENV-02.sandbox-key-subscribe', ['seller', 'productionWrites'], async (lab) => {
    const url = await acceptedSubscription(lab);
    expectMismatch(lab, await subscribe(lab, { url }, NAMING_PRODUCTION));
  }),

  check(
    'ENV-02.sandbox-key-withdraw',
    ['seller', 'production', 'treasuryWithdraw', 'productionWrites'],
    async (lab) => {
      if (!isSuccess(await treasury(lab, 'treasuryWithdraw', {}, '0.01')))
        notApplicable('a withdrawal of 0.01 is refused');
      await expectWithdrawalMismatch(lab, 'production named', NAMING_PRODUCTION, (answer) =>
        expectMismatch(lab, answer),
      );
    },
  ),

  checkIn('reset', 'ENV-02.reset', ['reset', 'seller', 'productionWrites'], async (lab) => {
    const { answers, after } = await badReset(lab, 'mismatch');
    // Which key may reset is not shown, nor whether that is asked first.
    if (answers.some(isOtherRefusal)) expectPermitted((await resetOnce(lab)).answer);
    for (const answer of answers) expectMismatch(lab, answer);
    expectStillLive(lab, after);
  }),

  check(
    'ENV-02.production-key-writes',
    ['connection', 'production', 'boundOperations', 'productionWrites'],
    async (lab) => {
      await productionCreationWorks(lab);
      const extra = { as: lab.who('production'), headers: ownEnvironment };
      await expectCreationMismatch(lab, extra, (answer) => expectProductionMismatch(lab, answer));
      // Only the seller's actions: the key is the seller's.
      const sellers = performable(lab).filter((action) => partyFor(lab, action) === 'seller');
      await expectNoneChangesByProduction(lab, sellers, async ({ action, id }) => {
        const answer = await act(lab, action, id, extra);
        if (isOtherRefusal(answer) && (await lacksPermission(lab, action))) return null;
        await expectProductionMismatch(lab, answer);
        return answer;
      });
      if (!lab.target.operations.treasuryWithdraw) return;
      await expectWithdrawalMismatch(lab, 'sandbox named', extra, async (answer) => {
        // Whether this key may withdraw at all is not shown, and asking would move production's money.
        if (!isOtherRefusal(answer)) await expectProductionMismatch(lab, answer);
      });
    },
  ),
];
