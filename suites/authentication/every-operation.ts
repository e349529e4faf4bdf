import type { Credentials } from '../../helpers/api/invalid-credentials.ts';
import {
  credentialsRejectedByList,
  invalidCredentials,
  nonSellerSandboxActors,
  otherKeysWithWrongSecret,
  rejectedCredentials,
  revokedCredentials,
} from '../../helpers/api/invalid-credentials.ts';
import {
  LIST_QUERY_VARIANTS,
  listInvoices,
  postInvoice,
  readInvoice,
  requireBinding,
  sendAction,
  sendTreasuryRequest,
} from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { forEachReplay } from '../../helpers/authentication/rejected-replays.ts';
import {
  expectCreationUnauthorized,
  expectUnauthorized,
  REPRESENTATIVE_FAILURES,
} from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { createUntouchedInvoices } from '../../helpers/controls/untouched-invoices.ts';
import { expectKeyStillValid, sendInvalidReset } from '../../helpers/environments/sandbox-reset.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { createOriginal } from '../../helpers/idempotency/replay.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { actionsLeadingTo, createInvoice, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/rejected-action.ts';
import { expectNoWithdrawal } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { noNotificationCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { acceptedSubscriptionUrl, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

const REPLAY_CREDENTIALS = ['both-missing', 'key-missing', 'secret-wrong'] as const;

type RequestWithCredentials = (lab: CheckContext, as: Credentials) => Promise<ApiResponse>;

async function expectAllRejected(lab: CheckContext, ask: RequestWithCredentials): Promise<void> {
  const failures = await rejectedCredentials(lab);
  const answers = await Promise.all(failures.map((as) => ask(lab, as)));
  for (const answer of answers) expectRejected(lab, answer, [401]);
}

/** The action that the state offers, so that a server which forgets to ask would carry it out. */
function unauthorizedActionCheck(action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(`AUTH-07.${action}` as CheckId, ['connection', ...actionsLeadingTo(state), action], async (lab) => {
    // What moves invoices by itself shows by those that were there before.
    await createUntouchedInvoices(lab);
    await withSharedInvoice(lab, state, async (invoice) => {
      const { record: before } = await findSettledInvoice(lab, invoice);
      await expectAllRejected(lab, (_, as) => sendAction(lab, action, invoice.id, { as }));
      await expectInvoiceUnchanged(lab, invoice, before);
    });
  });
}

export const everyOperationChecks: readonly Check[] = [
  check('AUTH-07.list', ['seller'], async (lab) => {
    const ended = lab.target.actors.revoked ? await credentialsRejectedByList(lab, [revokedCredentials(lab)]) : [];
    const failures = [...REPRESENTATIVE_FAILURES.map((way) => invalidCredentials[way](lab)), ...ended];
    const asked = failures.flatMap((as) => LIST_QUERY_VARIANTS.map((query) => listInvoices(lab, query, { as })));
    for (const answer of await Promise.all(asked)) expectRejected(lab, answer, [401]);
  }),

  check('AUTH-07.create', ['connection'], async (lab) => {
    const failures = await rejectedCredentials(lab);
    // Which key may create is asked of those alone who can say who they are.
    const wrongSecrets = await credentialsRejectedByList(
      lab,
      otherKeysWithWrongSecret(lab, nonSellerSandboxActors(lab)),
    );
    // AUTH-04.revoked-write owns the revoked key.
    const ended = lab.target.actors.revoked ? revokedCredentials(lab).actorLabel : null;
    await expectCreationUnauthorized(lab, [...failures.filter(({ actorLabel: as }) => as !== ended), ...wrongSecrets]);
    // What was answered once is no answer to one who cannot say who they are.
    const { body } = await createOriginal(lab);
    const replayed = new Set(REPLAY_CREDENTIALS.map((way) => invalidCredentials[way](lab).actorLabel));
    for (const as of failures.filter((each) => replayed.has(each.actorLabel))) {
      expectRejected(lab, await postInvoice(lab, body, { as }), [401]);
    }
  }),

  check('AUTH-07.read', ['connection', 'read'], async (lab) => {
    const { id } = await createInvoice(lab);
    await expectAllRejected(lab, (_, as) => readInvoice(lab, id, { as }));
    // With anything of production nothing but a GET is sent.
    if (requireBinding(lab, 'read').method !== 'GET') return;
    expectUnauthorized(lab, await Promise.all(otherKeysWithWrongSecret(lab).map((as) => readInvoice(lab, id, { as }))));
  }),

  ...lifecycle.actions.map(unauthorizedActionCheck),

  check('AUTH-07.webhook-create', ['seller'], async (lab) => {
    const url = await acceptedSubscriptionUrl(lab);
    await expectAllRejected(lab, (_, as) => subscribe(lab, { url }, { as }));
  }),

  check('AUTH-07.treasury-balance', ['treasuryBalance'], (lab) =>
    expectAllRejected(lab, (_, as) => sendTreasuryRequest(lab, 'treasuryBalance', { as })),
  ),

  check('AUTH-07.treasury-withdraw', ['treasuryWithdraw'], async (lab) => {
    const extras = (await rejectedCredentials(lab)).map((as) => ({ as }));
    await expectNoWithdrawal(lab, 'unauthorized', extras, (answer) => expectRejected(lab, answer, [401]));
  }),

  checkInPhase('reset', 'AUTH-07.reset', ['reset', 'seller'], async (lab) => {
    const { answers, after } = await sendInvalidReset(lab, 'credentials');
    for (const answer of answers) expectRejected(lab, answer, [401]);
    expectKeyStillValid(lab, after);
  }),

  check('AUTH-07.replayed', ['connection', 'submit'], (lab) => {
    const failures: Credentials[] = (['secret-wrong', 'both-missing'] as const).map((way) =>
      invalidCredentials[way](lab),
    );
    return forEachReplay(
      lab,
      [...failures, ...lab.availableActors('revoked').map((name) => lab.credentials(name))].map((as) => ({ as })),
      (answer) => expectRejected(lab, answer, [401]),
    );
  }),

  noNotificationCheck('AUTH-07.webhook-no-notification', 'credentials'),
];
