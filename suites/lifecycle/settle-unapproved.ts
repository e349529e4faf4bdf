import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check, checkInPhase, FIRST_IN_LATE } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { SMALL_AMOUNTS } from '../../helpers/data/amounts.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { tryCreateInvoice } from '../../helpers/fixtures/created-invoice.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { isSettlingUnapproved, moveToState, needsToReach } from '../../helpers/invoices/invoices.ts';
import { expectStateRejection } from '../../helpers/lifecycle/rejected-action.ts';
import { filterTableCells, rejectedActionCheck } from '../../helpers/lifecycle/transition-checks.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';
import { expectNoPayment, SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';
import { isSinglePayment } from '../../helpers/treasury/settlements/single-payment.ts';

export const settleUnapprovedChecks: readonly Check[] = [
  check('LIFE-03.small', ['connection', ...needsToReach('SUBMITTED'), 'settle'], async (ctx) => {
    const worksElsewhere = await runActionControl(ctx, 'settle');
    const tried = SMALL_AMOUNTS.map(async (amount) => {
      const created = await tryCreateInvoice(ctx, { ...validBody(ctx), amount });
      if (!created) return [];
      const invoice = await moveToState(ctx, created, 'SUBMITTED');
      const { record: before } = await findSettledInvoice(ctx, invoice);
      await expectStateRejection(ctx, 'settle', invoice, { conflict: false, worksElsewhere });
      await expectInvoiceUnchanged(ctx, invoice, before);
      return [amount];
    });
    if ((await Promise.all(tried)).flat().length === 0)
      notApplicable(`the server accepts no invoice of ${SMALL_AMOUNTS.join(' or ')}`);
  }),

  ...filterTableCells(isSettlingUnapproved).map(([state, action]) => rejectedActionCheck(state, action)),

  checkInPhase(FIRST_IN_LATE, 'LIFE-03.no-payment', SETTLEMENT_NEEDS, async (ctx) => {
    if (!(await isSinglePayment(ctx))) await expectNoPayment(ctx);
  }),
];
