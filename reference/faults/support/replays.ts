import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { InvoiceStatus, ServiceResponse } from '../../service/store.ts';

/** Changes the response to a replay, but not the original one. */
export function changeReplay(
  route: string,
  change: (response: ServiceResponse, call: Call) => ServiceResponse,
): RuleChange {
  return overrideRules((base) => ({
    replay: async (call, key, perform) => {
      let original = false;
      const response = await base.replay(call, key, () => {
        original = true;
        return perform();
      });
      return original || call.route.name !== route ? response : change(response, call);
    },
  }));
}

/** Another key for the same requestId, on one operation. */
export function changeReplayKey(
  route: string,
  key: (requestId: string | undefined, call: Call, subject?: string) => string | undefined,
): RuleChange {
  return overrideRules((base) => ({
    replayKey: (call, requestId, subject) =>
      call.route.name === route
        ? base.replayKey(call, key(requestId, call, subject), subject)
        : base.replayKey(call, requestId, subject),
  }));
}

/** The current state of the invoice in a response. */
export function currentInvoice(response: ServiceResponse, { world: environment, rules }: Call): ServiceResponse {
  const invoice = environment.invoices.get((response.body as { id: string }).id);
  return invoice ? { ...response, body: rules.renderInvoice(invoice) } : response;
}

/** Changes the response to a replay if the invoice has reached a state. */
export function changeReplayInState(
  status: InvoiceStatus,
  route: string,
  change: (response: ServiceResponse, call: Call) => ServiceResponse,
): RuleChange {
  return changeReplay(route, (response, call) => {
    const invoice = call.world.invoices.get((response.body as { id: string }).id);
    return invoice?.status === status ? change(response, call) : response;
  });
}

/** A request that names the environment is not treated as a replay. */
export function requestIdWithEnvironment(requestId: string | undefined, { request }: Call): string | undefined {
  return requestId && `${requestId} ${request.headers.get('X-Environment')}`;
}

/** The record of a requestId is dropped after some milliseconds. */
export function expireReplays(route: string, afterMs: number): RuleChange {
  return overrideRules((base) => {
    const at = new Map<string, number>();
    return {
      replay: async (call, key, perform) => {
        if (key !== undefined && call.route.name === route) {
          const first = at.get(key) ?? performance.now();
          at.set(key, first);
          if (performance.now() - first > afterMs) call.world.replays.delete(key);
        }
        return base.replay(call, key, perform);
      },
    };
  });
}

export const REPLAY_EXPIRY_MS = 250;

/** The response is stored, but the request is carried out again. */
export function repeatOnReplay(route: string): RuleChange {
  return overrideRules((base) => ({
    replay: async (call, key, perform) => {
      if (call.route.name !== route || key === undefined) return base.replay(call, key, perform);
      const stored = call.world.replays.get(key);
      if (stored) await Promise.resolve(perform()).catch(() => undefined);
      return base.replay(call, key, perform);
    },
  }));
}

/** As long as a query of a nearby cache. */
export const RACE_WINDOW_MS = 2;
