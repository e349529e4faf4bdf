import { placeOf } from '../../specs/catalogue/check-order.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import type { SuspectOperation } from '../diagnosis/lost-operations.ts';
import type { ForbiddenRequest } from '../diagnosis/permissions.ts';
import type { MissedEffect } from '../ledger/late-effects.ts';
import type { Phase } from '../scheduling/phases.ts';
import { RequestActivity } from '../scheduling/request-activity.ts';
import type { Need } from '../target/capabilities.ts';

/** One experiment with one question. A value: it can be listed without being run. */
export interface CheckDefinition<Context> {
  id: CheckId;
  /** What the target file must contain so that the check can run. */
  needs: readonly Need[];
  phase: Phase;
  /** When it begins within its phase. `high` for checks that occupy invoices or funds of other checks. */
  priority: Priority;
  body: (ctx: Context) => Promise<void>;
}

/** A check without its experiment. */
export type CheckNeeds = Pick<CheckDefinition<never>, 'id' | 'needs'>;

const PRIORITIES = ['high', 'normal'] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * Checks in the order in which a run starts them: by priority, then those first that detect most defects per request. The order
 * affects how early a defect shows and how long a run takes, not the verdicts.
 */
export function inRunOrder<Definition extends Pick<CheckDefinition<never>, 'id' | 'priority'>>(
  definitions: readonly Definition[],
): Definition[] {
  return [...definitions].sort(
    (one, other) =>
      PRIORITIES.indexOf(one.priority) - PRIORITIES.indexOf(other.priority) || placeOf(one.id) - placeOf(other.id),
  );
}

/** The needs of all selected checks. */
export function needsOf(definitions: readonly CheckNeeds[], ids: readonly CheckId[]): ReadonlySet<Need> {
  const chosen = new Set(ids);
  return new Set(definitions.filter(({ id }) => chosen.has(id)).flatMap(({ needs }) => needs));
}

/** The state of one check while it runs. */
export interface CheckExecution {
  /** Null for work of the kit outside of checks, such as clean-up. */
  id: CheckId | null;
  exchanges: string[];
  /** Whether a change was retried, and may have been made twice. */
  mayHaveDuplicatedMutation: boolean;
  /** Actors whose valid credentials were rejected with 401. */
  actorsAnswered401: Set<ActorName>;
  /** Exchanges in which a valid key was rejected with 403, by id. */
  forbiddenRequests: Map<string, ForbiddenRequest>;
  /** Exchanges after which an operation may no longer exist, by id. */
  suspectOperations: Map<string, SuspectOperation>;
  /** How often realistic data was drawn, which makes each piece different. */
  dataDraws: number;
  /** Effects that did not appear in time. */
  missedEffects: MissedEffect[];
  /** Whether it belongs to a custom check, whose exchanges the rules of the contract do not judge. */
  isCustom: boolean;
  /** Whether its body has ended. Shared work that it began may go on. */
  hasEnded: boolean;
  /** Whether its requests go before those of others, because other checks or the end of the run wait for it. */
  isUrgent: boolean;
  /** Whether it has pending requests. */
  activity: RequestActivity;
  /** Lets the late phase begin although this check of the main phase has not ended. Call it before a long wait without changes. */
  allowLatePhase: () => void;
}

/** An execution without exchanges. */
export function newCheckExecution(id: CheckExecution['id']): CheckExecution {
  return {
    id,
    exchanges: [],
    mayHaveDuplicatedMutation: false,
    actorsAnswered401: new Set(),
    forbiddenRequests: new Map(),
    suspectOperations: new Map(),
    dataDraws: 0,
    missedEffects: [],
    isCustom: false,
    hasEnded: false,
    isUrgent: false,
    activity: new RequestActivity(),
    allowLatePhase: () => {},
  };
}
