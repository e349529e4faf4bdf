import { list } from '../../helpers/api/operations.ts';
import type { JsonObject } from '../../helpers/api/responses.ts';
import { invoiceIn, isShown, isSuccess } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn, withPriority } from '../../helpers/context/check.ts';
import { expectStaysByItself } from '../../helpers/controls/spontaneous-change.ts';
import { trialPassed } from '../../helpers/fixtures/trial-invoice.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import { hasLeft, lookSettled, lookUntil, recent } from '../../helpers/invoices/find-invoice.ts';
import { keepTrack, operationsTo, reach, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectNotLate } from '../../helpers/invoices/late-effect.ts';
import { expectOthersLeftAlone } from '../../helpers/lifecycle/bystander-invoice.ts';
import { expectStillApproved, expectStillEnded, noteReached } from '../../helpers/lifecycle/final-states.ts';
import { expectNothingFound } from '../../helpers/lifecycle/random-walk-search.ts';
import { performed } from '../../helpers/lifecycle/table-checks.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

function resultingStateCheck(action: Exclude<InvoiceAction, 'resolve' | 'delete'>): Check {
  const from = stateOffering(action);
  const to = lifecycle.leadsTo[action];
  return check(`LIFE-04.${action}`, ['connection', ...operationsTo(from), action], async (lab) => {
    const trial = to && (await trialPassed(lab, action));
    if (trial) return noteReached(lab, { ...trial.invoice, state: to });
    const { invoice, answer } = await performed(lab, from, action);
    if (!isSuccess(answer)) notApplicable(`${action} was not accepted; LIFE-01 judges that`);
    const { held, record, answer: seen } = await lookUntil(lab, invoice.id, (found) => found?.status === to);
    // What the answer itself shows was so, whatever has become of it since; what has ended there is looked at once more.
    if (to && invoiceIn(answer)?.status === to) noteReached(lab, { ...invoice, state: to });
    if (!held && to && invoiceIn(answer)?.status === to && record?.status !== from) {
      await expectStaysByItself(lab, [to], lab.target.limits.settleWithinMs);
    }
    if (!held && record?.status === from) await expectNotLate(lab, { id: invoice.id, from, answer });
    if (!held)
      throw breach(
        lab,
        seen,
        `status ${to} after an accepted ${action}`,
        `it is ${String(record?.status ?? 'gone')}; if this service has another request for it, correct operations.${action}`,
        [answer],
      );
    const ended = { ...invoice, state: to as InvoiceState };
    keepTrack(lab, ended);
    if (invoiceIn(answer)?.status !== to) noteReached(lab, ended);
  });
}

export const resultingStatesChecks: readonly Check[] = withPriority('low', [
  resultingStateCheck('submit'),

  resultingStateCheck('approve'),

  resultingStateCheck('dispute'),

  resultingStateCheck('cancel'),

  resultingStateCheck('settle'),

  check('LIFE-04.delete', ['connection', 'delete'], async (lab) => {
    const invoice = await reach(lab, 'DRAFT');
    const answer = await perform(lab, 'delete', invoice.id);
    if (!isSuccess(answer)) notApplicable('delete was not accepted; LIFE-01 judges that');
    const { held, record, answer: seen } = await lookUntil(lab, invoice.id, hasLeft('DRAFT', true));
    if (!held) await expectNotLate(lab, { id: invoice.id, from: 'DRAFT', answer });
    if (!held) throw breach(lab, seen, 'no DRAFT any more after an accepted delete', 'it is still a DRAFT', [answer]);
    if (!record) lab.run.removed(invoice.id);
    else keepTrack(lab, { id: invoice.id, state: record.status as InvoiceState });
  }),

  check('LIFE-04.delete-listed', ['connection', 'delete', 'read'], async (lab) => {
    const invoice = await reach(lab, 'DRAFT');
    // What is not to be seen yet would pass for deleted.
    await lookSettled(lab, invoice);
    const deleted = await perform(lab, 'delete', invoice.id);
    if (!isSuccess(deleted)) notApplicable('delete was not accepted; LIFE-01 judges that');
    const { record } = await lookUntil(lab, invoice.id, hasLeft('DRAFT', true));
    if (record) return notApplicable(`a deleted draft is kept as ${String(record.status)}`);
    lab.run.removed(invoice.id);
    const shows = ({ records }: { records: JsonObject[] }) => records.some(({ id }) => String(id) === invoice.id);
    // Whether the buyer's key may list is not shown.
    const buyers = lab.target.actors.buyer && (await list(lab, { page: 0, limit: 1 }, { as: lab.who('buyer') }));
    for (const name of buyers && isShown(buyers) ? (['seller', 'buyer'] as const) : (['seller'] as const)) {
      const seen = await pollUntil(
        lab,
        // Others push it off the first page sooner or later, which is no way of being deleted.
        recent(lab, name),
        (each) => !shows(each),
      );
      const because = `the list of the ${name} shows it`;
      if (shows(seen))
        throw breach(lab, seen.answer, `no invoice ${invoice.id}, which was deleted`, because, [deleted]);
    }
  }),

  checkIn('late', 'LIFE-04.approval-not-reverted', ['connection'], async (lab) => {
    if ((await expectStillApproved(lab)) === 0) notApplicable('no invoice was ever seen APPROVED');
  }),

  check('LIFE-10.random-sequence', ['connection', 'buyer', 'submit'], (lab) =>
    expectNothingFound(lab, ['other invoice']),
  ),

  check('LIFE-10.similar-invoice', ['connection'], async (lab) => {
    if ((await expectOthersLeftAlone(lab)) === 0) notApplicable('no action could be performed beside another invoice');
  }),

  checkIn('late', 'LIFE-12.final', ['connection'], async (lab) => {
    if ((await expectStillEnded(lab)) === 0) notApplicable('no invoice was ever seen SETTLED or CANCELLED');
  }),
]);
