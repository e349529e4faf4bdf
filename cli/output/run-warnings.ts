import { isLoopback } from '../../engine/target/network/loopback.ts';
import { joinNames, pluralize } from '../../reporting/text/wording.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { Target } from '../../specs/target-file/target.ts';

interface RunScope {
  readonly target: Target;
  readonly profile: string;
  readonly checks: readonly CheckId[];
  /** Checks that the target file allows, but no shard may run. */
  readonly withoutShard: readonly CheckId[];
  /** Whether the run judges the reference service that it has started itself. */
  readonly isEmbedded: boolean;
}

/** What the user must know before the run begins, one line each. */
export function runWarnings({ target, profile, checks, withoutShard, isEmbedded }: RunScope): string[] {
  const { allow, baseUrl } = target;
  const writesToProduction = allow.productionWrites && profile !== 'read-only' && !isLoopback(baseUrl);
  const resets = allow.reset && checks.some((id) => id.startsWith('RESET-')) && !isEmbedded;
  return [
    ...(withoutShard.length === 0 ? [] : [shardWarning(withoutShard)]),
    ...(writesToProduction ? [productionWarning(baseUrl)] : []),
    ...(resets ? ['The target file allows a reset: this run invalidates its sandbox keys.'] : []),
  ];
}

/** Either the key was never revoked, or the server breaks AUTH-04, which a run judges. */
export const ACCEPTED_REVOKED_KEY =
  'actors.revoked: the server accepts this key; write a key that was revoked (if it was, a run will fail AUTH-04)';

/** The first line of a run that may change production on another machine. */
function productionWarning(baseUrl: string): string {
  return `WARNING: THIS RUN WRITES TO PRODUCTION at ${baseUrl}: allow.productionWrites of the target file is true. Use it only with an ephemeral stack that you discard after the run.`;
}

function shardWarning(ids: readonly CheckId[]): string {
  const verb = ids.length === 1 ? 'is' : 'are';
  return `${pluralize(ids.length, 'check')} would disturb the other shards and ${verb} left out (${joinNames(ids)}); judge them without --shard.`;
}
