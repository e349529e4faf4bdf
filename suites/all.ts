import type { Check } from '../helpers/context/check.ts';
import { everyOperationChecks } from './authentication/every-operation.ts';
import { invalidCredentialsChecks } from './authentication/invalid-credentials.ts';
import { keyPrefixChecks } from './authentication/key-prefix.ts';
import { precedenceChecks } from './authentication/precedence.ts';
import { revokedKeyChecks } from './authentication/revoked-key.ts';
import { uniformResponseChecks } from './authentication/uniform-response.ts';
import { activeConnectionChecks } from './connections/active-connection.ts';
import { amountChecks } from './creation/amount.ts';
import { bodySyntaxChecks } from './creation/body-syntax.ts';
import { currencyChecks } from './creation/currency.ts';
import { descriptionChecks } from './creation/description.ts';
import { dueDateChecks } from './creation/due-date.ts';
import { fieldTypesChecks } from './creation/field-types.ts';
import { organizationIdsChecks } from './creation/organization-ids.ts';
import { persistenceChecks } from './creation/persistence.ts';
import { requiredFieldsChecks } from './creation/required-fields.ts';
import { creationResponseChecks } from './creation/response.ts';
import { undeclaredFieldsChecks } from './creation/undeclared-fields.ts';
import { mismatchChecks } from './environments/mismatch.ts';
import { ownEnvironmentChecks } from './environments/own-environment.ts';
import { unknownValueChecks } from './environments/unknown-value.ts';
import { internalErrorsChecks } from './errors/internal-errors.ts';
import { invalidJsonChecks } from './errors/invalid-json.ts';
import { jsonResponsesChecks } from './errors/json-responses.ts';
import { afterRejectionChecks } from './idempotency/after-rejection.ts';
import { idempotencyCreationChecks } from './idempotency/creation.ts';
import { otherCallersChecks } from './idempotency/other-callers.ts';
import { requestIdIdentityChecks } from './idempotency/request-id-identity.ts';
import { singleInvoiceChecks } from './idempotency/single-invoice.ts';
import { idempotencySubmissionChecks } from './idempotency/submission.ts';
import { idempotencyTreasuryChecks } from './idempotency/treasury.ts';
import { withoutRequestIdChecks } from './idempotency/without-request-id.ts';
import { environmentsChecks } from './isolation/environments.ts';
import { organizationsChecks } from './isolation/organizations.ts';
import { unknownIdsChecks } from './isolation/unknown-ids.ts';
import { actionBodiesChecks } from './lifecycle/action-bodies.ts';
import { offeredActionsChecks } from './lifecycle/offered-actions.ts';
import { rejectedActionsChecks } from './lifecycle/rejected-actions.ts';
import { resultingStatesChecks } from './lifecycle/resulting-states.ts';
import { settleUnapprovedChecks } from './lifecycle/settle-unapproved.ts';
import { envelopeChecks } from './lists/envelope.ts';
import { invalidQueriesChecks } from './lists/invalid-queries.ts';
import { listsLimitChecks } from './lists/limit.ts';
import { listsPageChecks } from './lists/page.ts';
import { sortingChecks } from './lists/sorting.ts';
import { visibilityChecks } from './lists/visibility.ts';
import { walkingChecks } from './lists/walking.ts';
import { missingPermissionChecks } from './permissions/missing-permission.ts';
import { retryAfterChecks } from './rate-limits/retry-after.ts';
import { consistentReadsChecks } from './records/consistent-reads.ts';
import { fieldValuesChecks } from './records/field-values.ts';
import { invoiceNumberChecks } from './records/invoice-number.ts';
import { sandboxResetChecks } from './reset/sandbox-reset.ts';
import { baseUrlChecks } from './service/base-url.ts';
import { realMoneyChecks } from './service/real-money.ts';
import { insufficientFundsChecks } from './treasury/insufficient-funds.ts';
import { pathPrefixChecks } from './versioning/path-prefix.ts';
import { deliveryChecks } from './webhooks/delivery.ts';
import { recipientsChecks } from './webhooks/recipients.ts';
import { subscriptionChecks } from './webhooks/subscription.ts';

/** Every check that sends requests of its own, in the order of the contract. */
export const allChecks: readonly Check[] = [
  ...baseUrlChecks,
  ...realMoneyChecks,
  ...fieldValuesChecks,
  ...invoiceNumberChecks,
  ...consistentReadsChecks,
  ...keyPrefixChecks,
  ...offeredActionsChecks,
  ...rejectedActionsChecks,
  ...settleUnapprovedChecks,
  ...resultingStatesChecks,
  ...actionBodiesChecks,
  ...envelopeChecks,
  ...listsPageChecks,
  ...listsLimitChecks,
  ...sortingChecks,
  ...walkingChecks,
  ...visibilityChecks,
  ...invalidQueriesChecks,
  ...undeclaredFieldsChecks,
  ...requiredFieldsChecks,
  ...amountChecks,
  ...fieldTypesChecks,
  ...organizationIdsChecks,
  ...dueDateChecks,
  ...currencyChecks,
  ...bodySyntaxChecks,
  ...creationResponseChecks,
  ...persistenceChecks,
  ...descriptionChecks,
  ...activeConnectionChecks,
  ...subscriptionChecks,
  ...deliveryChecks,
  ...recipientsChecks,
  ...sandboxResetChecks,
  ...invalidCredentialsChecks,
  ...revokedKeyChecks,
  ...uniformResponseChecks,
  ...everyOperationChecks,
  ...precedenceChecks,
  ...unknownValueChecks,
  ...mismatchChecks,
  ...ownEnvironmentChecks,
  ...environmentsChecks,
  ...organizationsChecks,
  ...unknownIdsChecks,
  ...missingPermissionChecks,
  ...jsonResponsesChecks,
  ...internalErrorsChecks,
  ...invalidJsonChecks,
  ...idempotencyCreationChecks,
  ...singleInvoiceChecks,
  ...idempotencySubmissionChecks,
  ...idempotencyTreasuryChecks,
  ...requestIdIdentityChecks,
  ...otherCallersChecks,
  ...withoutRequestIdChecks,
  ...afterRejectionChecks,
  ...insufficientFundsChecks,
  ...retryAfterChecks,
  ...pathPrefixChecks,
];
