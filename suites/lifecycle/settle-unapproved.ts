import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn, FIRST_IN_LATE, withPriority } from '../../helpers/context/check.ts';
import { actionWorks } from '../../helpers/controls/controls.ts';
import { SMALL_SUMS } from '../../helpers/data/amounts.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { createdOf } from '../../helpers/fixtures/created-invoice.ts';
import { lookSettled } from '../../helpers/invoices/find-invoice.ts';
import { bring, operationsTo, settlesUnapproved } from '../../helpers/invoices/invoices.ts';
import { expectStateRefusal, expectUnmoved } from '../../helpers/lifecycle/rejected-action.ts';
import { cellsWhere, rejectedActionCheck } from '../../helpers/lifecycle/table-checks.ts';
import { expectUnpaid, SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';
import { isOnePayment } from '../../helpers/treasury/settlements/single-payment.ts';

export const settleUnapprovedChecks: readonly Check[] = withPriority('low', [
  check('LIFE-03.small', ['connection', ...operationsTo('SUBMITTED'), 'settle'], async (lab) => {
    const worksElsewhere = await actionWorks(lab, 'settle');
    const tried = SMALL_SUMS.map(async (amount) => {
      const created = await createdOf(lab, { ...validBody(lab), amount });
      if (!created) return [];
      const invoice = await bring(lab, created, 'SUBMITTED');
      const { record: before } = await lookSettled(lab, invoice);
      await expectStateRefusal(lab, 'settle', invoice, { conflict: false, worksElsewhere });
      await expectUnmoved(lab, invoice, before);
      return [amount];
    });
    if ((await Promise.all(tried)).flat().length === 0)
      notApplicable(`no invoice of ${SMALL_SUMS.join(' or ')} is accepted`);
  }),

  ...cellsWhere(settlesUnapproved).map(([state, action]) => rejectedActionCheck(state, action)),

  checkIn(FIRST_IN_LATE, 'LIFE-03.no-payment', SETTLEMENT_NEEDS, async (lab) => {
    if (!(await isOnePayment(lab))) await expectUnpaid(lab);
  }),
]);
