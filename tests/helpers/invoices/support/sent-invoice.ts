import type { InvoiceBody } from '../../../../helpers/data/invoice-body.ts';

/** A body as the kit sends it. */
export const body: InvoiceBody = {
  sellerId: 'org-seller',
  buyerId: '7D4F9A52-8A6F-4C4E-9D3E-0123456789AB',
  amount: '12.34',
  dueDate: '2027-01-31',
  description: 'Chair (conformance 01234567 7)',
};

/** The invoice that a server makes of the body. */
export const record = {
  id: 'inv-1',
  invoiceNumber: 'INV-1',
  status: 'DRAFT',
  amount: '12.34',
  dueDate: '2027-01-31',
  buyerOrganizationId: '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab',
  description: body.description,
};
