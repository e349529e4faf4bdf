import { readInvoice, sendAction } from '../../helpers/api/operations.ts';
import { canHaveRequestId } from '../../helpers/api/requests.ts';
import { type ApiResponse, invoiceIn, is2xx, isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { readsAreStale } from '../../helpers/controls/stale-reads.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { deleteNewDraft } from '../../helpers/invoices/draft-deletion.ts';
import {
  createInvoice,
  type Invoice,
  ifReachable,
  needsToReach,
  stateOffering,
} from '../../helpers/invoices/invoices.ts';
import { nonexistentId } from '../../helpers/invoices/nonexistent-id.ts';
import { NOT_FOUND_STATUSES } from '../../helpers/isolation/hidden-invoices.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target-file/target.ts';

/** Sends an action on a nonexistent id. The control is the same action on an existing invoice. */
function unknownIdActionCheck(action: InvoiceAction): Check {
  return check(
    `ISO-05.${action}` as CheckId,
    ['connection', ...needsToReach(stateOffering(action)), action],
    async (ctx) => {
      if (!(await runActionControl(ctx, action))) notApplicable(`no invoice was ever in a state that offers ${action}`);
      const response = await sendAction(ctx, action, await nonexistentId(ctx), {
        as: ctx.credentials(partyFor(ctx, action)),
      });
      expectRejected(ctx, response, NOT_FOUND_STATUSES, 'INV001');
    },
  );
}

async function expectDeletedHidden(ctx: CheckContext, { id }: Invoice, name: ActorName): Promise<void> {
  const read = () => readInvoice(ctx, id, { as: ctx.credentials(name) });
  const response = await pollUntil(ctx, read, (seen) => !isSuccess(seen), 'no longer reads a deleted draft');
  const expected = `404 INV001: the seller has deleted invoice ${id}`;
  const because = `the ${name} key can still read the invoice`;
  expectThat(ctx, !isSuccess(response), response, expected, because, { status: 'rejection' });
}

async function expectDeletedUnchangeable(ctx: CheckContext, { id }: Invoice, action: InvoiceAction): Promise<void> {
  // The control finds out which party performs the action. Its acceptance is judged by LIFE-01.
  await ifReachable(() => runActionControl(ctx, action));
  const as = ctx.credentials(partyFor(ctx, action));
  const identified = action === 'submit' && canHaveRequestId(ctx, action);
  for (const extra of [{ as }, ...(identified ? [{ as, requestId: ctx.createRequestId() }] : [])]) {
    const response = await sendAction(ctx, action, id, extra);
    // The contract does not list key permissions.
    if (response.status === 403) continue;
    await skipIfAcceptedOnStaleRead(ctx, response);
    // A server may treat "deleted" as a state.
    expectRejected(ctx, response, [404, 409, 412], response.status === 404 ? 'INV001' : undefined);
  }
}

async function skipIfAcceptedOnStaleRead(ctx: CheckContext, response: ApiResponse): Promise<void> {
  if (isSuccess(response) && (await readsAreStale(ctx)))
    notApplicable('reads on this server are stale and do not show whether a draft is already deleted');
}

export const unknownIdsChecks: readonly Check[] = [
  check('ISO-05.read', ['seller', 'read'], async (ctx) => {
    const response = await readInvoice(ctx, await nonexistentId(ctx));
    expectRejected(ctx, response, NOT_FOUND_STATUSES, 'INV001');
  }),

  check('ISO-05.unusual-form', ['seller', 'read', 'boundOperations'], async (ctx) => {
    for (const id of ['no-such-form', '0', '-1', 'null', "o'brien", `x${'0'.repeat(200)}`]) {
      const response = await readInvoice(ctx, id);
      ctx.observe('malformed-id', response.status);
      // A server with sequential ids may have an invoice of this id.
      if (is2xx(response) && invoiceIn(response)?.id === id) continue;
      // The contract leaves open whether such an id is invalid or unknown.
      expectRejected(ctx, response, [404, 400], response.status === 404 ? 'INV001' : undefined);
    }
    for (const action of lifecycle.actions.filter((each) => ctx.target.operations[each])) {
      const response = await sendAction(ctx, action, 'no-such-form', { as: ctx.credentials(partyFor(ctx, action)) });
      // The contract does not list key permissions.
      if (response.status === 403) continue;
      expectRejected(ctx, response, [404, 400], response.status === 404 ? 'INV001' : undefined);
    }
  }),

  check('ISO-05.deleted', ['connection', 'delete', 'read'], async (ctx) => {
    const { invoice } = await deleteNewDraft(ctx);
    for (const name of ctx.availableActors('buyer', 'readOnly')) await expectDeletedHidden(ctx, invoice, name);
    for (const action of lifecycle.actions.filter((each) => ctx.target.operations[each]))
      await expectDeletedUnchangeable(ctx, invoice, action);
  }),

  check('ISO-05.similar-ids', ['connection', 'read'], async (ctx) => {
    const { id } = await createInvoice(ctx);
    const begins = [id.slice(0, -1), id.slice(0, Math.ceil(id.length / 2)), id.split(/[^0-9a-z]/i, 1)[0] ?? id];
    // An id without its last path segment is the path of another resource.
    const least = id.lastIndexOf('/') + 1;
    const begun = begins.filter((each) => each.length > least && each !== id);
    // Wildcards of databases and shells.
    const wild = ['%', '_', '*'].map((any) => `${id.slice(0, -1)}${any}`);
    for (const requests of [...begun, `${id}0`, `${id}x`, ...wild]) {
      const response = await readInvoice(ctx, requests);
      // Another invoice may have this id. Then the response must show that one.
      const found = invoiceIn(response)?.id;
      const because = `the response shows invoice ${String(found)}`;
      expectThat(
        ctx,
        !isSuccess(response) || found === requests,
        response,
        `invoice ${requests}, or 404 INV001`,
        because,
        { status: [404], code: 'INV001' },
      );
    }
  }),

  ...lifecycle.actions.map(unknownIdActionCheck),
];
