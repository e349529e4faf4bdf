import type { Check } from '../helpers/context/check.ts';
import { everyOperationChecks } from './authentication/every-operation.ts';
import { invalidCredentialsChecks } from './authentication/invalid-credentials.ts';
import { keyPrefixChecks } from './authentication/key-prefix.ts';
import { precedenceChecks } from './authentication/precedence.ts';
import { repeatedHeadersChecks } from './authentication/repeated-headers.ts';
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
import { largeRequestsChecks } from './errors/large-requests.ts';
import { steadyFailuresChecks } from './errors/steady-failures.ts';
import { idempotencyCreationChecks } from './idempotency/creation.ts';
import { withoutRequestIdChecks } from './idempotency/missing-request-id.ts';
import { otherCallersChecks } from './idempotency/other-callers.ts';
import { afterRejectionChecks } from './idempotency/rejected-requests.ts';
import { requestIdIdentityChecks } from './idempotency/request-id-identity.ts';
import { singleInvoiceChecks } from './idempotency/single-invoice.ts';
import { idempotencySubmissionChecks } from './idempotency/submission.ts';
import { idempotencyTreasuryChecks } from './idempotency/treasury.ts';
import { environmentIsolationChecks } from './isolation/environments.ts';
import { organizationIsolationChecks } from './isolation/organizations.ts';
import { ownResourcesChecks } from './isolation/own-resources.ts';
import { unknownIdsChecks } from './isolation/unknown-ids.ts';
import { actionBodiesChecks } from './lifecycle/action-bodies.ts';
import { offeredActionsChecks } from './lifecycle/offered-actions.ts';
import { rejectedActionsChecks } from './lifecycle/rejected-actions.ts';
import { resultingStatesChecks } from './lifecycle/resulting-states.ts';
import { settleUnapprovedChecks } from './lifecycle/settle-unapproved.ts';
import { buyerVisibilityChecks } from './lists/buyer-visibility.ts';
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

/** The checks of each suite file, by its path below suites/, in the order of the contract. */
export const suites: Readonly<Record<string, readonly Check[]>> = {
  'service/base-url': baseUrlChecks,
  'service/real-money': realMoneyChecks,
  'records/field-values': fieldValuesChecks,
  'records/invoice-number': invoiceNumberChecks,
  'records/consistent-reads': consistentReadsChecks,
  'authentication/key-prefix': keyPrefixChecks,
  'lifecycle/offered-actions': offeredActionsChecks,
  'lifecycle/rejected-actions': rejectedActionsChecks,
  'lifecycle/settle-unapproved': settleUnapprovedChecks,
  'lifecycle/resulting-states': resultingStatesChecks,
  'lifecycle/action-bodies': actionBodiesChecks,
  'lists/envelope': envelopeChecks,
  'lists/page': listsPageChecks,
  'lists/limit': listsLimitChecks,
  'lists/sorting': sortingChecks,
  'lists/walking': walkingChecks,
  'lists/buyer-visibility': buyerVisibilityChecks,
  'lists/visibility': visibilityChecks,
  'lists/invalid-queries': invalidQueriesChecks,
  'creation/undeclared-fields': undeclaredFieldsChecks,
  'creation/required-fields': requiredFieldsChecks,
  'creation/amount': amountChecks,
  'creation/field-types': fieldTypesChecks,
  'creation/organization-ids': organizationIdsChecks,
  'creation/due-date': dueDateChecks,
  'creation/currency': currencyChecks,
  'creation/body-syntax': bodySyntaxChecks,
  'creation/response': creationResponseChecks,
  'creation/persistence': persistenceChecks,
  'creation/description': descriptionChecks,
  'connections/active-connection': activeConnectionChecks,
  'webhooks/subscription': subscriptionChecks,
  'webhooks/delivery': deliveryChecks,
  'webhooks/recipients': recipientsChecks,
  'reset/sandbox-reset': sandboxResetChecks,
  'authentication/invalid-credentials': invalidCredentialsChecks,
  'authentication/repeated-headers': repeatedHeadersChecks,
  'authentication/revoked-key': revokedKeyChecks,
  'authentication/uniform-response': uniformResponseChecks,
  'authentication/every-operation': everyOperationChecks,
  'authentication/precedence': precedenceChecks,
  'environments/unknown-value': unknownValueChecks,
  'environments/mismatch': mismatchChecks,
  'environments/own-environment': ownEnvironmentChecks,
  'isolation/environments': environmentIsolationChecks,
  'isolation/organizations': organizationIsolationChecks,
  'isolation/own-resources': ownResourcesChecks,
  'isolation/unknown-ids': unknownIdsChecks,
  'permissions/missing-permission': missingPermissionChecks,
  'errors/json-responses': jsonResponsesChecks,
  'errors/internal-errors': internalErrorsChecks,
  'errors/large-requests': largeRequestsChecks,
  'errors/invalid-json': invalidJsonChecks,
  'errors/steady-failures': steadyFailuresChecks,
  'idempotency/creation': idempotencyCreationChecks,
  'idempotency/single-invoice': singleInvoiceChecks,
  'idempotency/submission': idempotencySubmissionChecks,
  'idempotency/treasury': idempotencyTreasuryChecks,
  'idempotency/request-id-identity': requestIdIdentityChecks,
  'idempotency/other-callers': otherCallersChecks,
  'idempotency/missing-request-id': withoutRequestIdChecks,
  'idempotency/rejected-requests': afterRejectionChecks,
  'treasury/insufficient-funds': insufficientFundsChecks,
  'rate-limits/retry-after': retryAfterChecks,
  'versioning/path-prefix': pathPrefixChecks,
};

/** Every check that sends requests of its own. */
export const allChecks: readonly Check[] = Object.values(suites).flat();
