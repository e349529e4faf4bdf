import type { Call } from '../../service/call.ts';
import { type Action, transitions } from '../../service/lifecycle.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';

/**
 * "Which role may perform each action is not given": here, the party that the transition names. The other party can see
 * the invoice, so it gets 403.
 */
export function checkParty({ organizationId }: Call, invoice: Invoice, action: Action): void {
  const { by } = transitions[action];
  const entitled = by === 'seller' ? invoice.sellerOrganizationId : invoice.buyerOrganizationId;
  if (organizationId !== entitled) throw rejections.wrongParty();
}
