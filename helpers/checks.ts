/** The entry `invoicing-network-conformance/checks` of the package: the vocabulary for custom checks. See docs/custom-checks.md. */
// biome-ignore-all lint/performance/noBarrelFile: a package needs one module that names its public functions.
export type { Credentials } from '../engine/model/credentials.ts';
export type { ApiRequest, ApiResponse } from '../engine/model/messages.ts';
export { bodyMember, describeResponse, headerValue, isSuccess } from '../engine/model/messages.ts';
export { invoiceIn } from '../engine/records/invoice-records.ts';
export { invalidCredentials } from './api/invalid-credentials.ts';
export { listInvoices, postInvoice, readInvoice } from './api/operations.ts';
export { breach, expectAccepted, expectRejected, expectThat } from './assert/expect.ts';
export { pollUntil } from './assert/poll.ts';
export type { CheckContext } from './context/check.ts';
export {
  type CustomAreaDefinition,
  type CustomCheckDefinition,
  type CustomRequirementDefinition,
  defineCustomArea,
} from './custom/custom-area.ts';
export { type CustomRequest, sendRequest } from './custom/send-request.ts';
export { formatAmount } from './data/amounts.ts';
export { validBody } from './data/invoice-body.ts';
export { performAction } from './invoices/acting-party.ts';
export { waitForInvoice } from './invoices/find-invoice.ts';
export { createInvoice } from './invoices/invoices.ts';
