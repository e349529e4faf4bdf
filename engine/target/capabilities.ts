import {
  ACTOR_NAMES,
  type ActorName,
  isOperationName,
  OPERATION_NAMES,
  type OperationName,
  type Target,
} from '../../specs/target-file/target.ts';
import { Blocked, NotApplicable } from '../model/outcomes.ts';

/** What a check may need from the target file, in addition to the operations of the contract. */
export type Need =
  | ActorName
  | OperationName
  /** An invoice that was submitted. Where the target file declares submit `not-offered`, new invoices may be SUBMITTED. */
  | 'submission'
  /** Uses whichever operations are bound. */
  | 'boundOperations'
  | 'connection'
  | 'unconnected'
  | 'suspended'
  | keyof Target['allow'];

/** What a custom check may need. */
export const CUSTOM_NEEDS = [
  ...ACTOR_NAMES,
  ...OPERATION_NAMES,
  'boundOperations',
  'connection',
  'unconnected',
  'suspended',
] as const satisfies readonly Need[];
export type CustomNeed = (typeof CUSTOM_NEEDS)[number];

export type OrganizationIds = Partial<Record<ActorName, string>>;

export type MissingField = `${string} of the target file`;

/** The field of the target file whose absence makes a need unmet; null when it is met. */
export function missingField(need: Need, target: Target, organizations: OrganizationIds): MissingField | null {
  const field = (name: string): MissingField => `${name} of the target file`;
  if (isActor(need)) return target.actors[need] ? null : field(`actors.${need}`);
  if (isOperationName(need)) return target.operations[need] ? null : field(`operations.${need}`);
  switch (need) {
    case 'connection':
      if (!target.actors.seller) return field('actors.seller');
      if (!organizations.seller) return field('actors.seller.organizationId');
      return organizations.buyer ? null : field('actors.buyer.organizationId');
    case 'submission':
      return target.notOffered.includes('submit') ? null : missingField('submit', target, organizations);
    case 'boundOperations':
      return null;
    case 'reset':
    case 'rateLimitProbe':
    case 'productionWrites':
      return target.allow[need] ? null : field(`allow.${need}`);
    default:
      return target.counterparties[need] ? null : field(`counterparties.${need}`);
  }
}

/** All fields of the target file that a need is about, whether they are missing or not. */
export function requiredFields(need: Need): string[] {
  if (isActor(need)) return [`actors.${need}`];
  if (isOperationName(need)) return [`operations.${need}`];
  switch (need) {
    case 'connection':
      return ['actors.seller', 'actors.buyer'];
    case 'submission':
      return ['operations.submit'];
    case 'boundOperations':
      return [];
    case 'reset':
    case 'rateLimitProbe':
    case 'productionWrites':
      return [`allow.${need}`];
    default:
      return [`counterparties.${need}`];
  }
}

/** The bound operations to verify before checks with these needs begin. A withdrawal costs money, so it is verified only for treasury checks. */
export function operationsToVerify(target: Pick<Target, 'operations'>, needs: ReadonlySet<Need>): OperationName[] {
  const judgesMoney = needs.has('treasuryBalance') || needs.has('treasuryWithdraw');
  return OPERATION_NAMES.filter((name) => target.operations[name] && (name !== 'treasuryWithdraw' || judgesMoney));
}

/** The target of a run, with what the run has found out about it. */
interface TargetKnowledge {
  target: Target;
  plan: { organizations: OrganizationIds };
  /** By operation or actor: the error in the target file. */
  disabledReasons: ReadonlyMap<Need, string>;
}

/**
 * Throws if a check cannot run against this target: NotApplicable if it needs an operation that the target file declares
 * `not-offered`, otherwise Blocked by the first field that is missing or wrong.
 */
export function blockUnlessNeedsMet(needs: readonly Need[], { target, disabledReasons, plan }: TargetKnowledge): void {
  const { organizations } = plan;
  for (const need of needs) {
    const used = usedNeed(need);
    const why = disabledReasons.get(used);
    if (why !== undefined) throw new Blocked(fieldForNeed(used), why);
  }
  const absent = needs.find((need) => (target.notOffered as readonly Need[]).includes(need));
  if (absent !== undefined) throw new NotApplicable(`the target file declares operations.${absent} not-offered`);
  const missing = needs.map((need) => missingField(need, target, organizations)).find((field) => field !== null);
  if (missing) throw new Blocked(missing, `the check needs ${missing}`);
}

/** The need whose error in the target file prevents this one. */
export function usedNeed(need: Need): Need {
  return need === 'submission' ? 'submit' : need;
}

/** The field of the target file to correct for a need; `target` if no field is wrong. */
function fieldForNeed(need: Need): Blocked['blockedBy'] {
  if (isActor(need)) return `actors.${need} of the target file`;
  return isOperationName(need) ? `operations.${need} of the target file` : 'target';
}

function isActor(need: Need): need is ActorName {
  return (ACTOR_NAMES as readonly string[]).includes(need);
}
