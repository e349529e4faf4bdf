import { performableActions } from '../../helpers/adaptation/performable-actions.ts';
import { environmentHeader, sandboxHeader } from '../../helpers/api/environment-header.ts';
import { type ListQuery, listInvoices, NEWEST_FIRST, postInvoice, readInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, invoiceIn, isSuccess, type JsonObject, listItems } from '../../helpers/api/responses.ts';
import { CHANGING_LIST, confirmBreach } from '../../helpers/assert/confirm-breach.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { expectNotFound } from '../../helpers/environments/inaccessible-invoice.ts';
import { listProduction, listProductionInvoices } from '../../helpers/environments/production.ts';
import { expectNoChangeByProduction } from '../../helpers/environments/production-actions.ts';
import {
  blockUnlessProductionCreates,
  createProductionInvoice,
  productionInvoiceOf,
} from '../../helpers/environments/production-invoices.ts';
import { expectSameTotal, readProductionCount } from '../../helpers/environments/production-total.ts';
import { exclusively } from '../../helpers/invoices/exclusive-section.ts';
import { newestInvoices } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoice,
  createInvoiceInEachState,
  type Invoice,
  resolveCreatedInvoice,
} from '../../helpers/invoices/invoices.ts';
import { parsePage, readDeepPage, readPage } from '../../helpers/invoices/list-page.ts';
import { nonexistentId } from '../../helpers/invoices/nonexistent-id.ts';
import { isDifferentInvoice } from '../../helpers/invoices/same-invoice.ts';
import {
  expectActionsNotFound,
  expectUnchangedByActions,
  findInCounterpartyStates,
  submitInProduction,
} from '../../helpers/isolation/cross-environment-actions.ts';
import {
  expectNotVisible,
  hiddenInEachStateCheck,
  hiddenVariantsCheck,
  knownFields,
} from '../../helpers/isolation/hidden-invoices.ts';
import { expectNotShownWith } from '../../helpers/isolation/widened-reads.ts';
import { environmentQuery } from '../../helpers/lists/queries/undeclared-parameters.ts';
import { aroundCreations } from '../../helpers/lists/snapshot.ts';
import { findMirroredBalance, findMixedBalances } from '../../helpers/treasury/balances/balance-mix-up.ts';
import { readProductionBalance } from '../../helpers/treasury/balances/production-balance.ts';
import { expectNotListedByOthers } from '../../helpers/webhooks/foreign-subscriptions.ts';

const MAX_INVOICES_TRIED = 5;

/** Reads the newest and the oldest pages, because production invoices may be older than those of the sandbox. */
async function readFirstAndLastPages(ctx: CheckContext): Promise<ApiResponse[]> {
  const first = await readPage(ctx, NEWEST_FIRST);
  const others = [...new Set([1, first.totalPages - 2, first.totalPages - 1])].filter(
    (page) => page > 0 && page < first.totalPages,
  );
  const rest = await Promise.all(others.map((page) => readDeepPage(ctx, { ...NEWEST_FIRST, page })));
  return [first, ...rest].flatMap((seen) => (seen ? [seen.response] : []));
}

/** Common sort fields other than createdAt. */
const SORT_FIELDS = ['dueDate', 'amount', 'status', 'currency', 'invoiceNumber'] as const;

/** Queries that a server may implement with separate database statements. */
const SORTED_QUERIES = [
  { page: 0, limit: 100 },
  { page: 0, limit: 100, sortBy: 'dueDate', sortOrder: 'desc' },
  { page: 0, limit: 100, sortBy: 'amount', sortOrder: 'desc' },
] as const;

/** Reads lists in other orders, and the lists of the other sandbox keys. */
async function readOtherLists(ctx: CheckContext): Promise<ApiResponse[]> {
  const names = ctx.availableActors('buyer', 'readOnly');
  return await Promise.all([
    ...SORTED_QUERIES.map((query) => listInvoices(ctx, query)),
    listInvoices(ctx, NEWEST_FIRST, { headers: sandboxHeader }),
    // A server may reject an undeclared parameter, but the parameter must not select the other environment.
    listInvoices(ctx, `page=0&limit=100&${environmentQuery('PRODUCTION')}`),
    ...names.map((name) => listInvoices(ctx, NEWEST_FIRST, { as: ctx.credentials(name) })),
  ]);
}

