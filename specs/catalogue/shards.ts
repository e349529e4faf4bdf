import type { Shard } from '../formats/journal.ts';
import type { CheckId } from '../generated/ids.ts';
import { checkOrder } from './check-order.ts';

/**
 * The checks of one shard. The shards have about the same number of requests. Exchange rules, which send none, are part of every
 * shard. `isTogether` names checks that would disturb each other from different shards: they are all in the first one.
 */
export function checksOfShard(
  ids: readonly CheckId[],
  { index, of }: Shard,
  isTogether: (id: CheckId) => boolean,
): CheckId[] {
  const chosen = new Set(ids);
  const costs = checkOrder.filter(({ check }) => chosen.has(check));
  const loads = Array.from({ length: of }, () => 0);
  const shardOf = new Map<CheckId, number>();
  const assign = (check: CheckId, requests: number, shard: number) => {
    shardOf.set(check, shard);
    loads[shard] = (loads[shard] ?? 0) + requests;
  };
  for (const { check, requests } of costs) if (isTogether(check)) assign(check, requests, 0);
  const others = costs.filter(({ check }) => !isTogether(check));
  for (const { check, requests } of others.sort((one, other) => other.requests - one.requests))
    assign(check, requests, loads.indexOf(Math.min(...loads)));
  return ids.filter((id) => (shardOf.get(id) ?? index - 1) === index - 1);
}
