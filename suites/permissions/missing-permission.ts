import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import type { ActExtra } from '../../helpers/api/operations.ts';
import { act, createAt, list, postInvoice, treasury } from '../../helpers/api/operations.ts';
import { describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { OTHER_PATHS } from '../../helpers/api/undeclared-paths.ts';
import { expectRefused } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { replayedSubmission } from '../../helpers/authentication/rejected-replays.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { actionWorks, creationWorks } from '../../helpers/controls/controls.ts';
import { expectCreationRefused, expectNoneCreated } from '../../helpers/creation/rejected-creation.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { ownSum } from '../../helpers/data/withdrawal-amounts.ts';
import { badReset, expectStillLive } from '../../helpers/environments/sandbox-reset.ts';
import { borrowing } from '../../helpers/fixtures/borrowed-invoices.ts';
import { original } from '../../helpers/idempotency/replay.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { lookSettled } from '../../helpers/invoices/find-invoice.ts';
import { operationsTo, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectEffectAtAll } from '../../helpers/lifecycle/accepted-without-effect.ts';
import { expectUnmoved } from '../../helpers/lifecycle/rejected-action.ts';
import { expectNothingPaid } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import type { Replayable } from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { repeatedWithdrawal } from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { SMALL_SUM, smallWithdrawal } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';
import { noNotificationCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { acceptedSubscription, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

/** Where the action is the other party's, the seller's read-only key may be refused as the wrong party as well. */
const WRONG_PARTY_TOO = [403, 404, 409, 412];

const takesRequestId: readonly InvoiceAction[] = ['submit'];

function refusedToReader(action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(
    `PERM-01.${action}` as CheckId,
    ['connection', 'readOnly', ...operationsTo(state), action],
    async (lab) => {
      if (!(await actionWorks(lab, action))) notApplicable(`no invoice is ever ${state}`);
      await borrowing(lab, state, async (invoice) => {
        const { record: before } = await lookSettled(lab, invoice);
        const as = lab.who('readOnly');
        const statuses = partyFor(lab, action) === 'seller' ? [403] : WRONG_PARTY_TOO;
        // With a requestId a request may take another path.
        const named = { as, headers: ownEnvironment };
        const replayed = takesRequestId.includes(action) ? [{ as, requestId: lab.requestId() }] : [];
        for (const extra of [{ as }, named, ...replayed]) {
          const answer = await act(lab, action, invoice.id, extra);
          if (isSuccess(answer)) await expectEffectAtAll(lab, action, invoice);
          expectRefused(lab, answer, statuses);
          await expectUnmoved(lab, invoice, before, answer);
        }
      });
    },
  );
}

/** A withdrawal with a requestId, accepted or not. */
async function replayable(lab: Lab): Promise<Replayable> {
  const requestId = lab.requestId();
  const { text } = ownSum(lab, 'read-only, replayed');
  const again = (asking: Lab, more: ActExtra = {}) =>
    treasury(asking, 'treasuryWithdraw', { requestId, ...more }, text);
  return { first: await again(lab), again };
}

export const missingPermissionChecks: readonly Check[] = [
  check('PERM-01.create', ['connection', 'readOnly'], async (lab) => {
    await creationWorks(lab);
    lab.observe('read-only-may-list', (await list(lab, {}, { as: lab.who('readOnly') })).status);
    const as = lab.who('readOnly');
    const { body } = await original(lab);
    for (const [more, extra] of [
      [{}, { as }],
      [{}, { as, headers: ownEnvironment }],
      [{ requestId: lab.requestId() }, { as }],
    ] as const) {
      await expectCreationRefused(lab, { spoil: (valid) => ({ ...valid, ...more }), statuses: [403], extra });
    }
    // What another key of the organization was given is no answer to one that may not ask.
    expectRefused(lab, await postInvoice(lab, body, { as }), [403]);
  }),

  check('PERM-01.other-paths', ['connection', 'readOnly'], async (lab) => {
    await creationWorks(lab);
    const as = lab.who('readOnly');
    const bodies = OTHER_PATHS.map(() => validBody(lab));
    // Whatever comes for a path that is not declared, it is no invoice.
    const answers = await Promise.all(OTHER_PATHS.map((path, at) => createAt(lab, path, bodies[at] ?? {}, { as })));
    await expectNoneCreated(lab, answers, bodies);
  }),

  refusedToReader('submit'),

  refusedToReader('delete'),

  refusedToReader('cancel'),

  refusedToReader('approve'),

  refusedToReader('dispute'),

  refusedToReader('settle'),

  refusedToReader('resolve'),

  checkIn('reset', 'PERM-01.reset', ['reset', 'seller', 'readOnly'], async (lab) => {
    const { answers, after } = await badReset(lab, 'permission');
    for (const answer of answers) expectRefused(lab, answer, [403]);
    expectStillLive(lab, after);
  }),

  check('PERM-01.webhook-create', ['seller', 'readOnly'], async (lab) => {
    const url = await acceptedSubscription(lab);
    const as = lab.who('readOnly');
    expectRefused(lab, await subscribe(lab, { url }, { as }), [403]);
    expectRefused(lab, await subscribe(lab, { url: `${url}/named` }, { as, headers: ownEnvironment }), [403]);
  }),

  // It has the funds to itself for a while, and stands with others that do.
  check('PERM-01.treasury-withdraw', ['seller', 'readOnly', 'treasuryWithdraw'], async (lab) => {
    const as = lab.who('readOnly');
    const extras = [{ as }, { as, requestId: lab.requestId() }, { as, headers: ownEnvironment }];
    const { first: control, again } = (await repeatedWithdrawal(lab)) ?? (await replayable(lab));
    await expectNothingPaid(lab, 'read-only', extras, (answer) => {
      const refusedToAll = !isSuccess(control) && answer.status === control.status && answer.status !== 403;
      if (refusedToAll) notApplicable(`a withdrawal is refused to everybody: ${describeResponse(control)}`);
      expectRefused(lab, answer, [403]);
    });
    // Nor may it take so little that nobody looks at it twice.
    if ((await smallWithdrawal(lab)) || isSuccess(await treasury(lab, 'treasuryWithdraw', {}, SMALL_SUM)))
      expectRefused(lab, await treasury(lab, 'treasuryWithdraw', { as }, SMALL_SUM), [403]);
    // What another key of the organization was given is no answer to one that may not ask.
    if (!isSuccess(control)) return;
    expectRefused(lab, await again(lab, { as }), [403]);
  }),

  noNotificationCheck('PERM-01.webhook-no-notification', 'permission', 'readOnly'),

  check('PERM-03.replayed', ['connection', 'submit', 'readOnly'], async (lab) => {
    const { again } = await replayedSubmission(lab);
    expectRefused(lab, await again(lab, { as: lab.who('readOnly') }), [403]);
  }),
];
