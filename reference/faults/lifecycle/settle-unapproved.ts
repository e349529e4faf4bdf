import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';

export const lifecycleSettleUnapprovedFaults: readonly Fault[] = [
  {
    id: 'life-payment-before-state',
    requirement: 'LIFE-03',
    defect: 'A settlement books the payment, and then asks for the state: what is refused is paid all the same.',
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
    defect: 'Up to ten of whatever it is, nobody has to approve an invoice before it is paid.',
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
    defect: 'Settling what was never approved is refused with 409, as every other action out of its state.',
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
    defect: 'The payment of a disputed invoice is booked before its state is looked at, and stays booked.',
    caughtBy: ['LIFE-03.no-payment'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status === 'DISPUTED') base.settle(call, invoice);
        return base.transition(call, invoice, action);
      },
    })),
  },
];
