import { readInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { expectNoAccess, expectNotFound } from '../../helpers/environments/inaccessible-invoice.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoice,
  createInvoiceInEachState,
  type Invoice,
  needsToReach,
  stateOffering,
} from '../../helpers/invoices/invoices.ts';
import {
  expectConditionalReadNotFound,
  expectNotVisible,
  hiddenInEachStateCheck,
  hiddenVariantsCheck,
  knownFields,
} from '../../helpers/isolation/hidden-invoices.ts';
import { expectReadParametersIgnored } from '../../helpers/isolation/widened-reads.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';
import { listForeignInvoices } from '../../helpers/lists/foreign-invoices.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** A third organization sends an action in a state that offers it. */
function outsiderActionCheck(action: InvoiceAction): Check {
  const state = stateOffering(action);
  const needs = ['connection', 'outsider', ...needsToReach(state), action] as const;
  return check(`ISO-04.${action}` as CheckId, needs, async (ctx) => {
    if (!(await runActionControl(ctx, action))) notApplicable(`no invoice was ever in state ${state}`);
    await withSharedInvoice(ctx, state, async (invoice) => {
      const { record: before } = await findSettledInvoice(ctx, invoice);
      await expectInvoiceUnchanged(ctx, invoice, before, await expectNoAccess(ctx, action, invoice.id, 'outsider'));
    });
  });
}

/** A third organization sends actions on one invoice. Its state is compared with the one that the kit knows. */
async function expectActionsHidden(
  ctx: CheckContext,
  invoice: Invoice,
  actions: readonly InvoiceAction[],
): Promise<void> {
  for (const action of actions) blockIfForbidden(await expectNotFound(ctx, action, invoice.id, 'outsider'));
  await expectInvoiceUnchanged(ctx, invoice, null);
}

/** The control of a read by another organization. */
async function expectReadByOwner(ctx: CheckContext, { id }: Invoice): Promise<ApiResponse> {
  const seen = await pollUntil(ctx, () => readInvoice(ctx, id), isSuccess, 'reads a new invoice');
  const expected = 'the same request accepted for the organization that owns the invoice';
  expectThat(ctx, isSuccess(seen), seen, expected, `the server returned ${seen.status}`, { status: 'success' });
  return seen;
}

/** The outsider reads with a text other than the id. The response must not show the invoice. */
async function expectNotShownToOutsider(
  ctx: CheckContext,
  { id }: Invoice,
  requested: string,
  because: string,
): Promise<void> {
  const response = await readInvoice(ctx, requested, { as: ctx.credentials('outsider') });
  const leaked = isSuccess(response) && invoiceIn(response)?.id === id;
  const expected = `no invoice ${id} for another organization`;
  expectThat(ctx, !leaked, response, expected, because, { status: 'rejection' });
}

export const organizationIsolationChecks: readonly Check[] = [
  check('ISO-04.read', ['connection', 'outsider', 'read'], async (ctx) => {
    const invoice = await createInvoice(ctx);
    const seen = await expectReadByOwner(ctx, invoice);
    await expectNotVisible(ctx, knownFields(invoice), 'outsider');
    await expectConditionalReadNotFound(ctx, knownFields(invoice), seen);
    // A rejection must not be cached for the owner.
    await expectReadByOwner(ctx, invoice);
    // A respelled id is another id or the same invoice. The outsider may read neither.
    for (const spelt of [invoice.id.toUpperCase(), `${invoice.id} `].filter((each) => each !== invoice.id))
      await expectNotShownToOutsider(ctx, invoice, spelt, 'the response shows the invoice');
    const number = invoiceIn(seen)?.invoiceNumber;
    if (typeof number !== 'string' || number === '' || number === invoice.id) return;
    // A server may find invoices by number. An invoice of the outsider may have the same number.
    await expectNotShownToOutsider(ctx, invoice, number, 'the response to its invoice number shows the invoice');
  }),

  check('ISO-04.read-parameters', ['connection', 'outsider', 'read'], async (ctx) =>
    expectReadParametersIgnored(ctx, knownFields(await createInvoice(ctx))),
  ),

  hiddenInEachStateCheck('ISO-04.every-state', 'outsider'),

  hiddenVariantsCheck('ISO-04.every-variant', 'outsider'),

  check('ISO-04.listed-by-others', ['seller', 'read'], async (ctx) => {
    const invoices = await listForeignInvoices(ctx);
    if (invoices.length === 0)
      notApplicable('no other sandbox key lists an invoice to which the seller is not a party');
    for (const known of invoices) await expectNotVisible(ctx, known, 'seller');
    const [one] = invoices;
    const shares = ctx.run.plan.organizations.readOnly === ctx.organizationId('seller');
    if (one && shares) await expectNotVisible(ctx, one, 'readOnly');
  }),

  check('ISO-04.wrong-state', ['connection', 'outsider'], async (ctx) => {
    const tried = await Promise.all(
      (await createInvoiceInEachState(ctx)).map(async (invoice) => {
        const notOffered = lifecycle.actions.filter(
          (action) => ctx.target.operations[action] && !lifecycle.offered[invoice.state].includes(action),
        );
        await expectActionsHidden(ctx, invoice, notOffered);
        return notOffered.length;
      }),
    );
    if (tried.every((count) => count === 0))
      notApplicable('the target file has no action that these invoices do not offer');
  }),

  ...lifecycle.actions.map(outsiderActionCheck),
];
