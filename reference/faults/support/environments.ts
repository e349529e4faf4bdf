import type { Call } from '../../service/call.ts';

export const LARGE_SUM_CENTS = 10_000_000n;

export const isReadCall = ({ request }: Call) => request.method === 'GET';

/** The store of the other environment. */
export const otherEnvironmentOf = ({ store, environment }: Call) =>
  store.worlds[environment === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX'];

export const sandboxOf = ({ store }: Call) => store.worlds.SANDBOX;

export function isProductionCall(call: Call, route: string): boolean {
  return call.environment === 'PRODUCTION' && call.route.name === route;
}
