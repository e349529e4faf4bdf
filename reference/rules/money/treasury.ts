import type { Call } from '../../service/call.ts';
import type { Withdrawal, WithdrawalInput } from '../../service/inputs.ts';
import { DEFAULT_CURRENCY, toCents } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import { addFunds, availableFunds } from './funds.ts';

export function balance({ world: environment, organizationId }: Call): bigint {
  return availableFunds(environment, organizationId, DEFAULT_CURRENCY);
}

/** "TREAS007 (412): not enough funds to complete the payment." */
export function withdraw({ world: environment, organizationId, rules }: Call, { amount }: WithdrawalInput): Withdrawal {
  const cents = toCents(amount);
  if (availableFunds(environment, organizationId, DEFAULT_CURRENCY) < cents) throw rejections.notEnoughFunds();
  addFunds(environment, organizationId, DEFAULT_CURRENCY, -cents);
  return { id: rules.newId(), cents, createdAt: rules.now().toISOString() };
}
