import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import { environmentHeader, sandboxHeader } from '../../helpers/api/environment-header.ts';
import { listInvoices, NEWEST_FIRST, postInvoice, readInvoice } from '../../helpers/api/operations.ts';
import type { RequestOptions } from '../../helpers/api/requests.ts';
import {
  type ApiResponse,
  bodyMember,
  describeResponse,
  isSuccess,
  listItems,
  skipIfInsufficientFunds,
} from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { breach, expectAccepted, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { expectOffered } from '../../helpers/controls/spontaneous-change.ts';
import { isCreatedFrom, validBody } from '../../helpers/data/invoice-body.ts';
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
  newestInvoices,
  RECENT_PAGES,
  waitForArrival,
} from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoice,
  type Invoice,
  ifReachable,
  isInvoiceState,
  recordInvoiceState,
  resolveCreatedInvoice,
  stateOffering,
} from '../../helpers/invoices/invoices.ts';
import { expectListedAsSent } from '../../helpers/invoices/listed-as-sent.ts';
import { skipUnlessListedFirst } from '../../helpers/invoices/recent-invoices.ts';
import { completedVariant } from '../../helpers/lifecycle/sequences/variant-lifecycle.ts';
import { performInState } from '../../helpers/lifecycle/transition-checks.ts';
import { findDivergentBalance } from '../../helpers/treasury/balances/key-balances.ts';
import { smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { acceptedSubscriptionUrl, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import { type InvoiceAction, isIrreversible, lifecycle } from '../../specs/contract/lifecycle.ts';

const OWN_ENVIRONMENT_NAMED = "a request that names the sandbox key's own environment";

type SendRequest = (extra: RequestOptions) => Promise<ApiResponse>;

/** The request may be rejected for other reasons, but then it is also rejected without the header. */
async function expectNotRejectedForEnvironment(ctx: CheckContext, request: SendRequest): Promise<void> {
  const response = await request({ headers: sandboxHeader });
  const rejected = response.status === 400 || response.status === 403;
  if (rejected && isSuccess(await request({}))) expectAccepted(ctx, response, OWN_ENVIRONMENT_NAMED);
}

/** Performs the action with the key's own environment. Uses the given invoice if its state offers the action, else a new one. */
async function expectActionAccepted(
  ctx: CheckContext,
  action: InvoiceAction,
  given?: Invoice | null,
): Promise<Invoice> {
  const from = stateOffering(action);
  const extra = { headers: sandboxHeader };
  const { invoice, response } =
    given?.state === from
      ? { invoice: given, response: await performAction(ctx, action, given.id, extra) }
      : await performInState(ctx, from, action, extra);
  skipIfInsufficientFunds(response);
  await expectOffered(ctx, invoice, response, OWN_ENVIRONMENT_NAMED);
  if (action === 'delete') ctx.run.leftovers.recordDeleted(invoice.id);
  return invoice;
}

/** Approved invoices remain as leftovers, so one invoice takes all irreversible actions. Skipped if another check has shown them. */
async function expectIrrevocableActionsAccepted(ctx: CheckContext, actions: readonly InvoiceAction[]): Promise<void> {
  if (await completedVariant(ctx, 'most')) return;
  let invoice: Invoice | null = null;
  for (const action of actions) {
    if (!(await runActionControl(ctx, action))) continue;
    invoice = await expectActionAccepted(ctx, action, invoice);
    const to = lifecycle.leadsTo[action];
    const { record } = await waitForArrival(ctx, invoice.id, to);
    if (isInvoiceState(record?.status)) invoice.state = record.status;
    recordInvoiceState(ctx, invoice);
  }
}

/** A list without the header shows whether production is deployed. Single instances may be unavailable for a moment. */
async function waitForDeployedList(ctx: CheckContext, list: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const first = await list();
  const deployed = isUndeployed(first) && (await listProduction(ctx));
  return deployed ? await pollUntil(ctx, list, (seen) => !isUndeployed(seen), 'serves production') : first;
}

/** Only a rejection for the environment counts: the key may have no permission to read. */
async function expectReadInEnvironment(ctx: CheckContext, id: string, extra: RequestOptions): Promise<void> {
  const read = await readInvoice(ctx, id, extra);
  const environmental = read.status === 400 || bodyMember(read, 'code') === MISMATCH_CODE;
  const expected = "no rejection for the production key's own environment";
  expectThat(ctx, !environmental, read, expected, describeResponse(read));
}

/**
 * The page of the list with X-Environment that shows an invoice, otherwise the first page. Other checks may create more invoices than
 * fit on a page meanwhile.
 */
async function findPage(ctx: CheckContext, shows: (page: ApiResponse) => boolean): Promise<ApiResponse> {
  const first = await listInvoices(ctx, NEWEST_FIRST, { headers: sandboxHeader });
  let last = first;
  for (let page = 1; page < RECENT_PAGES && !shows(last); page += 1) {
    if (listItems(last).length < NEWEST_FIRST.limit) return first;
    last = await listInvoices(ctx, { ...NEWEST_FIRST, page }, { headers: sandboxHeader });
  }
  return shows(last) ? last : first;
}

export const ownEnvironmentChecks: readonly Check[] = [
  check('ENV-03.sandbox-list', ['seller'], async (ctx) => {
    const response = await listInvoices(ctx, {}, { headers: sandboxHeader });
    expectAccepted(ctx, response, OWN_ENVIRONMENT_NAMED);
    const empty = await listInvoices(ctx, {}, { headers: environmentHeader('') });
    ctx.observe('empty-environment-header', empty.status);
  }),

  check('ENV-03.sandbox-create', ['connection'], async (ctx) => {
    const body = validBody(ctx);
    const response = await postInvoice(ctx, body, { headers: sandboxHeader });
    await expectCreated(ctx, response, OWN_ENVIRONMENT_NAMED);
    const invoice = await resolveCreatedInvoice(ctx, body, response);
    await expectListedAsSent(ctx, invoice, 'the created invoice in the sandbox list');
  }),

  check('ENV-03.submit', ['connection', 'submit'], async (ctx) => {
    if (!(await runActionControl(ctx, 'submit'))) notApplicable('no invoice was ever in state DRAFT');
    await expectActionAccepted(ctx, 'submit');
  }),

  check('ENV-03.every-operation', ['connection'], async (ctx) => {
    const { operations } = ctx.target;
    if (operations.treasuryBalance) {
      await expectNotRejectedForEnvironment(ctx, (extra) => sendTreasuryRequest(ctx, 'treasuryBalance', extra));
    }
    if (operations.read) {
      const { id } = await createInvoice(ctx);
      await expectNotRejectedForEnvironment(ctx, (extra) => readInvoice(ctx, id, extra));
    }
    const tried = performableActions(ctx).filter((action) => action !== 'submit');
    await Promise.all([
      expectIrrevocableActionsAccepted(ctx, tried.filter(isIrreversible)),
      ...tried
        .filter((action) => !isIrreversible(action))
        .map(async (action) => {
          if (await runActionControl(ctx, action)) await expectActionAccepted(ctx, action);
        }),
    ]);
  }),

  check('ENV-03.webhook-create', ['seller'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    // A server may accept only one subscription per URL.
    const request: SendRequest = (extra) =>
      subscribe(ctx, { url: `${url}/own-environment/${ctx.run.nextSerial()}` }, extra);
    await expectNotRejectedForEnvironment(ctx, request);
  }),

  check('ENV-03.treasury-withdraw', ['seller', 'treasuryWithdraw'], async (ctx) => {
    if (await smallWithdrawal(ctx)) return;
    if (!isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, '0.01')))
      notApplicable('the server rejects a withdrawal of 0.01');
    await expectNotRejectedForEnvironment(ctx, (extra) => sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, '0.01'));
  }),

  check('ENV-03.production-list', ['production', 'boundOperations'], async (ctx) => {
    const extra = { as: ctx.credentials('production'), headers: environmentHeader('PRODUCTION') };
    const response = await waitForDeployedList(ctx, () => listInvoices(ctx, {}, extra));
    if (response.status === 403) blockIfForbidden(await listProduction(ctx));
    expectAccepted(ctx, response, "a request that names the production key's own environment");
    const isFilled = (list: ApiResponse) => listItems(list).length > 0;
    const hasRecords = !isFilled(response) && isFilled(await listProduction(ctx));
    // Meanwhile, another check may have created the first invoice of production.
    const seen = hasRecords
      ? await pollUntil(ctx, () => listInvoices(ctx, {}, extra), isFilled, 'lists a production invoice')
      : response;
    const expected = 'the records that the key lists without X-Environment';
    expectThat(ctx, !hasRecords || isFilled(seen), seen, expected, 'the list is empty');
    const [one] = listItems(seen);
    if (one && ctx.target.operations.read?.method === 'GET') await expectReadInEnvironment(ctx, String(one.id), extra);
  }),

  headerForOtherKeysCheck('ENV-03.every-key', sandboxHeader, (ctx, response, name) =>
    expectAccepted(ctx, response, `a request that names the own environment of the ${name} key`),
  ),

  check('ENV-04.balance', ['seller', 'treasuryBalance'], (ctx) =>
    ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
      // A server may cache responses per request for a while.
      const found = await pollUntil(
        ctx,
        () => findDivergentBalance(ctx),
        (other) => other === null,
        ctx.target.limits.settleWithinMs,
      );
      if (found) throw breach(ctx, found.response, found.expected, found.because);
    }),
  ),

  check('ENV-04.key-decides', ['connection'], async (ctx) => {
    const invoice = await createInvoice(ctx);
    await findCreatedInvoice(ctx, invoice.body);
    const shows = (response: ApiResponse) => listItems(response).some(({ id }) => id === invoice.id);
    const response = await pollUntil(ctx, () => findPage(ctx, shows), shows, 'lists new invoices first');
    const found = shows(response);
    if (!found) await skipUnlessListedFirst(ctx, invoice, listItems(response));
    expectThat(
      ctx,
      found,
      response,
      `invoice ${invoice.id}, created without X-Environment, in the sandbox list`,
      'the list does not contain the invoice',
    );
  }),

  check('ENV-04.production-key-decides', ['connection', 'production', 'productionWrites'], async (ctx) => {
    const { body, created } = await postInProduction(ctx);
    const found = await waitForProductionRecord(ctx, body, created);
    if (found) await productionInvoiceOf(ctx, body, created);
    for (const name of ctx.availableActors('seller', 'buyer')) {
      const stray = (await newestInvoices(ctx, name)).records.find((each) => isCreatedFrom(each, body));
      if (stray) await ifReachable(() => resolveCreatedInvoice(ctx, body, created));
      const because = `the sandbox list of the ${name} shows it as invoice ${String(stray?.id)}`;
      expectThat(ctx, !stray, created, 'an invoice in production only', because);
    }
    expectThat(ctx, found !== null, created, 'the invoice in production', 'production does not show the invoice');
  }),
];
