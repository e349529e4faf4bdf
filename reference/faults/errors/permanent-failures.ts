import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Rules } from '../../service/rules.ts';
import type { Fault } from '../fault.ts';

const fault = (
  id: string,
  check: CheckId,
  defect: string,
  change: (base: Readonly<Rules>) => Partial<Rules>,
): Fault => ({
  id,
  requirement: check.split('.')[0] ?? '',
  defect,
  caughtBy: [check],
  rules: overrideRules(change),
});

/** One operation rejects every valid request. */
const failing = (id: string, check: CheckId, defect: string, path: RegExp, refusal: () => RejectionError): Fault =>
  fault(id, check, defect, (base) => ({
    parseBody: (service, request) => {
      const body = base.parseBody(service, request);
      if (request.method === 'POST' && path.test(request.path)) throw refusal();
      return body;
    },
  }));

/** Fails every second time. */
const alternating = (refusal: () => RejectionError) => {
  let count = 0;
  return () => {
    count += 1;
    if (count % 2 === 0) throw refusal();
  };
};

export const errorsPermanentFailuresFaults: readonly Fault[] = [
  failing(
    'err-every-withdrawal-fails',
    'ERR-12.withdrawal',
    'The account of payouts is not configured in the sandbox: every valid withdrawal returns 500.',
    /\/withdraw$/,
    rejections.internal,
  ),
  failing(
    'err-every-balance-fails',
    'ERR-12.balance',
    'The ledger is not deployed in the sandbox: every valid request for the balance returns 500.',
    /\/balance$/,
    rejections.internal,
  ),
  failing(
    'err-every-subscription-fails',
    'HOOK-01.created',
    'The table of subscriptions is missing: every valid subscription returns 500.',
    /\/webhooks$/,
    rejections.internal,
  ),
  failing(
    'err-every-submission-taken',
    'LIFE-01.draft-submit',
    'The sequence of numbers was restored from an old backup: every submission returns 409 INV003.',
    /\/submit$/,
    rejections.numberTaken,
  ),
  failing(
    'err-every-settlement-locked',
    'LIFE-01.approved-settle',
    'A lock of a settlement was never released: every settlement returns 409.',
    /\/settle$/,
    () => new RejectionError(409, 'LOCK001', 'The invoice is locked'),
  ),
  {
    ...fault(
      'err-every-second-creation-taken',
      'ERR-10.number-taken',
      'Two processes share a sequence of numbers: every second creation returns 409 INV003.',
      (base) => {
        const check = alternating(rejections.numberTaken);
        return {
          nextInvoiceNumber: (call, connection) => {
            check();
            return base.nextInvoiceNumber(call, connection);
          },
        };
      },
    ),
    traffic: 'full',
  },
  fault(
    'err-every-second-read-absent',
    'ERR-10.existing-invoice',
    'One of two replicas has stopped replication: every second read returns 404.',
    (base) => {
      const check = alternating(rejections.invoiceNotFound);
      return {
        renderRead: (call, invoice) => {
          check();
          return base.renderRead(call, invoice);
        },
      };
    },
  ),
  fault(
    'err-actions-without-effect',
    'LIFE-04.submit',
    'Every action is queued with 202, and no worker reads the queue.',
    (base) => ({
      applyEffect: () => {},
      renderChanged: (call, invoice, action) => ({ ...base.renderChanged(call, invoice, action), status: 202 }),
    }),
  ),
];
