import type { Action } from '../../service/lifecycle.ts';

/** "Webhook notifications for events such as invoice approval and payment settlement." */
export function eventKinds(action: Action): readonly string[] {
  if (action === 'settle') return ['PAYMENT_COMPLETED'];
  if (action === 'approve') return ['INVOICE_APPROVED'];
  return [];
}
