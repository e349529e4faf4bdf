import { disguisedForWrites } from '../../helpers/api/disguised-credentials.ts';
import {
  allRejectedCredentials,
  type Credentials,
  credentialsRejectedByList,
  ifSupported,
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
  sendAction,
} from '../../helpers/api/operations.ts';
import { requireBinding } from '../../helpers/api/requests.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import {
  expectNoListByAmbiguousRequests,
  expectNoReadByOtherPaths,
  SUBMISSION_DETOURS,
} from '../../helpers/authentication/other-paths.ts';
import { readableInvoice } from '../../helpers/authentication/readable-invoice.ts';
import { forEachReplay } from '../../helpers/authentication/rejected-replays.ts';
import {
  expectCreationUnauthorized,
  expectUnauthorized,
  expectUnusualCreationUnauthorized,
} from '../../helpers/authentication/unauthorized.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { createUntouchedInvoices } from '../../helpers/controls/untouched-group.ts';
import { expectKeyStillValid, sendInvalidReset } from '../../helpers/environments/sandbox-reset.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { createOriginal } from '../../helpers/idempotency/replay.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { needsToReach, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectNoEffectByDetours } from '../../helpers/lifecycle/sequences/detours.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';
import { expectNoWithdrawal } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { noNotificationCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { acceptedSubscriptionUrl, trySubscription } from '../../helpers/webhooks/subscriptions.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const REPLAY_CREDENTIALS = ['both-missing', 'key-missing', 'secret-wrong'] as const;

type RequestWithCredentials = (ctx: CheckContext, as: Credentials) => Promise<ApiResponse>;

async function expectAllRejected(ctx: CheckContext, request: RequestWithCredentials): Promise<void> {
  const failures = await rejectedCredentials(ctx);
  const responses = await Promise.all(failures.map((as) => request(ctx, as)));
  for (const response of responses) expectRejected(ctx, response, [401]);
}

/** Sends the action in a state that offers it, so that a server without an authentication check would carry it out. */
function unauthorizedActionCheck(action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(`AUTH-07.${action}` as CheckId, ['connection', ...needsToReach(state), action], async (ctx) => {
    // Untouched invoices show whether this server changes states spontaneously.
    await createUntouchedInvoices(ctx);
    await withSharedInvoice(ctx, state, async (invoice) => {
      const { record: before } = await findSettledInvoice(ctx, invoice);
      await expectAllRejected(ctx, (_, as) => sendAction(ctx, action, invoice.id, { as }));
      await expectInvoiceUnchanged(ctx, invoice, before);
    });
  });
}

export const everyOperationChecks: readonly Check[] = [
  check('AUTH-07.list', ['seller'], async (ctx) => {
    const ended = ctx.target.actors.revoked ? await credentialsRejectedByList(ctx, [revokedCredentials(ctx)]) : [];
    const variants = ['both-missing', 'secret-wrong'] as const;
    const failures = [...variants.map((variant) => invalidCredentials[variant](ctx)), ...ended];
    const requests = failures.flatMap((as) => LIST_QUERY_VARIANTS.map((query) => listInvoices(ctx, query, { as })));
    for (const response of await Promise.all(requests)) expectRejected(ctx, response, [401]);
  }),

  check('AUTH-07.create', ['connection'], async (ctx) => {
    const failures = await allRejectedCredentials(ctx);
    // Authentication precedes permission, so 401 is required even for keys that may not create.
    const wrongSecrets = await credentialsRejectedByList(
      ctx,
      otherKeysWithWrongSecret(ctx, nonSellerSandboxActors(ctx)),
    );
    // The revoked key is judged by AUTH-04.revoked-write.
    const ended = ctx.target.actors.revoked ? revokedCredentials(ctx).actorLabel : null;
    await expectCreationUnauthorized(ctx, [
      ...failures.filter(({ actorLabel }) => actorLabel !== ended),
      ...wrongSecrets,
    ]);
    // An unauthenticated caller must not receive the stored response of a replay.
    const { body } = await createOriginal(ctx);
    const replayed = new Set(REPLAY_CREDENTIALS.map((variant) => invalidCredentials[variant](ctx).actorLabel));
    for (const as of failures.filter((each) => replayed.has(each.actorLabel))) {
      expectRejected(ctx, await postInvoice(ctx, body, { as }), [401]);
    }
  }),

  check('AUTH-07.read', ['connection', 'read'], async (ctx) => {
    const { id } = await readableInvoice(ctx);
    await expectAllRejected(ctx, (_, as) => readInvoice(ctx, id, { as }));
    // The other keys may include the production key, for which the kit sends only GET requests.
    if (requireBinding(ctx, 'read').method !== 'GET') return;
    expectUnauthorized(ctx, await Promise.all(otherKeysWithWrongSecret(ctx).map((as) => readInvoice(ctx, id, { as }))));
  }),

  ...lifecycle.actions.map(unauthorizedActionCheck),

  check('AUTH-07.create-disguised', ['connection'], async (ctx) => {
    const failures = disguisedForWrites.flatMap((variant) => ifSupported(() => variant(ctx)));
    // Those that the list accepts are reported by AUTH-02 and AUTH-03.
    const rejected = await credentialsRejectedByList(ctx, failures);
    if (rejected.length === 0)
      notApplicable('the list operation rejects none of the altered credentials with 401', {
        judgedBy: 'AUTH-02.decorated',
      });
    await expectUnusualCreationUnauthorized(ctx, rejected);
  }),

  check('AUTH-07.rewritten', ['seller'], expectNoListByAmbiguousRequests),

  check('AUTH-07.read-other-paths', ['connection', 'read'], expectNoReadByOtherPaths),

  check(
    'AUTH-07.submit-other-paths',
    ['connection', ...needsToReach(stateOffering('submit')), 'submit'],
    async (ctx) => {
      await createUntouchedInvoices(ctx);
      const as = invalidCredentials['secret-wrong'](ctx);
      await withSharedInvoice(ctx, stateOffering('submit'), (invoice) =>
        expectNoEffectByDetours(ctx, invoice, as, SUBMISSION_DETOURS),
      );
    },
  ),

  check('AUTH-07.webhook-create', ['seller'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    await expectAllRejected(ctx, (_, as) => trySubscription(ctx, { url }, { as }));
  }),

  check('AUTH-07.treasury-balance', ['treasuryBalance'], (ctx) =>
    expectAllRejected(ctx, (_, as) => sendTreasuryRequest(ctx, 'treasuryBalance', { as })),
  ),

  check('AUTH-07.treasury-withdraw', ['treasuryWithdraw'], async (ctx) => {
    const extras = (await rejectedCredentials(ctx)).map((as) => ({ as }));
    await expectNoWithdrawal(ctx, 'unauthorized', extras, (response) => expectRejected(ctx, response, [401]));
  }),

  checkInPhase('reset', 'AUTH-07.reset', ['reset', 'seller'], async (ctx) => {
    const { answers: responses, after } = await sendInvalidReset(ctx, 'credentials');
    for (const response of responses) expectRejected(ctx, response, [401]);
    expectKeyStillValid(ctx, after);
  }),

  check('AUTH-07.replayed', ['connection', 'submit'], async (ctx) => {
    const failures: Credentials[] = (['secret-wrong', 'both-missing'] as const).map((variant) =>
      invalidCredentials[variant](ctx),
    );
    // A key that reads is judged by AUTH-04.revoked, and may never have been revoked.
    const ended = ctx.target.actors.revoked ? await credentialsRejectedByList(ctx, [revokedCredentials(ctx)]) : [];
    await forEachReplay(
      ctx,
      [...failures, ...ended].map((as) => ({ as })),
      (response) => expectRejected(ctx, response, [401]),
    );
  }),

  noNotificationCheck('AUTH-07.webhook-no-notification', 'credentials'),
];
