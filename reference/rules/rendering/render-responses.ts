import type { Call } from '../../service/call.ts';
import type { InvoicePage, ResetResult, Withdrawal } from '../../service/inputs.ts';
import type { Action } from '../../service/lifecycle.ts';
import { DEFAULT_CURRENCY, fromCents } from '../../service/money.ts';
import type { Invoice, ServiceResponse, Subscription } from '../../service/store.ts';

/** "The paged list envelope whose items are invoices." */
export function renderList({ rules }: Call, page: InvoicePage): ServiceResponse {
  return { status: 200, body: { ...page, items: page.items.map((invoice) => rules.renderInvoice(invoice)) } };
}

export function renderRead({ rules }: Call, invoice: Invoice): ServiceResponse {
  return { status: 200, body: rules.renderInvoice(invoice) };
}

/** "Success status code and exact response shape beyond the invoice record: not shown": 201 and the bare record. */
export function renderCreated({ rules }: Call, invoice: Invoice): ServiceResponse {
  return { status: 201, body: rules.renderInvoice(invoice) };
}

export function renderChanged({ rules }: Call, invoice: Invoice, action: Action): ServiceResponse {
  return action === 'delete' ? { status: 204 } : { status: 200, body: rules.renderInvoice(invoice) };
}

export function renderBalance({ organizationId }: Call, cents: bigint): ServiceResponse {
  return { status: 200, body: { organizationId, currency: DEFAULT_CURRENCY, available: fromCents(cents) } };
}

export function renderWithdrawal(_call: Call, { id, cents, createdAt }: Withdrawal): ServiceResponse {
  const body = { id, amount: fromCents(cents), currency: DEFAULT_CURRENCY, status: 'COMPLETED', createdAt };
  return { status: 201, body };
}

/** The response omits the signing secret, because the caller knows it. */
export function renderSubscription(_call: Call, { id, url, eventTypes, createdAt }: Subscription): ServiceResponse {
  return { status: 201, body: { id, url, eventTypes, createdAt } };
}

export function renderReset(_call: Call, cleared: ResetResult): ServiceResponse {
  return { status: 200, body: { cleared } };
}
