import { authenticationCachedVerdictsFaults } from './authentication/cached-verdicts.ts';
import { authenticationDisguisedCredentialsFaults } from './authentication/disguised-credentials.ts';
import { authenticationEveryOperationFaults } from './authentication/every-operation.ts';
import { authenticationInvalidKeyFaults } from './authentication/invalid-key.ts';
import { authenticationInvalidSecretFaults } from './authentication/invalid-secret.ts';
import { authenticationKeyPrefixFaults } from './authentication/key-prefix.ts';
import { authenticationLeakedSecretsFaults } from './authentication/leaked-secrets.ts';
import { authenticationMissingCredentialsFaults } from './authentication/missing-credentials.ts';
import { authenticationOtherPathsFaults } from './authentication/other-paths.ts';
import { authenticationPrecedenceFaults } from './authentication/precedence.ts';
import { authenticationRevokedKeyFaults } from './authentication/revoked-key.ts';
import { authenticationUniformResponseFaults } from './authentication/uniform-response.ts';
import { connectionsInactiveConnectionFaults } from './connections/inactive-connection.ts';
import { connectionsUnknownConnectionFaults } from './connections/unknown-connection.ts';
import { creationAmountFaults } from './creation/amount.ts';
import { creationBodySyntaxFaults } from './creation/body-syntax.ts';
import { creationCurrencyFaults } from './creation/currency.ts';
import { creationDescriptionFaults } from './creation/description.ts';
import { creationDueDateFaults } from './creation/due-date.ts';
import { creationFieldTypesFaults } from './creation/field-types.ts';
import { creationLenientAmountsFaults } from './creation/lenient-amounts.ts';
import { creationLenientFormsFaults } from './creation/lenient-forms.ts';
import { creationLenientTypesFaults } from './creation/lenient-types.ts';
import { creationOrganizationIdsFaults } from './creation/organization-ids.ts';
import { creationPersistenceFaults } from './creation/persistence.ts';
import { creationRequiredFieldsFaults } from './creation/required-fields.ts';
import { creationResponseFaults } from './creation/response.ts';
import { creationUndeclaredFieldsFaults } from './creation/undeclared-fields.ts';
import { environmentsMismatchFaults } from './environments/mismatch.ts';
import { environmentsOwnEnvironmentFaults } from './environments/own-environment.ts';
import { environmentsUnknownValueFaults } from './environments/unknown-value.ts';
import { errorsErrorBodiesFaults } from './errors/error-bodies.ts';
import { errorsFrontLayersFaults } from './errors/front-layers.ts';
import { errorsInternalErrorsFaults } from './errors/internal-errors.ts';
import { errorsInvalidJsonFaults } from './errors/invalid-json.ts';
import { errorsLargeRequestsFaults } from './errors/large-requests.ts';
import { errorsModuleCodesFaults } from './errors/module-codes.ts';
import { errorsPermanentFailuresFaults } from './errors/permanent-failures.ts';
import type { Fault } from './fault.ts';
import { idempotencyCreationFaults } from './idempotency/creation.ts';
import { idempotencyWithoutRequestIdFaults } from './idempotency/missing-request-id.ts';
import { idempotencyOtherCallersFaults } from './idempotency/other-callers.ts';
import { idempotencyAfterRejectionFaults } from './idempotency/rejected-requests.ts';
import { idempotencyRequestIdIdentityFaults } from './idempotency/request-id-identity.ts';
import { idempotencySingleInvoiceFaults } from './idempotency/single-invoice.ts';
import { idempotencySubmissionFaults } from './idempotency/submission.ts';
import { idempotencyTreasuryFaults } from './idempotency/treasury.ts';
import { isolationOrganizationsFaults } from './isolation/organizations.ts';
import { isolationProductionKeyFaults } from './isolation/production-key.ts';
import { isolationReadParametersFaults } from './isolation/read-parameters.ts';
import { isolationSandboxKeyFaults } from './isolation/sandbox-key.ts';
import { isolationSubscriptionsFaults } from './isolation/subscriptions.ts';
import { isolationUnknownIdsFaults } from './isolation/unknown-ids.ts';
import { lifecycleActionBodiesFaults } from './lifecycle/action-bodies.ts';
import { lifecycleConcurrencyFaults } from './lifecycle/concurrency.ts';
import { lifecycleHistoriesFaults } from './lifecycle/histories.ts';
import { lifecycleLateChangesFaults } from './lifecycle/late-changes.ts';
import { lifecycleOfferedActionsFaults } from './lifecycle/offered-actions.ts';
import { lifecycleRejectedActionsFaults } from './lifecycle/rejected-actions.ts';
import { lifecycleResultingStatesFaults } from './lifecycle/resulting-states.ts';
import { lifecycleSettleUnapprovedFaults } from './lifecycle/settle-unapproved.ts';
import { lifecycleVariantsFaults } from './lifecycle/variants.ts';
import { listsCachesFaults } from './lists/caches.ts';
import { listsEnvelopeFaults } from './lists/envelope.ts';
import { listsInvalidQueriesFaults } from './lists/invalid-queries.ts';
import { listsLimitFaults } from './lists/limit.ts';
import { listsOverflowFaults } from './lists/overflow.ts';
import { listsPageFaults } from './lists/page.ts';
import { listsParameterNamesFaults } from './lists/parameter-names.ts';
import { listsSortingFaults } from './lists/sorting.ts';
import { listsUndeclaredParametersFaults } from './lists/undeclared-parameters.ts';
import { listsVisibilityFaults } from './lists/visibility.ts';
import { listsWalkingFaults } from './lists/walking.ts';
import { permissionsMissingPermissionFaults } from './permissions/missing-permission.ts';
import { permissionsOtherPathsFaults } from './permissions/other-paths.ts';
import { rateLimitsResetTimesFaults } from './rate-limits/reset-times.ts';
import { rateLimitsRetryAfterFaults } from './rate-limits/retry-after.ts';
import { recordsConsistentReadsFaults } from './records/consistent-reads.ts';
import { recordsFieldsFaults } from './records/fields.ts';
import { recordsInvoiceNumberFaults } from './records/invoice-number.ts';
import { resetSandboxResetFaults } from './reset/sandbox-reset.ts';
import { serviceBaseUrlFaults } from './service/base-url.ts';
import { serviceRealMoneyFaults } from './service/real-money.ts';
import { treasuryConcurrentPaymentsFaults } from './treasury/concurrent-payments.ts';
import { treasurySettlementsFaults } from './treasury/settlements.ts';
import { treasuryWithdrawalsFaults } from './treasury/withdrawals.ts';
import { versioningPathPrefixFaults } from './versioning/path-prefix.ts';
import { webhooksDeliveryFaults } from './webhooks/delivery.ts';
import { webhooksRecipientsFaults } from './webhooks/recipients.ts';
import { webhooksSeveralSubscriptionsFaults } from './webhooks/several-subscriptions.ts';
import { webhooksSubscriptionFaults } from './webhooks/subscription.ts';

