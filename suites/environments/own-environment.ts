import { performable } from '../../helpers/adaptation/performable-actions.ts';
import { environment, ownEnvironment } from '../../helpers/api/environment-header.ts';
import { expectFunds } from '../../helpers/api/error-codes.ts';
import type { Extra } from '../../helpers/api/operations.ts';
import { list, NEWEST_FIRST, postInvoice, readInvoice, treasury } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, describeResponse, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { breach, expectAccepted, expectThat } from '../../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { isIrrevocable } from '../../helpers/context/leftover-reason.ts';
import { actionWorks } from '../../helpers/controls/controls.ts';
import { expectOffered } from '../../helpers/controls/spontaneous-change.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { MISMATCH } from '../../helpers/environments/environment-mismatch.ts';
import { headerForOtherKeysCheck } from '../../helpers/environments/header-checks.ts';
import { isUndeployed, listProduction } from '../../helpers/environments/production.ts';
import {
  postInProduction,
  productionInvoiceOf,
  seenInProduction,
} from '../../helpers/environments/production-invoices.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import { expectInFront, findOf, isOf, lookUntil, newest } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import {
  freshInvoice,
  invoiceOf,
  isState,
  keepTrack,
  reach,
  stateOffering,
  whereReachable,
} from '../../helpers/invoices/invoices.ts';
import { wentAllTheWay } from '../../helpers/lifecycle/variant-lifecycle.ts';
import { otherBalance } from '../../helpers/treasury/balances/balance-per-key.ts';
import { smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { acceptedSubscription, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

const OWN_NAMED = "the sandbox key's own environment named";

type Asking = (extra: Extra) => Promise<ApiResponse>;

/** Whatever it is refused for, not for the environment: without the header it is refused as well. */
async function expectNotTheEnvironment(lab: Lab, ask: Asking): Promise<void> {
  const answer = await ask({ headers: ownEnvironment });
  const refused = answer.status === 400 || answer.status === 403;
  if (refused && isSuccess(await ask({}))) expectAccepted(lab, answer, OWN_NAMED);
}

/** The action, where it is offered, with the key's own environment named; on a new invoice, unless one is given in its state. */
async function expectOwnAccepted(lab: Lab, action: InvoiceAction, given?: Invoice | null): Promise<Invoice> {
  const from = stateOffering(action);
  const invoice = given?.state === from ? given : await reach(lab, from);
  const answer = await perform(lab, action, invoice.id, { headers: ownEnvironment });
  expectFunds(answer);
  await expectOffered(lab, invoice, answer, OWN_NAMED);
  if (action === 'delete') lab.run.removed(invoice.id);
  return invoice;
}

/** What is approved stays behind: one invoice is approved and then settled, where none was seen to be with its environment named. */
async function expectOwnAcceptedOnwards(lab: Lab, actions: readonly InvoiceAction[]): Promise<void> {
  if (await wentAllTheWay(lab, 'most')) return;
  let invoice: Invoice | null = null;
  for (const action of actions) {
    if (!(await actionWorks(lab, action))) continue;
    invoice = await expectOwnAccepted(lab, action, invoice);
    const to = lifecycle.leadsTo[action];
    const { record } = await lookUntil(lab, invoice.id, (found) => found?.status === to);
    if (isState(record?.status)) invoice.state = record.status;
    keepTrack(lab, invoice);
  }
}

export const ownEnvironmentChecks: readonly Check[] = [
  check('ENV-03.sandbox-list', ['seller'], async (lab) => {
    const answer = await list(lab, {}, { headers: ownEnvironment });
    expectAccepted(lab, answer, OWN_NAMED);
    const empty = await list(lab, {}, { headers: environment('') });
    lab.observe('empty-environment-header', empty.status);
  }),

  check('ENV-03.sandbox-create', ['connection'], async (lab) => {
    const body = validBody(lab);
    const answer = await postInvoice(lab, body, { headers: ownEnvironment });
    await expectCreated(lab, answer, OWN_NAMED);
    await invoiceOf(lab, body, answer);
    const { held, answer: seen } = await findOf(lab, body);
    expectThat(lab, held, seen, 'the created invoice in the sandbox list', 'it is not there');
  }),

  check('ENV-03.submit', ['connection', 'submit'], async (lab) => {
    if (!(await actionWorks(lab, 'submit'))) notApplicable('no invoice is ever a DRAFT');
    await expectOwnAccepted(lab, 'submit');
  }),

  check('ENV-03.every-operation', ['connection'], async (lab) => {
    const { operations } = lab.target;
    if (operations.treasuryBalance) {
      await expectNotTheEnvironment(lab, (extra) => treasury(lab, 'treasuryBalance', extra));
    }
    if (operations.read) {
      const { id } = await freshInvoice(lab);
      await expectNotTheEnvironment(lab, (extra) => readInvoice(lab, id, extra));
    }
    const tried = performable(lab).filter((action) => action !== 'submit');
    await Promise.all([
      expectOwnAcceptedOnwards(lab, tried.filter(isIrrevocable)),
      ...tried
        .filter((action) => !isIrrevocable(action))
        .map(async (action) => {
          if (await actionWorks(lab, action)) await expectOwnAccepted(lab, action);
        }),
    ]);
  }),

  check('ENV-03.webhook-create', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    // An address of its own each time: one may be subscribed once only.
    const ask: Asking = (extra) => subscribe(lab, { url: `${url}/own-environment/${lab.run.serial()}` }, extra);
    await expectNotTheEnvironment(lab, ask);
  }),

  check('ENV-03.treasury-withdraw', ['seller', 'treasuryWithdraw'], async (lab) => {
    if (await smallWithdrawal(lab)) return;
    if (!isSuccess(await treasury(lab, 'treasuryWithdraw', {}, '0.01')))
      notApplicable('a withdrawal of 0.01 is refused');
    await expectNotTheEnvironment(lab, (extra) => treasury(lab, 'treasuryWithdraw', extra, '0.01'));
  }),

  check('ENV-03.production-list', ['production', 'boundOperations'], async (lab) => {
    const extra = { as: lab.who('production'), headers: environment('PRODUCTION') };
    const named = () => list(lab, {}, extra);
    const first = await named();
    // Where it serves whoever does not name it, it is deployed; its instances may come and go, as long as there are some.
    const deployed = isUndeployed(first) && (await listProduction(lab));
    const answer = deployed ? await pollUntil(lab, named, (seen) => !isUndeployed(seen)) : first;
    if (answer.status === 403) expectPermitted(await listProduction(lab));
    expectAccepted(lab, answer, "the production key's own environment named");
    // Production has traffic of its own, but is hardly empty at one moment and filled at the next.
    const unnamed = await listProduction(lab);
    const hidden = listItems(answer).length === 0 && listItems(unnamed).length > 0;
    expectThat(lab, !hidden, answer, 'what the key lists without naming its environment', 'no record is shown');
    const [one] = listItems(answer);
    if (!one || lab.target.operations.read?.method !== 'GET') return;
    const read = await readInvoice(lab, String(one.id), extra);
    // Whether the key may read at all is another question.
    const environmental = read.status === 400 || bodyMember(read, 'code') === MISMATCH;
    expectThat(
      lab,
      !environmental,
      read,
      "no refusal for the production key's own environment",
      describeResponse(read),
    );
  }),

  headerForOtherKeysCheck('ENV-03.every-key', ownEnvironment, (lab, answer, name) =>
    expectAccepted(lab, answer, `the own environment of the ${name}'s key named`),
  ),

  check('ENV-04.balance', ['seller', 'treasuryBalance'], (lab) =>
    lab.run.funds.quietFor(lab.asking.id, async () => {
      // An answer may be kept for a while, and for each request on its own.
      const found = await pollUntil(
        lab,
        () => otherBalance(lab),
        (other) => other === null,
        lab.target.limits.settleWithinMs,
      );
      if (found) throw breach(lab, found.answer, found.expected, found.because);
    }),
  ),

  check('ENV-04.key-decides', ['connection'], async (lab) => {
    const invoice = await freshInvoice(lab);
    await findOf(lab, invoice.body);
    const shows = (answer: ApiResponse) => listItems(answer).some(({ id }) => id === invoice.id);
    const answer = await pollUntil(lab, () => list(lab, NEWEST_FIRST, { headers: ownEnvironment }), shows);
    const found = shows(answer);
    if (!found) await expectInFront(lab, invoice, listItems(answer));
    expectThat(
      lab,
      found,
      answer,
      `invoice ${invoice.id}, created without X-Environment, in the sandbox`,
      'it is not there',
    );
  }),

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
];
