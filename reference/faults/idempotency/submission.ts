import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import {
  changeReplay,
  changeReplayInState,
  changeReplayKey,
  currentInvoice,
  expireReplays,
  REPLAY_EXPIRY_MS,
  requestIdWithEnvironment,
} from '../support/replays.ts';

export const idempotencySubmissionFaults: readonly Fault[] = [
  {
    id: 'idem-submit-one-request-id-per-invoice',
    requirement: 'IDEM-03',
    defect: 'An invoice stores one requestId: after a creation with one, a submission with another is rejected.',
    caughtBy: ['IDEM-03.original-response'],
    rules: overrideRules((base) => {
      const taken = new Set<string>();
      return {
        issueInvoice: (call, input, invoiceNumber) => {
          const invoice = base.issueInvoice(call, input, invoiceNumber);
          if (input.requestId) taken.add(invoice.id);
          return invoice;
        },
        replayKey: (call, requestId, subject) => {
          const another = call.route.name === 'submit' && requestId && taken.has(call.request.params.id ?? '');
          if (another) throw rejections.actionNotAllowed();
          return base.replayKey(call, requestId, subject);
        },
      };
    }),
  },
  {
    id: 'idem-submit-by-header',
    requirement: 'IDEM-03',
    defect: 'The headers are part of the stored request: the same request with X-Environment is a new one.',
    caughtBy: ['IDEM-03.environment'],
    rules: changeReplayKey('submit', requestIdWithEnvironment),
  },
  {
    id: 'idem-submit-restores-state',
    requirement: 'IDEM-03',
    defect: 'A replayed submission restores the state of the original, even if the invoice was cancelled since.',
    caughtBy: ['IDEM-03.after-cancel'],
    rules: changeReplay('submit', (response, { world: environment, request }) => {
      const invoice = environment.invoices.get(request.params.id ?? '');
      if (invoice?.status === 'CANCELLED') invoice.status = 'SUBMITTED';
      return response;
    }),
  },
  {
    id: 'idem-submit-not-implemented',
    requirement: 'IDEM-03',
    defect: 'Submission accepts a requestId but ignores it: the replay is rejected with 412.',
    caughtBy: ['IDEM-03.original-response', 'IDEM-03.late', 'IDEM-03.after-approval'],
    rules: changeReplayKey('submit', () => undefined),
  },
  {
    id: 'idem-submit-expires',
    requirement: 'IDEM-03',
    defect: 'The record of a submission expires after a moment.',
    caughtBy: ['IDEM-03.late'],
    alsoRun: ['IDEM-03.original-response', 'HOOK-05.third-organization'],
    rules: expireReplays('submit', REPLAY_EXPIRY_MS),
  },
  {
    id: 'idem-submit-current-state',
    requirement: 'IDEM-03',
    defect: 'A replayed submission returns the current invoice.',
    caughtBy: ['IDEM-03.after-approval'],
    rules: changeReplay('submit', currentInvoice),
  },
  {
    id: 'idem-submit-resets-state',
    requirement: 'IDEM-03',
    defect: 'A replayed submission writes SUBMITTED again and reverses the approval.',
    caughtBy: ['IDEM-03.after-approval'],
    rules: changeReplay('submit', (response, { world: environment }) => {
      const invoice = environment.invoices.get((response.body as { id: string }).id);
      if (invoice) invoice.status = 'SUBMITTED';
      return response;
    }),
  },
  {
    id: 'idem-submit-disputed-current-state',
    requirement: 'IDEM-03',
    defect: 'A replayed submission shows a later dispute.',
    caughtBy: ['IDEM-03.after-dispute'],
    rules: changeReplayInState('DISPUTED', 'submit', currentInvoice),
  },
  {
    id: 'idem-submit-resolved-rejected',
    requirement: 'IDEM-03',
    defect: 'A resolution clears the record of the submission: its replay is judged by the state.',
    caughtBy: ['IDEM-03.after-resolution'],
    rules: overrideRules((base) => {
      const resolved = new Set<string>();
      return {
        changeInvoice: (call, invoice, next, input) => {
          if (invoice.status === 'DISPUTED') resolved.add(invoice.id);
          base.changeInvoice(call, invoice, next, input);
        },
        replay: (call, key, perform) =>
          resolved.has(call.request.params.id ?? '')
            ? base.replay(call, undefined, perform)
            : base.replay(call, key, perform),
      };
    }),
  },
  {
    id: 'idem-submit-settled-rejected',
    requirement: 'IDEM-03',
    defect: 'A settlement clears the record of the submission: its replay is rejected.',
    caughtBy: ['IDEM-03.after-settlement'],
    rules: changeReplayInState('SETTLED', 'submit', () => {
      throw rejections.actionNotAllowed();
    }),
  },
];