/** The newest invoices that this run created, by id. Older ones may be in both environments, from the same fixtures. */
async function newestSandboxInvoices(ctx: CheckContext, invoice: Invoice): Promise<ReadonlyMap<string, JsonObject>> {
  const { records } = await newestInvoices(ctx);
  const own = new Set(ctx.run.leftovers.entries().map(([id]) => id));
  const made = [...records.filter(({ id }) => own.has(String(id))), knownFields(invoice)];
  return new Map(made.map((record) => [String(record.id), record]));
}

/** Reads the pages of the production list that would show new invoices, in several orders. */
async function readProductionLists(ctx: CheckContext): Promise<ApiResponse[]> {
  const views: [query: ListQuery | string, headers?: [string, string][]][] = [
    [NEWEST_FIRST],
    [NEWEST_FIRST, environmentHeader('PRODUCTION')],
    [`page=0&limit=100&${environmentQuery('SANDBOX')}`],
    [{ ...NEWEST_FIRST, page: 1 }],
    // A smaller second page, which contains some of the newest hundred.
    [{ ...NEWEST_FIRST, page: 1, limit: 40 }],
    [{ page: 0, limit: 100 }],
    ...SORT_FIELDS.map((sortBy): [ListQuery] => [{ page: 0, limit: 100, sortBy, sortOrder: 'desc' }]),
  ];
  const oldestFirst = { page: 0, limit: 100, sortBy: 'createdAt', sortOrder: 'asc' };
  // The newest invoices are on the last page, or on the one before if the last page has only a few.
  const { totalPages } = parsePage(await listProduction(ctx, oldestFirst));
  for (const page of [totalPages - 1, totalPages - 2]) if (page >= 0) views.push([{ ...oldestFirst, page }]);
  return await Promise.all(views.map((view) => listProduction(ctx, ...view)));
}

