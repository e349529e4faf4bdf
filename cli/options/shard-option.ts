import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import type { Need } from '../../engine/target/capabilities.ts';
import { excludeForbidden } from '../../specs/catalogue/selection.ts';
import { checksOfShard } from '../../specs/catalogue/shards.ts';
import type { Shard } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { needsByCheck } from './check-needs.ts';

export interface ShardOptions {
  shard?: Shard;
}

const MAX_SHARDS = 32;
/** These checks compare the funds of an organization before and after. */
export const FUND_NEEDS: ReadonlySet<Need> = new Set<Need>(['treasuryBalance', 'treasuryWithdraw', 'settle']);

export function withShardOption(command: Command): Command {
  return command.addOption(
    new Option('--shard <i/n>', 'only part i of n of the checks, for parallel jobs; conformance merge joins the parts')
      .argParser(parseShard)
      .conflicts(['lastFailed', 'budget', 'baseline', 'history']),
  );
}

/** The checks of the shard; the selection without one. Throws a ConfigurationError without a seed: all shards need the same. */
export function checksForShard(
  chosen: readonly CheckId[],
  shard: Shard | undefined,
  seed: number | undefined,
): CheckId[] {
  if (shard === undefined) return [...chosen];
  if (seed === undefined)
    throw new ConfigurationError(
      '--seed: missing; write the same --seed in every shard, such as the number of the build',
    );
  const usesFunds = (id: CheckId) => (needsByCheck.get(id) ?? []).some((need) => FUND_NEEDS.has(need));
  const checks = checksOfShard(chosen, shard, usesFunds);
  if (checks.some((id) => needsByCheck.has(id))) return checks;
  throw new ConfigurationError(
    `--shard: found ${shard.index}/${shard.of}, which contains no check that sends requests; write a smaller number of shards`,
  );
}

/** Shards share the rate of the sandbox. None of them may reset it or use up its rate limit while others run. */
export function targetOfShard(target: Target, shard: Shard | undefined): Target {
  if (shard === undefined) return target;
  const share = (limit: number | 'none') => (limit === 'none' ? limit : limit / shard.of);
  const { requestsPerSecond, requestsPerMinute } = target.limits;
  return {
    ...target,
    allow: { ...target.allow, reset: false, rateLimitProbe: false },
    limits: {
      ...target.limits,
      requestsPerSecond: share(requestsPerSecond),
      requestsPerMinute: share(requestsPerMinute),
    },
  };
}

/** Checks that only a run without shards may make, although the target file allows them. */
export function checksWithoutShard(chosen: readonly CheckId[], target: Target, shard: Shard | undefined): CheckId[] {
  if (shard === undefined) return [];
  const allowed = new Set(excludeForbidden(chosen, target.allow).selected);
  const { selected } = excludeForbidden(chosen, targetOfShard(target, shard).allow);
  const inShards = new Set(selected);
  return [...allowed].filter((id) => !inShards.has(id));
}

function parseShard(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of || of > MAX_SHARDS)
    throw new InvalidArgumentError(`write i/n with i from 1 to n and n up to ${MAX_SHARDS}, such as 1/4.`);
  return { index, of };
}
