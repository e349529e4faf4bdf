import { ACTOR_NAMES, type ActorName, OPERATION_NAMES, type OperationName, type Target } from '../specs/target.ts';

/** What a check may need of the target file beside the operations that the contract shows. */
export type Need = ActorName | OperationName | 'connection' | 'unconnected' | 'suspended' | 'reset' | 'rateLimitProbe';

export type Organizations = Partial<Record<ActorName, string>>;

export type MissingField = `${string} of the target file`;

/** The field of the target file whose absence makes a need unmet; null when it is met. */
export function missingField(need: Need, target: Target, organizations: Organizations): MissingField | null {
  const field = (name: string): MissingField => `${name} of the target file`;
  if (isActor(need)) return target.actors[need] ? null : field(`actors.${need}`);
  if (isOperation(need)) return target.operations[need] ? null : field(`operations.${need}`);
  switch (need) {
    case 'connection':
      if (!target.actors.seller) return field('actors.seller');
      if (!organizations.seller) return field('actors.seller.organizationId');
      return organizations.buyer ? null : field('actors.buyer.organizationId');
    case 'reset':
    case 'rateLimitProbe':
      return target.allow[need] ? null : field(`allow.${need}`);
    default:
      return target.counterparties[need] ? null : field(`counterparties.${need}`);
  }
}

function isActor(need: Need): need is ActorName {
  return (ACTOR_NAMES as readonly string[]).includes(need);
}

function isOperation(need: Need): need is OperationName {
  return (OPERATION_NAMES as readonly string[]).includes(need);
}