export const environmentIsolationChecks: readonly Check[] = [
  check('ISO-01.read', ['connection', 'production', 'read'], async (ctx) => {
    const known = knownFields(await createInvoice(ctx));
    await expectNotVisible(ctx, known, 'production');
    await expectNotShownWith(ctx, known, 'production', { query: environmentQuery('SANDBOX') });
  }),

  check('ISO-01.list', ['connection', 'production'], async (ctx) => {
    const invoice = await createInvoice(ctx);
    const sandbox = await newestSandboxInvoices(ctx, invoice);
    for (const response of await readProductionLists(ctx)) {
      const shown = listItems(response).find((record) => {
        const known = sandbox.get(String(record.id));
        return known !== undefined && !isDifferentInvoice(record, known);
      });
      const because = `the list shows the sandbox invoice ${String(shown?.id)}`;
      expectThat(ctx, !shown, response, 'no sandbox invoice in the production list', because);
    }
  }),

  hiddenInEachStateCheck('ISO-01.every-state', 'production'),

  hiddenVariantsCheck('ISO-01.every-variant', 'production'),

  check('ISO-01.act', ['connection', 'production', 'boundOperations', 'productionWrites'], async (ctx) => {
    await blockUnlessProductionCreates(ctx);
    const tried = await expectNoChangeByProduction(ctx, performableActions(ctx), async ({ action, id }) => {
      const response = await expectNotFound(ctx, action, id, 'production');
      return response.status === 403 ? null : response;
    });
    if (!tried) notApplicable('no action could be tried on an invoice whose id does not exist in production');
  }),

  check('ISO-01.replayed', ['connection', 'production', 'productionWrites'], async (ctx) => {
    await blockUnlessProductionCreates(ctx);
    const body = { ...validBody(ctx), requestId: ctx.createRequestId() };
    const created = await postInvoice(ctx, body);
    const { id } = await resolveCreatedInvoice(ctx, body, created);
    const response = await postInvoice(ctx, body, { as: ctx.credentials('production') });
    if (!isSuccess(response))
      notApplicable(`production rejects a requestId that was used in the sandbox (${response.status})`);
    const shown = invoiceIn(response);
    const same = shown !== undefined && String(shown.id) === id && !isDifferentInvoice(shown, invoiceIn(created) ?? {});
    if (!same) await productionInvoiceOf(ctx, body, response);
    expectThat(ctx, !same, response, 'a production invoice', `the response shows the sandbox invoice ${id}`);
  }),

  // Late, when other checks may have created invoices in production.
  checkInPhase('late', 'ISO-02.read', ['seller', 'production', 'read'], async (ctx) => {
    const invoices = await listProductionInvoices(ctx);
    if (invoices.length === 0) notApplicable('production has no invoice that a sandbox key could try to read');
    for (const known of invoices.slice(0, MAX_INVOICES_TRIED)) await expectNotVisible(ctx, known, 'seller');
    const [one] = invoices;
    if (one) await expectNotShownWith(ctx, one, 'seller', { query: environmentQuery('PRODUCTION') });
    // Environment isolation applies to every sandbox key.
    const others = ctx.availableActors('buyer', 'readOnly', 'outsider');
    for (const name of others) {
      // The contract does not list key permissions. The response to a nonexistent id shows whether this key may read.
      const never = await readInvoice(ctx, await nonexistentId(ctx), { as: ctx.credentials(name) });
      if (one && never.status !== 403) await expectNotVisible(ctx, one, name);
    }
  }),

  // Late, when enough invoices exist for the newest and the oldest to be on different pages.
  checkInPhase('late', 'ISO-02.list', ['seller', 'production'], async (ctx) => {
    const production = new Map((await listProductionInvoices(ctx)).map((known) => [known.id, known]));
    if (production.size === 0) notApplicable('production has no invoice that the sandbox list could show');
    for (const response of [...(await readFirstAndLastPages(ctx)), ...(await readOtherLists(ctx))]) {
      const shown = listItems(response).find((record) => {
        const known = production.get(record.id);
        return known && !isDifferentInvoice(record, known);
      });
      const because = `the list shows the production invoice ${String(shown?.id)}`;
      expectThat(ctx, !shown, response, 'no production invoice in the sandbox list', because);
    }
  }),

  check('ISO-02.balance', ['seller', 'production', 'treasuryBalance'], async (ctx) => {
    const mirrored = await findMirroredBalance(ctx, readProductionBalance, 'balances of both environments');
    if (mirrored) {
      const because = 'the balance equals that of the sandbox, even after a sandbox withdrawal';
      throw breach(ctx, mirrored.other, 'a separate balance for each environment', because, [mirrored.sandbox]);
    }
    const mixed = await findMixedBalances(ctx);
    if (!mixed) return;
    const because = 'the response shows the balance of the other environment, which was requested just before';
    throw breach(ctx, mixed.sandbox, 'a separate balance for each environment', because, [mixed.other]);
  }),

  check('ISO-02.act', ['connection', 'production', 'boundOperations', 'productionWrites'], async (ctx) => {
    const invoice = await createProductionInvoice(ctx);
    const tried = [await expectUnchangedByActions(ctx, invoice)];
    for (const submitted of await submitInProduction(ctx, invoice))
      tried.push(await expectUnchangedByActions(ctx, submitted));
    for (const other of await findInCounterpartyStates(ctx)) tried.push(await expectActionsNotFound(ctx, other));
    if (!tried.includes(true)) notApplicable('the target file has no action that a production invoice offers');
  }),

  checkInPhase('late', 'ISO-03.totals', ['connection', 'production'], (ctx) =>
    aroundCreations(ctx, {
      before: () => readProductionCount(ctx),
      after: (made, before) => expectSameTotal(ctx, before, `${made.length} sandbox creations`),
    }),
  ),

  check('ISO-03.every-state', ['connection', 'production'], async (ctx) => {
    const before = await readProductionCount(ctx);
    await createInvoiceInEachState(ctx);
    if ((await readProductionCount(ctx)).total === before.total) return;
    await exclusively(ctx, (ctx) =>
      confirmBreach(ctx, CHANGING_LIST, async () => {
        const earlier = await readProductionCount(ctx);
        const states = (await createInvoiceInEachState(ctx)).map(({ state }) => state);
        await expectSameTotal(ctx, earlier, `sandbox invoices reached ${states.join(', ')}`);
      }),
    );
  }),

  check('ISO-03.webhook-list', ['connection', 'production'], (ctx) =>
    expectNotListedByOthers(ctx, 'production', "no sandbox subscription in the production key's list"),
  ),
];
