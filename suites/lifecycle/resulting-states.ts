import { listInvoices } from '../../helpers/api/operations.ts';
import type { JsonObject } from '../../helpers/api/responses.ts';
import { invoiceIn, is2xx, isSuccess } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase, withPriority } from '../../helpers/context/check.ts';
import { skipIfChangesSpontaneously } from '../../helpers/controls/spontaneous-change.ts';
import { findPassedTrial } from '../../helpers/fixtures/trial-invoice.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import {
  findSettledInvoice,
  hasLeftState,
  recentInvoicesReader,
  waitForInvoice,
} from '../../helpers/invoices/find-invoice.ts';
import {
  actionsLeadingTo,
  createInvoiceInState,
  recordInvoiceState,
  stateOffering,
} from '../../helpers/invoices/invoices.ts';
import { blockIfEffectLate } from '../../helpers/invoices/late-effect.ts';
import { expectOthersUnchanged } from '../../helpers/lifecycle/bystander-invoice.ts';
import { expectApprovalKept, expectFinalStatesKept, recordReached } from '../../helpers/lifecycle/final-states.ts';
import { expectNoFinding } from '../../helpers/lifecycle/random-walk-search.ts';
import { performInState } from '../../helpers/lifecycle/table-checks.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

function resultingStateCheck(action: Exclude<InvoiceAction, 'resolve' | 'delete'>): Check {
  const from = stateOffering(action);
  const to = lifecycle.leadsTo[action];
  return check(`LIFE-04.${action}`, ['connection', ...actionsLeadingTo(from), action], async (lab) => {
    const trial = to && (await findPassedTrial(lab, action));
    if (trial) return recordReached(lab, { ...trial.invoice, state: to });
    const { invoice, answer } = await performInState(lab, from, action);
    if (!isSuccess(answer)) notApplicable(`${action} was not accepted; LIFE-01 judges that`);
    const { held, record, response: seen } = await waitForInvoice(lab, invoice.id, (found) => found?.status === to);
    // What the answer itself shows was so, whatever has become of it since; what has ended there is looked at once more.
    if (to && invoiceIn(answer)?.status === to) recordReached(lab, { ...invoice, state: to });
    if (!held && to && invoiceIn(answer)?.status === to && record?.status !== from) {
      await skipIfChangesSpontaneously(lab, [to], lab.target.limits.settleWithinMs);
    }
    if (!held && record?.status === from) await blockIfEffectLate(lab, { id: invoice.id, from, response: answer });
    if (!held)
      throw breach(
        lab,
        seen,
        `status ${to} after an accepted ${action}`,
        `it is ${String(record?.status ?? 'gone')}; if this service has another request for it, correct operations.${action}`,
        [answer],
      );
    const ended = { ...invoice, state: to as InvoiceState };
    recordInvoiceState(lab, ended);
    if (invoiceIn(answer)?.status !== to) recordReached(lab, ended);
  });
}

export const resultingStatesChecks: readonly Check[] = withPriority('low', [
  resultingStateCheck('submit'),

  resultingStateCheck('approve'),

  resultingStateCheck('dispute'),

  resultingStateCheck('cancel'),

  resultingStateCheck('settle'),

  check('LIFE-04.delete', ['connection', 'delete'], async (lab) => {
    const invoice = await createInvoiceInState(lab, 'DRAFT');
    const answer = await performAction(lab, 'delete', invoice.id);
    if (!isSuccess(answer)) notApplicable('delete was not accepted; LIFE-01 judges that');
    const { held, record, response: seen } = await waitForInvoice(lab, invoice.id, hasLeftState('DRAFT', true));
    if (!held) await blockIfEffectLate(lab, { id: invoice.id, from: 'DRAFT', response: answer });
    if (!held) throw breach(lab, seen, 'no DRAFT any more after an accepted delete', 'it is still a DRAFT', [answer]);
    if (!record) lab.run.recordDeleted(invoice.id);
    else recordInvoiceState(lab, { id: invoice.id, state: record.status as InvoiceState });
  }),

  check('LIFE-04.delete-listed', ['connection', 'delete', 'read'], async (lab) => {
    const invoice = await createInvoiceInState(lab, 'DRAFT');
    // What is not to be seen yet would pass for deleted.
    await findSettledInvoice(lab, invoice);
    const deleted = await performAction(lab, 'delete', invoice.id);
    if (!isSuccess(deleted)) notApplicable('delete was not accepted; LIFE-01 judges that');
    const { record } = await waitForInvoice(lab, invoice.id, hasLeftState('DRAFT', true));
    if (record) return notApplicable(`a deleted draft is kept as ${String(record.status)}`);
    lab.run.recordDeleted(invoice.id);
    const shows = ({ records }: { records: JsonObject[] }) => records.some(({ id }) => String(id) === invoice.id);
    // Whether the buyer's key may list is not shown.
    const buyers =
      lab.target.actors.buyer && (await listInvoices(lab, { page: 0, limit: 1 }, { as: lab.credentials('buyer') }));
    for (const name of buyers && is2xx(buyers) ? (['seller', 'buyer'] as const) : (['seller'] as const)) {
      const seen = await pollUntil(
        lab,
        // Others push it off the first page sooner or later, which is no way of being deleted.
        recentInvoicesReader(lab, name),
        (each) => !shows(each),
      );
      const because = `the list of the ${name} shows it`;
      if (shows(seen))
        throw breach(lab, seen.answer, `no invoice ${invoice.id}, which was deleted`, because, [deleted]);
    }
  }),

  checkInPhase('late', 'LIFE-04.approval-not-reverted', ['connection'], async (lab) => {
    if ((await expectApprovalKept(lab)) === 0) notApplicable('no invoice was ever seen APPROVED');
  }),

  check('LIFE-10.random-sequence', ['connection', 'buyer', 'submit'], (lab) => expectNoFinding(lab, ['other invoice'])),

  check('LIFE-10.similar-invoice', ['connection'], async (lab) => {
    if ((await expectOthersUnchanged(lab)) === 0) notApplicable('no action could be performed beside another invoice');
  }),

  checkInPhase('late', 'LIFE-12.final', ['connection'], async (lab) => {
    if ((await expectFinalStatesKept(lab)) === 0) notApplicable('no invoice was ever seen SETTLED or CANCELLED');
  }),
]);
