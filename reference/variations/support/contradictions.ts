/**
 * Variations that run alone. A change that depends on the clock is hard to observe while many others slow the server
 * down.
 */
export const standaloneVariations: ReadonlySet<string> = new Set([
  'approved-paid-automatically',
  'disputed-cancelled-automatically',
  'submitted-approved-automatically',
  'small-approved-automatically',
  'paid-in-batches',
  'draft-expires',
  // Only few others are compatible with these, so running them alone takes the least time.
  'payments-capped',
  'changes-lock',
  'changes-lock-first',
  'ids-of-the-year',
  'amount-at-least',
  'due-in-45-days',
  'due-in-90-days',
  'due-at-month-end',
  'newest-draft-deleted-only',
  // Checks that these leave unjudged could not show the effect of others.
  'buyer-may-not-approve',
  'keys-for-invoices-only',
  'production-may-not-list',
  'events-for-the-buyer-only',
  'settlement-after-the-limit',
  'actions-after-the-limit',
  // These depend on the clock, too.
  'second-reads-stale',
  'second-reads-very-stale',
]);

/** Incompatible variations: one removes what the other changes. Lists only what their rules do not show. */
export const contradictions: Readonly<Record<string, readonly string[]>> = {
  // The operation does not exist.
  'no-treasury-bound': [
    'balance-by-get',
    'balance-as-numbers',
    'balance-in-cents',
    'withdrawal-202',
    'withdrawals-rejected',
    'withdrawals-simulated',
  ],
  'no-read-operation': [
    'read-in-data',
    'read-as-document',
    'read-as-one-item',
    'read-with-parties',
    'read-with-history',
  ],
  'created-submitted-without-drafts': [
    'delete-200',
    'delete-cancels',
    'resolve-reopens',
    'drafts-hidden-from-buyer',
    'numbers-reused-later',
    'drafts-expire',
  ],
  // The actor does not exist.
  'seller-and-buyer-only': [
    'outsider-may-only-read',
    'reader-may-not-list',
    'existence-before-permission',
    'production-undeployed',
    'production-undeployed-first',
    'empty-is-one-page',
    'reset-204',
    'reset-requires-object',
    'reset-later',
    'reset-of-the-whole-sandbox',
    'reset-by-production-key',
  ],
  // Those give every rejection of an action the code of the state, including rejections by a business rule.
  'disputed-once': ['rejections-409', 'rejections-412', 'rejections-409-inv004'],
  // The default currency is the other one.
  'one-currency': ['default-currency-usd'],
  // Neither the response nor a read in time distinguishes queued actions from concurrent ones.
  'actions-asynchronous': ['actions-204', 'actions-200-empty', 'settlement-later'],
  'actions-delayed': ['actions-204', 'actions-200-empty', 'settlement-later'],
  'settlement-later': ['actions-204', 'actions-200-empty'],
  // Every id would be malformed.
  'malformed-id-400': ['ids-opaque', 'ids-counted', 'ids-urn', 'ids-resource-names'],
  // It concerns requests that this server never accepts.
  'withdrawals-rejected': ['withdrawal-202', 'withdrawals-from-10'],
  'sandbox-without-funds': [
    'settlement-later',
    'seller-settles',
    'webhook-minimal-payload',
    'webhook-payload-without-id',
    'webhook-delivered-twice',
  ],
  'webhooks-https-only': [
    'webhook-minimal-payload',
    'webhook-payload-without-id',
    'webhook-timed-signature',
    'webhook-unsigned',
    'webhook-delivered-twice',
    'events-for-every-action',
    'events-for-the-seller-only',
  ],
  'either-party-acts': ['wrong-party-409', 'wrong-party-412', 'state-before-party'],
  'description-not-returned': ['description-composed', 'description-null'],
  'sort-created-at-only': ['sort-status-by-lifecycle', 'sort-unknown-ignored', 'sort-asc-rejected'],
};
