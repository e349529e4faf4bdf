import { createInvoiceVariants } from '../../helpers/adaptation/invoice-variants.ts';
import { readInvoice } from '../../helpers/api/operations.ts';
import { invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase, withPriority } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/controls.ts';
import { expectNoAccess } from '../../helpers/environments/inaccessible-invoice.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  actionsLeadingTo,
  createInvoice,
  createInvoiceInEachState,
  createInvoiceInState,
  stateOffering,
} from '../../helpers/invoices/invoices.ts';
import {
  expectNotVisible,
  hiddenInEachStateCheck,
  hiddenVariantsCheck,
  knownFields,
} from '../../helpers/isolation/hidden-invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/rejected-action.ts';
import { listForeignInvoices } from '../../helpers/lists/foreign-invoices.ts';
import { findMirroredBalance, readOtherPartyBalance } from '../../helpers/treasury/balances/balance-mix-up.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

/** An action by a third organization, in the state that offers it. */
function outsiderActionCheck(action: InvoiceAction): Check {
  const state = stateOffering(action);
  const needs = ['connection', 'outsider', ...actionsLeadingTo(state), action] as const;
  return check(`ISO-04.${action}` as CheckId, needs, async (lab) => {
    if (!(await runActionControl(lab, action))) notApplicable(`no invoice is ever ${state}`);
    const invoice = await createInvoiceInState(lab, state);
    const { record: before } = await findSettledInvoice(lab, invoice);
    await expectInvoiceUnchanged(lab, invoice, before, await expectNoAccess(lab, action, invoice.id, 'outsider'));
  });
}

export const organizationIsolationChecks: readonly Check[] = withPriority('low', [
  check('ISO-04.read', ['connection', 'outsider', 'read'], async (lab) => {
    const invoice = await createInvoice(lab);
    const seen = await pollUntil(lab, () => readInvoice(lab, invoice.id), isSuccess);
    expectThat(
      lab,
      isSuccess(seen),
      seen,
      'the same read accepted for the organization that owns the invoice',
      `answered with ${seen.status}`,
    );
    await expectNotVisible(lab, knownFields(invoice), 'outsider');
    // In another spelling it is another id, or the same invoice: neither is theirs.
    for (const spelt of [invoice.id.toUpperCase(), `${invoice.id} `].filter((each) => each !== invoice.id)) {
      const answer = await readInvoice(lab, spelt, { as: lab.credentials('outsider') });
      const leaked = isSuccess(answer) && invoiceIn(answer)?.id === invoice.id;
      expectThat(lab, !leaked, answer, `no invoice ${invoice.id} for another organization`, 'it is shown');
    }
    const number = invoiceIn(seen)?.invoiceNumber;
    if (typeof number !== 'string' || number === '' || number === invoice.id) return;
    // Where numbers are a way to an invoice, it is shut for others as well; one of their own may bear the same.
    const byNumber = await readInvoice(lab, number, { as: lab.credentials('outsider') });
    const leaked = isSuccess(byNumber) && invoiceIn(byNumber)?.id === invoice.id;
    expectThat(lab, !leaked, byNumber, `no invoice ${invoice.id} for another organization`, 'its number shows it');
  }),

  hiddenInEachStateCheck('ISO-04.every-state', 'outsider'),

  hiddenVariantsCheck('ISO-04.every-variant', 'outsider'),

  checkInPhase('late', 'ISO-04.act-on-every-variant', ['connection', 'outsider'], async (lab) => {
    const { kinds } = await createInvoiceVariants(lab);
    const tried = await Promise.all(
      kinds.map(async ({ invoice }) => {
        const { record: before } = await findSettledInvoice(lab, invoice);
        const offered = lifecycle.offered[invoice.state].filter((action) => lab.target.operations[action]);
        for (const action of offered) await expectNoAccess(lab, action, invoice.id, 'outsider');
        await expectInvoiceUnchanged(lab, invoice, before);
        return offered.length;
      }),
    );
    if (tried.every((count) => count === 0)) notApplicable('no action is bound that these invoices offer');
  }),

  check('ISO-04.listed-by-others', ['seller', 'read'], async (lab) => {
    const invoices = await listForeignInvoices(lab);
    if (invoices.length === 0)
      notApplicable('no other key of the sandbox lists an invoice of which the seller is no party');
    for (const known of invoices) await expectNotVisible(lab, known, 'seller');
    const [one] = invoices;
    const shares = lab.run.plan.organizations.readOnly === lab.organizationId('seller');
    if (one && shares) await expectNotVisible(lab, one, 'readOnly');
  }),

  check('ISO-04.wrong-state', ['connection', 'outsider'], async (lab) => {
    const { operations } = lab.target;
    const tried = await Promise.all(
      (await createInvoiceInEachState(lab)).map(async (invoice) => {
        const { record: before } = await findSettledInvoice(lab, invoice);
        const notOffered = lifecycle.actions.filter(
          (action) => operations[action] && !lifecycle.offered[invoice.state].includes(action),
        );
        for (const action of notOffered) await expectNoAccess(lab, action, invoice.id, 'outsider');
        await expectInvoiceUnchanged(lab, invoice, before);
        return notOffered.length;
      }),
    );
    if (tried.every((count) => count === 0)) notApplicable('no action is bound that these invoices do not offer');
  }),

  ...lifecycle.actions.map(outsiderActionCheck),

  check('ISO-07.balance', ['connection', 'seller', 'buyer', 'treasuryBalance', 'treasuryWithdraw'], async (lab) => {
    const mirrored = await findMirroredBalance(lab, readOtherPartyBalance, 'balances of both parties', 1);
    if (!mirrored) return;
    const because = 'it is that of the other party, also after a withdrawal of theirs';
    throw breach(lab, mirrored.other, 'a balance of its own for each organization', because, [mirrored.sandbox]);
  }),
]);
