import type { Check } from '../../helpers/context/check.ts';
import { invalidFieldCheck, rawValueCheck } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';

export const fieldTypesChecks: readonly Check[] = [
  rawValueCheck('CREATE-05.description-huge-number', 'description', '9'.repeat(400)),

  generatedRejectionCheck('CREATE-05.generated', families.wrongTypes),

  generatedRejectionCheck('CREATE-05.every-type', families.everyWrongType),

  invalidFieldCheck('CREATE-05.seller-id-number', 'sellerId', 12345),

  invalidFieldCheck('CREATE-05.seller-id-null', 'sellerId', null),

  invalidFieldCheck('CREATE-05.seller-id-array', 'sellerId', ({ sellerId }: InvoiceBody) => [sellerId]),

  invalidFieldCheck('CREATE-05.buyer-id-number', 'buyerId', 12345),

  invalidFieldCheck('CREATE-05.buyer-id-null', 'buyerId', null),

  invalidFieldCheck('CREATE-05.buyer-id-array', 'buyerId', ({ buyerId }: InvoiceBody) => [buyerId]),

  invalidFieldCheck('CREATE-05.due-date-number', 'dueDate', 20_991_231),

  invalidFieldCheck('CREATE-05.due-date-null', 'dueDate', null),

  invalidFieldCheck('CREATE-05.due-date-array', 'dueDate', ({ dueDate }: InvoiceBody) => [dueDate]),

  invalidFieldCheck('CREATE-05.currency-number', 'currency', 978),

  invalidFieldCheck('CREATE-05.currency-array', 'currency', ['EUR']),

  invalidFieldCheck('CREATE-05.description-number', 'description', 42),

  invalidFieldCheck('CREATE-05.description-object', 'description', { text: 'conformance' }),

  invalidFieldCheck('CREATE-05.request-id-number', 'requestId', 42),

  invalidFieldCheck('CREATE-05.request-id-object', 'requestId', { value: 'conformance' }),
];
