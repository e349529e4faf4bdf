/** Variations that are tried alone: what moves by the clock is met by luck where many others slow the server down. */
export const standaloneVariations: ReadonlySet<string> = new Set([
  'approved-paid-automatically',
  'disputed-cancelled-automatically',
  'submitted-approved-automatically',
  'small-approved-automatically',
  'paid-in-batches',
  'draft-expires',
  // What few others differ beside: alone they take the least.
  'payments-capped',
  'changes-lock',
  'ids-of-the-year',
  'amount-at-least',
  'due-in-45-days',
  // What cannot be judged beside them could not show what others differ in.
  'buyer-may-not-approve',
  'keys-for-invoices-only',
  'production-may-not-list',
  'settlement-after-the-limit',
  'actions-after-the-limit',
  // They move by the clock, too.
  'second-reads-stale',
  'second-reads-very-stale',
]);

/** Variations that cannot stand together: one takes away what the other differs in. Beyond what their rules already tell. */
export const contradictions: Readonly<Record<string, readonly string[]>> = {
  // No operation to differ in.
  'no-treasury-bound': [
    'balance-by-get',
    'balance-as-numbers',
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
  // No actor to whom it matters.
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
  // Those give every refusal of an action the code of the state, the rule of business among them.
  'disputed-once': ['rejections-409', 'rejections-412', 'rejections-409-inv004'],
  // It deals in the other one.
  'one-currency': ['default-currency-usd'],
  // Nothing tells what is queued from what is raced for: neither the answer nor, in time, a look.
  'actions-asynchronous': ['actions-204', 'actions-200-empty', 'settlement-later'],
  'actions-delayed': ['actions-204', 'actions-200-empty', 'settlement-later'],
  'settlement-later': ['actions-204', 'actions-200-empty'],
  // Every id would be malformed.
  'malformed-id-400': ['ids-opaque', 'ids-counted', 'ids-urn', 'ids-resource-names'],
  // Nothing is ever accepted that it speaks of.
  'withdrawals-rejected': ['withdrawal-202'],
  'sandbox-without-funds': ['settlement-later', 'seller-settles', 'webhook-minimal-payload', 'webhook-delivered-twice'],
  'webhooks-https-only': [
    'webhook-minimal-payload',
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
