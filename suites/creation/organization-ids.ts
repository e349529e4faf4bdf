import type { Check } from '../../helpers/context/check.ts';
import { invalidFieldCheck } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/**
 * A value that is not a UUID is also an unknown id (404 CONN003), and not the caller's id (403). The contract does not specify
 * which of these a server checks first.
 */
function invalidOrganizationIdCheck(
  id: CheckId,
  field: 'sellerId' | 'buyerId',
  value: unknown | ((valid: InvoiceBody) => unknown),
): Check {
  return invalidFieldCheck(id, field, value, undefined, field === 'sellerId' ? [400, 403, 404] : [400, 404]);
}

export const organizationIdsChecks: readonly Check[] = [
  generatedRejectionCheck('CREATE-06.generated', families.malformedUuids),

  invalidOrganizationIdCheck('CREATE-06.seller-id-text', 'sellerId', 'not-a-uuid'),

  invalidOrganizationIdCheck('CREATE-06.seller-id-short', 'sellerId', ({ sellerId }: InvoiceBody) =>
    sellerId.slice(0, -1),
  ),

  invalidOrganizationIdCheck('CREATE-06.seller-id-empty', 'sellerId', ''),

  invalidOrganizationIdCheck('CREATE-06.seller-id-long', 'sellerId', ({ sellerId }: InvoiceBody) => `${sellerId}0`),

  invalidOrganizationIdCheck('CREATE-06.buyer-id-text', 'buyerId', 'not-a-uuid'),

  invalidOrganizationIdCheck('CREATE-06.buyer-id-short', 'buyerId', ({ buyerId }: InvoiceBody) => buyerId.slice(0, -1)),

  invalidOrganizationIdCheck('CREATE-06.buyer-id-long', 'buyerId', ({ buyerId }: InvoiceBody) => `${buyerId}0`),

  invalidOrganizationIdCheck('CREATE-06.buyer-id-empty', 'buyerId', ''),

  invalidFieldCheck('CREATE-20.seller-id', 'sellerId', 'not-a-uuid'),

  invalidFieldCheck('CREATE-20.buyer-id', 'buyerId', 'not-a-uuid'),
];
