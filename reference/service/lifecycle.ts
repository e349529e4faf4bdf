import type { InvoiceStatus } from './store.ts';

export type Action = 'submit' | 'delete' | 'approve' | 'dispute' | 'cancel' | 'settle' | 'resolve';
export type Party = 'seller' | 'buyer';

interface Transition {
  from: InvoiceStatus;
  to: InvoiceStatus | 'DELETED';
  by: Party;
}

/**
 * "Invoice states and the actions that the service offers in each state." The contract does not show the resulting
 * states of resolve and the acting parties, so this service chooses them.
 */
export const transitions: Readonly<Record<Action, Transition>> = {
  submit: { from: 'DRAFT', to: 'SUBMITTED', by: 'seller' },
  delete: { from: 'DRAFT', to: 'DELETED', by: 'seller' },
  approve: { from: 'SUBMITTED', to: 'APPROVED', by: 'buyer' },
  dispute: { from: 'SUBMITTED', to: 'DISPUTED', by: 'buyer' },
  cancel: { from: 'SUBMITTED', to: 'CANCELLED', by: 'seller' },
  settle: { from: 'APPROVED', to: 'SETTLED', by: 'buyer' },
  resolve: { from: 'DISPUTED', to: 'SUBMITTED', by: 'seller' },
};

/** "409: action cannot be done in the current state", for example approving an already-settled invoice. */
export const conflictingActions: Readonly<Partial<Record<InvoiceStatus, readonly Action[]>>> = {
  SETTLED: ['approve', 'settle', 'cancel'],
  CANCELLED: ['approve', 'cancel'],
};