/** Every fault, by area. */
export const allFaults: readonly Fault[] = [
  ...authenticationEveryOperationFaults,
  ...authenticationDisguisedCredentialsFaults,
  ...authenticationInvalidKeyFaults,
  ...authenticationInvalidSecretFaults,
  ...authenticationKeyPrefixFaults,
  ...authenticationLeakedSecretsFaults,
  ...authenticationMissingCredentialsFaults,
  ...authenticationOtherPathsFaults,
  ...authenticationPrecedenceFaults,
  ...authenticationRevokedKeyFaults,
  ...authenticationUniformResponseFaults,
  ...connectionsInactiveConnectionFaults,
  ...connectionsUnknownConnectionFaults,
  ...creationAmountFaults,
  ...creationBodySyntaxFaults,
  ...creationCurrencyFaults,
  ...creationDescriptionFaults,
  ...creationDueDateFaults,
  ...creationFieldTypesFaults,
  ...creationOrganizationIdsFaults,
  ...creationPersistenceFaults,
  ...creationRequiredFieldsFaults,
  ...creationResponseFaults,
  ...creationUndeclaredFieldsFaults,
  ...environmentsMismatchFaults,
  ...environmentsOwnEnvironmentFaults,
  ...environmentsUnknownValueFaults,
  ...errorsErrorBodiesFaults,
  ...errorsInternalErrorsFaults,
  ...errorsInvalidJsonFaults,
  ...errorsLargeRequestsFaults,
  ...errorsModuleCodesFaults,
  ...idempotencyAfterRejectionFaults,
  ...idempotencyCreationFaults,
  ...idempotencyOtherCallersFaults,
  ...idempotencyRequestIdIdentityFaults,
  ...idempotencySingleInvoiceFaults,
  ...idempotencySubmissionFaults,
  ...idempotencyTreasuryFaults,
  ...idempotencyWithoutRequestIdFaults,
  ...isolationOrganizationsFaults,
  ...isolationProductionKeyFaults,
  ...isolationReadParametersFaults,
  ...isolationSandboxKeyFaults,
  ...isolationSubscriptionsFaults,
  ...isolationUnknownIdsFaults,
  ...lifecycleActionBodiesFaults,
  ...lifecycleConcurrencyFaults,
  ...lifecycleHistoriesFaults,
  ...lifecycleLateChangesFaults,
  ...lifecycleOfferedActionsFaults,
  ...lifecycleRejectedActionsFaults,
  ...lifecycleResultingStatesFaults,
  ...lifecycleSettleUnapprovedFaults,
  ...lifecycleVariantsFaults,
  ...listsCachesFaults,
  ...listsEnvelopeFaults,
  ...listsInvalidQueriesFaults,
  ...listsLimitFaults,
  ...listsOverflowFaults,
  ...listsPageFaults,
  ...listsParameterNamesFaults,
  ...listsSortingFaults,
  ...listsUndeclaredParametersFaults,
  ...listsVisibilityFaults,
  ...listsWalkingFaults,
  ...permissionsMissingPermissionFaults,
  ...permissionsOtherPathsFaults,
  ...rateLimitsRetryAfterFaults,
  ...recordsConsistentReadsFaults,
  ...recordsFieldsFaults,
  ...recordsInvoiceNumberFaults,
  ...resetSandboxResetFaults,
  ...serviceBaseUrlFaults,
  ...serviceRealMoneyFaults,
  ...treasuryConcurrentPaymentsFaults,
  ...treasurySettlementsFaults,
  ...treasuryWithdrawalsFaults,
  ...versioningPathPrefixFaults,
  ...webhooksDeliveryFaults,
  ...webhooksRecipientsFaults,
  ...webhooksSubscriptionFaults,
  ...creationLenientAmountsFaults,
  ...creationLenientTypesFaults,
  ...creationLenientFormsFaults,
  ...authenticationCachedVerdictsFaults,
  ...errorsFrontLayersFaults,
  ...errorsPermanentFailuresFaults,
  ...rateLimitsResetTimesFaults,
  ...webhooksSeveralSubscriptionsFaults,
];
