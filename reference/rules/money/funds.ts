import { STARTING_FUNDS } from '../../service/money.ts';
import type { World } from '../../service/store.ts';

/** The available funds of an organization in one currency, in cents. */
export function availableFunds(environment: World, organizationId: string, currency: string): bigint {
  return environment.balances.get(balanceKey(organizationId, currency)) ?? STARTING_FUNDS;
}

export function addFunds(environment: World, organizationId: string, currency: string, cents: bigint): void {
  environment.balances.set(
    balanceKey(organizationId, currency),
    availableFunds(environment, organizationId, currency) + cents,
  );
}

function balanceKey(organizationId: string, currency: string): string {
  return `${organizationId} ${currency}`;
}
