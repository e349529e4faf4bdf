/** The servers that detect mutants of one file, in addition to its own tests: faults and conforming servers. */
export interface Subject {
  /** The checks that each fault names must catch it. */
  faults: readonly string[];
  /** Each must pass the checks that the faults name. */
  variations: readonly string[];
}

const subject = (faults: string, variations = ''): Subject => ({
  faults: faults.split(/\s+/).filter(Boolean),
  variations: ['plain', ...variations.split(/\s+/).filter(Boolean)],
});

/**
 * A few servers for each file of helpers/ that cover each of its branches; `conformance prove` runs all servers. For
 * other files, only their own tests run.
 */
export const subjects: Readonly<Record<string, Subject>> = {
  'invoices/nonexistent-id.ts': subject('iso-read-absent-null iso-approve-absent', 'ids-opaque ids-counted'),
  'adaptation/action-effect.ts': subject(
    'life-concurrent-all-accepted life-approve-has-no-effect',
    'actions-asynchronous delete-cancels',
  ),
  'api/responses.ts': subject(
    'list-due-date-by-month rec-created-at-local-as-utc created-without-id auth-body-names-path',
  ),
  'api/invalid-credentials.ts': subject('auth-create-weak-comparison auth-any-secret auth-body-shows-cause'),
  'controls/spontaneous-change.ts': subject(
    'life-rejection-takes-effect-later life-cancelled-submit-rejected-but-done',
  ),
  'creation/rejected-connection.ts': subject(
    'conn-not-needed conn-unconnected-as-inactive conn-unconnected-but-written',
  ),
  'controls/positive-controls.ts': subject(
    'perm-create-open perm-approve-open iso-delete-foreign',
    'created-submitted',
  ),
  'fixtures/created-invoice.ts': subject(
    'created-amount-rounded created-currency-dropped created-due-date-day-early created-parties-swapped created-read-differs',
    'created-in-data one-currency',
  ),
  'assert/expect.ts': subject(
    'create-malformed-422 create-without-amount-own-code auth-any-secret list-limit-101-served',
  ),
  'creation/invalid-body-families.ts': subject(
    'create-ignores-symbol-names create-several-missing-own-code create-strips-symbols create-ignores-booleans create-strips-id create-strips-date create-cuts-currency',
  ),
  'treasury/balances/balance.ts': subject(
    'idem-withdrawal-twice idem-withdraw-race treas-rejection-charges-fee',
    'balance-by-get',
  ),
  'creation/generated-rejections.ts': subject(
    'create-ignores-symbol-names create-several-missing-own-code create-strips-id',
  ),
  'invoices/invoices.ts': subject(
    'life-submit-has-no-effect life-settled-approve-allowed life-draft-submit-rejected list-cancelled-hidden',
    'created-in-data ids-counted created-submitted actions-204 resolve-keeps-disputed',
  ),
  'invoices/list-page.ts': subject(
    'list-pages-overlap list-offset-skips-one list-ties-random list-asc-ignored list-created-at-ascending list-last-page-short list-full-last-page-short',
    'past-end-400',
  ),
  'invoices/find-invoice.ts': subject(
    'create-rejected-but-written created-not-listed life-deleted-still-listed create-without-amount-accepted',
    'description-not-returned read-in-data no-read-operation',
  ),
  'api/operations.ts': subject(
    'auth-submit-ignores-secret idem-withdraw-race env-unknown-ignored-on-action life-concurrent-all-accepted',
    'actions-by-status-patch balance-by-get',
  ),
  'invoices/acting-party.ts': subject(
    'iso-approve-foreign perm-approve-open life-submitted-approve-rejected',
    'either-party-acts',
  ),
  'assert/poll.ts': subject('life-approve-has-no-effect', 'actions-asynchronous'),
  'environments/production.ts': subject(
    'env-production-elsewhere iso-production-lists-sandbox',
    'production-undeployed',
  ),
  'lifecycle/concurrent-actions.ts': subject(
    'life-concurrent-all-accepted life-settled-twice life-submitted-and-deleted',
    'actions-asynchronous delete-cancels resolve-keeps-disputed',
  ),
  'lifecycle/rejected-action.ts': subject(
    'life-cancelled-submit-rejected-but-done life-rejected-with-400 life-rejected-with-own-code life-rejection-touches-amount life-rejection-takes-effect-later life-settled-approve-allowed',
    'rejections-409-inv004 drafts-hidden-from-buyer either-party-acts',
  ),
  'creation/rejected-creation.ts': subject(
    'create-rejected-but-written create-without-amount-own-code conn-unconnected-but-written create-accepts-03-number',
    'description-not-returned',
  ),
  'idempotency/replay.ts': subject(
    'idem-replay-200 idem-replay-fresh-timestamp idem-replay-without-links idem-balance-not-replayed idem-withdrawal-new-id',
    'created-in-data',
  ),
  'environments/sandbox-reset.ts': subject(
    'auth-reset-ignores-secret perm-reset-open reset-keeps-keys reset-clears-production reset-hides-only',
    'reset-204 production-undeployed',
  ),
  'webhooks/subscriptions.ts': subject('hook-settlement-silent hook-every-kind hook-secret-rejected', 'webhook-204'),
  'lifecycle/walks/random-walk.ts': subject(
    'life-disputed-once-never-approved life-resolved-again-later life-dispute-updates-all',
    'delete-cancels',
  ),
  'lifecycle/walks/random-walk-search.ts': subject(
    'life-disputed-once-never-approved life-resolved-again-later life-dispute-updates-all',
  ),
};
