import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import { environmentHeader, sandboxHeader } from '../../helpers/api/environment-header.ts';
import { skipIfInsufficientFunds } from '../../helpers/api/error-codes.ts';
import type { RequestOptions } from '../../helpers/api/operations.ts';
import {
  listInvoices,
  NEWEST_FIRST,
  postInvoice,
  readInvoice,
  sendTreasuryRequest,
} from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, describeResponse, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { breach, expectAccepted, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { isIrreversible } from '../../helpers/context/leftover-reason.ts';
import { runActionControl } from '../../helpers/controls/controls.ts';
import { expectOffered } from '../../helpers/controls/spontaneous-change.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { MISMATCH_CODE } from '../../helpers/environments/environment-mismatch.ts';
import { headerForOtherKeysCheck } from '../../helpers/environments/header-checks.ts';
import { isUndeployed, listProduction } from '../../helpers/environments/production.ts';
import {
  postInProduction,
  productionInvoiceOf,
  waitForProductionRecord,
} from '../../helpers/environments/production-invoices.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import {
  findCreatedInvoice,
  isCreatedFrom,
  newestInvoices,
  skipUnlessListedFirst,
  waitForInvoice,
} from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import {
  createInvoice,
  createInvoiceInState,
  ifReachable,
  isInvoiceState,
  recordInvoiceState,
  resolveCreatedInvoice,
  stateOffering,
} from '../../helpers/invoices/invoices.ts';
import { completedVariant } from '../../helpers/lifecycle/variant-lifecycle.ts';
import { findDivergentBalance } from '../../helpers/treasury/balances/balance-per-key.ts';
import { smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { acceptedSubscriptionUrl, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

const OWN_ENVIRONMENT_NAMED = "the sandbox key's own environment named";

type SendRequest = (extra: RequestOptions) => Promise<ApiResponse>;

/** Whatever it is refused for, not for the environment: without the header it is refused as well. */
async function expectNotRejectedForEnvironment(lab: CheckContext, ask: SendRequest): Promise<void> {
  const answer = await ask({ headers: sandboxHeader });
  const refused = answer.status === 400 || answer.status === 403;
  if (refused && isSuccess(await ask({}))) expectAccepted(lab, answer, OWN_ENVIRONMENT_NAMED);
}

/** The action, where it is offered, with the key's own environment named; on a new invoice, unless one is given in its state. */
async function expectActionAccepted(
  lab: CheckContext,
  action: InvoiceAction,
  given?: Invoice | null,
): Promise<Invoice> {
  const from = stateOffering(action);
  const invoice = given?.state === from ? given : await createInvoiceInState(lab, from);
  const answer = await performAction(lab, action, invoice.id, { headers: sandboxHeader });
  skipIfInsufficientFunds(answer);
  await expectOffered(lab, invoice, answer, OWN_ENVIRONMENT_NAMED);
  if (action === 'delete') lab.run.recordDeleted(invoice.id);
  return invoice;
}

/** What is approved stays behind: one invoice is approved and then settled, where none was seen to be with its environment named. */
async function expectIrrevocableActionsAccepted(lab: CheckContext, actions: readonly InvoiceAction[]): Promise<void> {
  if (await completedVariant(lab, 'most')) return;
  let invoice: Invoice | null = null;
  for (const action of actions) {
    if (!(await runActionControl(lab, action))) continue;
    invoice = await expectActionAccepted(lab, action, invoice);
    const to = lifecycle.leadsTo[action];
    const { record } = await waitForInvoice(lab, invoice.id, (found) => found?.status === to);
    if (isInvoiceState(record?.status)) invoice.state = record.status;
    recordInvoiceState(lab, invoice);
  }
}

export const ownEnvironmentChecks: readonly Check[] = [
  check('ENV-03.sandbox-list', ['seller'], async (lab) => {
    const answer = await listInvoices(lab, {}, { headers: sandboxHeader });
    expectAccepted(lab, answer, OWN_ENVIRONMENT_NAMED);
    const empty = await listInvoices(lab, {}, { headers: environmentHeader('') });
    lab.observe('empty-environment-header', empty.status);
  }),

  check('ENV-03.sandbox-create', ['connection'], async (lab) => {
    const body = validBody(lab);
    const answer = await postInvoice(lab, body, { headers: sandboxHeader });
    await expectCreated(lab, answer, OWN_ENVIRONMENT_NAMED);
    await resolveCreatedInvoice(lab, body, answer);
    const { held, response: seen } = await findCreatedInvoice(lab, body);
    expectThat(lab, held, seen, 'the created invoice in the sandbox list', 'it is not there');
  }),

  check('ENV-03.submit', ['connection', 'submit'], async (lab) => {
    if (!(await runActionControl(lab, 'submit'))) notApplicable('no invoice is ever a DRAFT');
    await expectActionAccepted(lab, 'submit');
  }),

  check('ENV-03.every-operation', ['connection'], async (lab) => {
    const { operations } = lab.target;
    if (operations.treasuryBalance) {
      await expectNotRejectedForEnvironment(lab, (extra) => sendTreasuryRequest(lab, 'treasuryBalance', extra));
    }
    if (operations.read) {
      const { id } = await createInvoice(lab);
      await expectNotRejectedForEnvironment(lab, (extra) => readInvoice(lab, id, extra));
    }
    const tried = performableActions(lab).filter((action) => action !== 'submit');
    await Promise.all([
      expectIrrevocableActionsAccepted(lab, tried.filter(isIrreversible)),
      ...tried
        .filter((action) => !isIrreversible(action))
        .map(async (action) => {
          if (await runActionControl(lab, action)) await expectActionAccepted(lab, action);
        }),
    ]);
  }),

  check('ENV-03.webhook-create', ['seller'], async (lab) => {
    const url = await acceptedSubscriptionUrl(lab);
    // An address of its own each time: one may be subscribed once only.
    const ask: SendRequest = (extra) =>
      subscribe(lab, { url: `${url}/own-environment/${lab.run.nextSerial()}` }, extra);
    await expectNotRejectedForEnvironment(lab, ask);
  }),

  check('ENV-03.treasury-withdraw', ['seller', 'treasuryWithdraw'], async (lab) => {
    if (await smallWithdrawal(lab)) return;
    if (!isSuccess(await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, '0.01')))
      notApplicable('a withdrawal of 0.01 is refused');
    await expectNotRejectedForEnvironment(lab, (extra) => sendTreasuryRequest(lab, 'treasuryWithdraw', extra, '0.01'));
  }),

  check('ENV-03.production-list', ['production', 'boundOperations'], async (lab) => {
    const extra = { as: lab.credentials('production'), headers: environmentHeader('PRODUCTION') };
    const named = () => listInvoices(lab, {}, extra);
    const first = await named();
    // Where it serves whoever does not name it, it is deployed; its instances may come and go, as long as there are some.
    const deployed = isUndeployed(first) && (await listProduction(lab));
    const answer = deployed ? await pollUntil(lab, named, (seen) => !isUndeployed(seen)) : first;
    if (answer.status === 403) blockIfForbidden(await listProduction(lab));
    expectAccepted(lab, answer, "the production key's own environment named");
    // Production has traffic of its own, but is hardly empty at one moment and filled at the next.
    const unnamed = await listProduction(lab);
    const hidden = listItems(answer).length === 0 && listItems(unnamed).length > 0;
    expectThat(lab, !hidden, answer, 'what the key lists without naming its environment', 'no record is shown');
    const [one] = listItems(answer);
    if (!one || lab.target.operations.read?.method !== 'GET') return;
    const read = await readInvoice(lab, String(one.id), extra);
    // Whether the key may read at all is another question.
    const environmental = read.status === 400 || bodyMember(read, 'code') === MISMATCH_CODE;
    expectThat(
      lab,
      !environmental,
      read,
      "no refusal for the production key's own environment",
      describeResponse(read),
    );
  }),

  headerForOtherKeysCheck('ENV-03.every-key', sandboxHeader, (lab, answer, name) =>
    expectAccepted(lab, answer, `the own environment of the ${name}'s key named`),
  ),

  check('ENV-04.balance', ['seller', 'treasuryBalance'], (lab) =>
    lab.run.balanceLock.exclusive(lab.execution.id, async () => {
      // An answer may be kept for a while, and for each request on its own.
      const found = await pollUntil(
        lab,
        () => findDivergentBalance(lab),
        (other) => other === null,
        lab.target.limits.settleWithinMs,
      );
      if (found) throw breach(lab, found.response, found.expected, found.because);
    }),
  ),

  check('ENV-04.key-decides', ['connection'], async (lab) => {
    const invoice = await createInvoice(lab);
    await findCreatedInvoice(lab, invoice.body);
    const shows = (answer: ApiResponse) => listItems(answer).some(({ id }) => id === invoice.id);
    const answer = await pollUntil(lab, () => listInvoices(lab, NEWEST_FIRST, { headers: sandboxHeader }), shows);
    const found = shows(answer);
    if (!found) await skipUnlessListedFirst(lab, invoice, listItems(answer));
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
    const found = await waitForProductionRecord(lab, body, created);
    if (found) await productionInvoiceOf(lab, body, created);
    for (const name of lab.availableActors('seller', 'buyer')) {
      const stray = (await newestInvoices(lab, name)).records.find((each) => isCreatedFrom(each, body));
      if (stray) await ifReachable(() => resolveCreatedInvoice(lab, body, created));
      const because = `the sandbox shows it to the ${name} as ${String(stray?.id)}`;
      expectThat(lab, !stray, created, 'an invoice in production alone', because);
    }
    expectThat(lab, found !== null, created, 'the invoice in production', 'it is not there');
  }),
];
