import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';

export const lifecycleSettleUnapprovedFaults: readonly Fault[] = [
  {
    id: 'life-payment-before-state',
    requirement: 'LIFE-03',
    defect: 'A settlement books the payment before it checks the state: a rejected settlement is paid, too.',
    caughtBy: ['LIFE-03.no-payment'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status === 'SUBMITTED') base.settle(call, invoice);
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-small-needs-no-approval',
    requirement: 'LIFE-03',
    defect: 'An invoice of up to 10 units can be settled without an approval.',
    caughtBy: ['LIFE-03.small'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) =>
        action === 'settle' && invoice.status === 'SUBMITTED' && Number(invoice.amount) <= 10
          ? 'SETTLED'
          : base.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-conflict-without-exception',
    requirement: 'LIFE-03',
    defect: 'Settling an invoice that was never approved is rejected with 409, like any other action in a wrong state.',
    caughtBy: [
      'LIFE-03.draft-settle',
      'LIFE-03.submitted-settle',
      'LIFE-03.disputed-settle',
      'LIFE-03.cancelled-settle',
    ],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status !== 'APPROVED') throw rejections.actionConflict();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'treas-disputed-settlement-charged',
    requirement: 'LIFE-03',
    defect: 'The payment of a disputed invoice is booked before its state is checked, and is not reversed.',
    caughtBy: ['LIFE-03.no-payment'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status === 'DISPUTED') base.settle(call, invoice);
        return base.transition(call, invoice, action);
      },
    })),
  },
];
