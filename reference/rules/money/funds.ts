import { STARTING_FUNDS } from '../../service/money.ts';
import type { World } from '../../service/store.ts';

/** The available funds of an organization in one currency, in cents. */
export function fundsOf(world: World, organizationId: string, currency: string): bigint {
  return world.balances.get(account(organizationId, currency)) ?? STARTING_FUNDS;
}

export function addFunds(world: World, organizationId: string, currency: string, cents: bigint): void {
  world.balances.set(account(organizationId, currency), fundsOf(world, organizationId, currency) + cents);
}

function account(organizationId: string, currency: string): string {
  return `${organizationId} ${currency}`;
}
