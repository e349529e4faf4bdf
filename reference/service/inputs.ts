import type { Environment, Invoice, InvoiceRecord } from './store.ts';

/** A valid body of invoice creation. */
export interface CreateInput {
  sellerId: string;
  buyerId: string;
  amount: string;
  dueDate: string;
  currency?: string | undefined;
  description?: string | undefined;
  requestId?: string | undefined;
}

/** The possible fields of the bodies of invoice actions. `validateAction` decides which action accepts which. */
export interface ActionInput {
  requestId?: string | undefined;
  reason?: string | undefined;
  note?: string | undefined;
  adjustment?: { amount: string } | undefined;
}

export interface BalanceInput {
  requestId?: string | undefined;
}

export interface WithdrawalInput {
  amount: string;
  requestId?: string | undefined;
}

export interface SubscriptionInput {
  url: string;
  eventTypes: string[];
  signingSecret?: string | undefined;
}

/** The query of a list with its defaults. */
export interface ListQuery {
  page: number;
  limit: number;
  sortBy: keyof InvoiceRecord;
  sortOrder: 'asc' | 'desc';
}

/** One page of a list, before its records are rendered. */
export interface InvoicePage {
  items: Invoice[];
  total: number;
  totalPages: number;
  page: number;
  limit: number;
}

export interface Withdrawal {
  id: string;
  cents: bigint;
  createdAt: string;
}

/** The number of records that a reset cleared. */
export interface ResetResult {
  apiKeys: number;
  logs: number;
  invoices: number;
  bookings: number;
}

/** An event that is delivered to subscribers. */
export interface ServiceEvent {
  id: string;
  kind: string;
  environment: Environment;
  at: string;
  /** The invoice as it was when the event happened. */
  invoice: Invoice;
}
