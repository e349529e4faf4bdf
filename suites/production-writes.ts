import { performable } from '../helpers/adaptation/performable-actions.ts';
import { environment, ownEnvironment } from '../helpers/api/environment-header.ts';
import { type ActExtra, act, type Extra, postInvoice, treasury } from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import { type Answer, bodyMember, invoiceIn } from '../helpers/api/responses.ts';
import { breach, expectThat } from '../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../helpers/assert/not-judged.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { creationWorks } from '../helpers/controls/controls.ts';
import { expectStaysByItself } from '../helpers/controls/spontaneous-change.ts';
import { expectNothingCameOf } from '../helpers/creation/rejected-creation.ts';
import { validBody } from '../helpers/data/invoice-body.ts';
import { ownSum, type Use } from '../helpers/data/withdrawal-amounts.ts';
import { expectMismatch, expectProductionMismatch, MISMATCH } from '../helpers/environments/environment-mismatch.ts';
import { expectNotFound } from '../helpers/environments/inaccessible-invoice.ts';
import { productionInvoices } from '../helpers/environments/production.ts';
import {
  createInProduction,
  expectNoneInProduction,
  isForeignId,
  listedInProduction,
  lookInProduction,
  type ProductionInvoice,
  postInProduction,
  productionCreationWorks,
  productionInvoiceOf,
  seenInProduction,
} from '../helpers/environments/production-invoices.ts';
import { badReset, expectStillLive, resetOnce } from '../helpers/environments/sandbox-reset.ts';
import { partyFor } from '../helpers/invoices/acting-party.ts';
import { isOf, newest } from '../helpers/invoices/find-invoice.ts';
import { invoiceOf, whereReachable } from '../helpers/invoices/invoices.ts';
import { isAnother } from '../helpers/invoices/same-invoice.ts';
import { type Attempt, expectNoneMoves } from '../helpers/lifecycle/rejected-for-all.ts';
import { amountsOf, placeLoweredBy } from '../helpers/treasury/balances/balance.ts';
import { mayAskForFunds, productionFunds } from '../helpers/treasury/balances/production-balance.ts';
import { expectNothingPaid } from '../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { acceptedSubscription, subscribe } from '../helpers/webhooks/subscriptions.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../specs/lifecycle.ts';

const NAMING_PRODUCTION = { headers: environment('PRODUCTION') };

type Judge = (answer: Answer) => void | Promise<void>;

