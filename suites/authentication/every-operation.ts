import type { Credentials } from '../../helpers/api/invalid-credentials.ts';
import {
  refusedEverywhere,
  refusedOnList,
  revoked,
  sandboxKeys,
  waysToFail,
  wrongSecretOfEach,
} from '../../helpers/api/invalid-credentials.ts';
import { act, binding, list, postInvoice, readInvoice, treasury, WAYS_TO_LIST } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { expectRefused } from '../../helpers/assert/expect.ts';
import { expectEachReplay } from '../../helpers/authentication/rejected-replays.ts';
import { expectNoCreation, expectUnauthorized, TELLING } from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { callWitnesses } from '../../helpers/controls/untouched-invoices.ts';
import { badReset, expectStillLive } from '../../helpers/environments/sandbox-reset.ts';
import { borrowing } from '../../helpers/fixtures/borrowed-invoices.ts';
import { original } from '../../helpers/idempotency/replay.ts';
import { lookSettled } from '../../helpers/invoices/find-invoice.ts';
import { freshInvoice, operationsTo, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectUnmoved } from '../../helpers/lifecycle/rejected-action.ts';
import { expectNothingPaid } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { noNotificationCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { acceptedSubscription, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

const REPLAYED_WITH = ['both-missing', 'key-missing', 'secret-wrong'] as const;

type Refusal = (lab: Lab, as: Credentials) => Promise<ApiResponse>;

async function expectAllRefused(lab: Lab, ask: Refusal): Promise<void> {
  const failures = await refusedEverywhere(lab);
  const answers = await Promise.all(failures.map((as) => ask(lab, as)));
  for (const answer of answers) expectRefused(lab, answer, [401]);
}

/** The action that the state offers, so that a server which forgets to ask would carry it out. */
function refusedAction(action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(`AUTH-07.${action}` as CheckId, ['connection', ...operationsTo(state), action], async (lab) => {
    // What moves invoices by itself shows by those that were there before.
    await callWitnesses(lab);
    await borrowing(lab, state, async (invoice) => {
      const { record: before } = await lookSettled(lab, invoice);
      await expectAllRefused(lab, (_, as) => act(lab, action, invoice.id, { as }));
      await expectUnmoved(lab, invoice, before);
    });
  });
}

export const everyOperationChecks: readonly Check[] = [
  check('AUTH-07.list', ['seller'], async (lab) => {
    const ended = lab.target.actors.revoked ? await refusedOnList(lab, [revoked(lab)]) : [];
    const failures = [...TELLING.map((way) => waysToFail[way](lab)), ...ended];
    const asked = failures.flatMap((as) => WAYS_TO_LIST.map((query) => list(lab, query, { as })));
    for (const answer of await Promise.all(asked)) expectRefused(lab, answer, [401]);
  }),

  check('AUTH-07.create', ['connection'], async (lab) => {
    const failures = await refusedEverywhere(lab);
    // Which key may create is asked of those alone who can say who they are.
    const wrongSecrets = await refusedOnList(lab, wrongSecretOfEach(lab, sandboxKeys(lab)));
    // AUTH-04.revoked-write owns the revoked key.
    const ended = lab.target.actors.revoked ? revoked(lab).as : null;
    await expectNoCreation(lab, [...failures.filter(({ as }) => as !== ended), ...wrongSecrets]);
    // What was answered once is no answer to one who cannot say who they are.
    const { body } = await original(lab);
    const replayed = new Set(REPLAYED_WITH.map((way) => waysToFail[way](lab).as));
    for (const as of failures.filter((each) => replayed.has(each.as))) {
      expectRefused(lab, await postInvoice(lab, body, { as }), [401]);
    }
  }),

  check('AUTH-07.read', ['connection', 'read'], async (lab) => {
    const { id } = await freshInvoice(lab);
    await expectAllRefused(lab, (_, as) => readInvoice(lab, id, { as }));
    // With anything of production nothing but a GET is sent.
    if (binding(lab, 'read').method !== 'GET') return;
    expectUnauthorized(lab, await Promise.all(wrongSecretOfEach(lab).map((as) => readInvoice(lab, id, { as }))));
  }),

  ...lifecycle.actions.map(refusedAction),

  check('AUTH-07.webhook-create', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    await expectAllRefused(lab, (_, as) => subscribe(lab, { url }, { as }));
  }),

  check('AUTH-07.treasury-balance', ['treasuryBalance'], (lab) =>
    expectAllRefused(lab, (_, as) => treasury(lab, 'treasuryBalance', { as })),
  ),

  check('AUTH-07.treasury-withdraw', ['treasuryWithdraw'], async (lab) => {
    const extras = (await refusedEverywhere(lab)).map((as) => ({ as }));
    await expectNothingPaid(lab, 'unauthorized', extras, (answer) => expectRefused(lab, answer, [401]));
  }),

  checkIn('reset', 'AUTH-07.reset', ['reset', 'seller'], async (lab) => {
    const { answers, after } = await badReset(lab, 'credentials');
    for (const answer of answers) expectRefused(lab, answer, [401]);
    expectStillLive(lab, after);
  }),

  check('AUTH-07.replayed', ['connection', 'submit'], (lab) => {
    const failures: Credentials[] = (['secret-wrong', 'both-missing'] as const).map((way) => waysToFail[way](lab));
    return expectEachReplay(
      lab,
      [...failures, ...lab.known('revoked').map((name) => lab.who(name))].map((as) => ({ as })),
      (answer) => expectRefused(lab, answer, [401]),
    );
  }),

  noNotificationCheck('AUTH-07.webhook-no-notification', 'credentials'),
];
