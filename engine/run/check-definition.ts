import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target.ts';
import type { SuspectOperation } from '../diagnosis/lost-operations.ts';
import type { ForbiddenRequest } from '../diagnosis/permissions.ts';
import type { Phase } from '../scheduling/phases.ts';
import type { Need } from '../target/capabilities.ts';
import type { MissedEffect } from './late-effects.ts';

/** One experiment with one question. A value: it can be listed without being run. */
export interface CheckDefinition<Lab> {
  id: CheckId;
  /** What the target file must hold for the question to be put. */
  needs: readonly Need[];
  phase: Phase;
  /** When it begins within its phase. `high` for checks that hold invoices or funds others wait for, `low` for long chains. */
  priority: Priority;
  body: (ctx: Lab) => Promise<void>;
}

const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Checks by priority, and in their order within it. It decides no verdict, only how long a run takes. */
export function byPriority<Definition extends Pick<CheckDefinition<never>, 'priority'>>(
  definitions: readonly Definition[],
): Definition[] {
  return PRIORITIES.flatMap((each) => definitions.filter(({ priority }) => priority === each));
}

/** All that some of the checks need of the target file. */
export function needsOf(definitions: readonly CheckDefinition<never>[], ids: readonly CheckId[]): ReadonlySet<Need> {
  const chosen = new Set(ids);
  return new Set(definitions.filter(({ id }) => chosen.has(id)).flatMap(({ needs }) => needs));
}

/** One check while it runs: what its exchanges are, for its record. */
export interface CheckExecution {
  /** Null for what the kit does in no check's name, such as tidying up. */
  id: CheckId | null;
  exchanges: string[];
  /** Whether a change that it asked for was repeated, and may have been made twice. */
  mayHaveDuplicatedMutation: boolean;
  /** Whose valid credentials were answered with 401. */
  actorsAnswered401: Set<ActorName>;
  /** Exchanges in which a valid key was answered with 403, by their ids. */
  forbiddenRequests: Map<string, ForbiddenRequest>;
  /** Exchanges after which an operation that worked may be gone, by their ids. */
  suspectOperations: Map<string, SuspectOperation>;
  /** What it waited for in vain. */
  missedEffects: MissedEffect[];
}

/** Nothing asked yet. */
export function newCheckExecution(id: CheckExecution['id']): CheckExecution {
  return {
    id,
    exchanges: [],
    mayHaveDuplicatedMutation: false,
    actorsAnswered401: new Set(),
    forbiddenRequests: new Map(),
    suspectOperations: new Map(),
    missedEffects: [],
  };
}