/** A creation with nothing wrong but the environment it names is refused for it, and comes to nothing in either environment. */
async function expectCreationMismatch(lab: Lab, extra: Extra, judge: Judge): Promise<void> {
  await creationWorks(lab);
  await expectNothingCameOf(lab, null, async () => {
    const body = validBody(lab);
    const answer = await postInvoice(lab, body, extra);
    const astray = accepted(answer) && !(await listedInProduction(lab, body));
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

const isOtherRefusal = (answer: Answer) => answer.status === 403 && bodyMember(answer, 'code') !== MISMATCH;

/** Whether the production key gets 403 for the same action on its own invoice, too: what a key may do is not shown. */
async function lacksPermission(lab: Lab, action: InvoiceAction): Promise<boolean> {
  const { id } = await createInProduction(lab);
  return (await act(lab, action, id, { as: lab.who('production') })).status === 403;
}

/** As `expectNoneMoves`, for the production key, where production cannot hold another invoice of that id. */
async function expectNoneMovesByProduction(
  lab: Lab,
  actions: readonly InvoiceAction[],
  attempt: Attempt,
): Promise<boolean> {
  const isForeign = (action: InvoiceAction, id: string) => isForeignId(lab, action, id, 'production');
  return await expectNoneMoves(lab, actions, isForeign, attempt);
}

/** The sandbox's parties get 404 INV001 for each action that the state of a production invoice offers. Whether any was tried. */
async function expectOutOfReach(lab: Lab, { id, state }: { id: string; state: InvoiceState }): Promise<boolean> {
  const { operations, actors } = lab.target;
  const offered = lifecycle.offered[state].filter((each) => operations[each] && actors[partyFor(lab, each)]);
  let tried = false;
  for (const action of offered) {
    const party = partyFor(lab, action);
    if (!(await isForeignId(lab, action, id, party))) continue;
    const answer = await expectNotFound(lab, action, id, party);
    tried ||= answer.status !== 403;
  }
  return tried;
}

/** As `expectOutOfReach`, for an invoice of the kit's, which afterwards is in the state that it was in. */
async function expectNotMoved(lab: Lab, { id, state }: ProductionInvoice): Promise<boolean> {
  const tried = await expectOutOfReach(lab, { id, state });
  const { record, answer } = await lookInProduction(lab, id, state);
  if (record?.status === state) return tried;
  await expectStaysByItself(lab, [state], lab.target.limits.settleWithinMs);
  const because = `it was ${state} before a sandbox key acted on it and is ${String(record?.status ?? 'gone')} now`;
  throw breach(lab, answer, `production invoice ${id} in ${state}`, because);
}

/** The invoice after its submission by the production key; none where that is refused. */
async function submittedInProduction(lab: Lab, invoice: ProductionInvoice): Promise<ProductionInvoice[]> {
  if (invoice.state !== 'DRAFT' || !lab.target.operations.submit) return [];
  const answer = await act(lab, 'submit', invoice.id, { as: lab.who('production') });
  const { record } = await lookInProduction(lab, invoice.id, 'SUBMITTED');
  return accepted(answer) && record?.status === 'SUBMITTED' ? [{ ...invoice, state: 'SUBMITTED' }] : [];
}

/** States to which the production key alone brings no invoice. */
const OF_OTHERS: readonly InvoiceState[] = ['APPROVED', 'DISPUTED'];

/** A production invoice in each of those states, where there is one. */
async function othersInProduction(lab: Lab): Promise<{ id: string; state: InvoiceState }[]> {
  const records = await productionInvoices(lab);
  return OF_OTHERS.flatMap((state) => {
    const found = records.find(({ status }) => status === state);
    return found ? [{ id: String(found.id), state }] : [];
  });
}

/** Checks that change something with the key or the name of production: only where the target file allows it. */
export const productionWrites: readonly Check[] = [
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
      if (!accepted(await treasury(lab, 'treasuryWithdraw', {}, '0.01')))
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
      await expectNoneMovesByProduction(lab, sellers, async ({ action, id }) => {
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

  check('ENV-04.production-key-decides', ['connection', 'production', 'productionWrites'], async (lab) => {
    const { body, created } = await postInProduction(lab);
    const found = await seenInProduction(lab, body, created);
    if (found) await productionInvoiceOf(lab, body, created);
    for (const name of lab.known('seller', 'buyer')) {
      const stray = (await newest(lab, name)).records.find((each) => isOf(each, body));
      if (stray) await whereReachable(() => invoiceOf(lab, body, created));
      const because = `the sandbox shows it to the ${name} as ${String(stray?.id)}`;
      expectThat(lab, !stray, created, 'an invoice in production alone', because);
    }
    expectThat(lab, found !== null, created, 'the invoice in production', 'it is not there');
  }),

  check('ISO-01.act', ['connection', 'production', 'boundOperations', 'productionWrites'], async (lab) => {
    await productionCreationWorks(lab);
    const tried = await expectNoneMovesByProduction(lab, performable(lab), async ({ action, id }) => {
      const answer = await expectNotFound(lab, action, id, 'production');
      return answer.status === 403 ? null : answer;
    });
    if (!tried) notApplicable('there is no action on an invoice whose id production does not know');
  }),

  check('ISO-01.replayed', ['connection', 'production', 'productionWrites'], async (lab) => {
    await productionCreationWorks(lab);
    const body = { ...validBody(lab), requestId: lab.requestId() };
    const created = await postInvoice(lab, body);
    const { id } = await invoiceOf(lab, body, created);
    const answer = await postInvoice(lab, body, { as: lab.who('production') });
    if (!accepted(answer)) notApplicable(`production refuses a requestId of the sandbox with ${answer.status}`);
    const shown = invoiceIn(answer);
    const same = shown !== undefined && String(shown.id) === id && !isAnother(shown, invoiceIn(created) ?? {});
    if (!same) await productionInvoiceOf(lab, body, answer);
    expectThat(lab, !same, answer, 'an invoice of production', `it shows the sandbox invoice ${id}`);
  }),

  check('ISO-02.act', ['connection', 'production', 'boundOperations', 'productionWrites'], async (lab) => {
    const invoice = await createInProduction(lab);
    const tried = [await expectNotMoved(lab, invoice)];
    for (const submitted of await submittedInProduction(lab, invoice)) tried.push(await expectNotMoved(lab, submitted));
    for (const other of await othersInProduction(lab)) tried.push(await expectOutOfReach(lab, other));
    if (!tried.includes(true)) notApplicable('no action is bound that a production invoice offers');
  }),
];
