import { lifecycle } from '../../specs/contract/lifecycle.ts';
import type { ActorName, Target } from '../../specs/target-file/target.ts';
import { type ApiResponse, bodyMember, type Operation } from '../model/messages.ts';
import { namesAction } from './action-words.ts';
import { describeBinding } from './operation-binding.ts';
import type { Permissions } from './permissions.ts';

/** Statements of the target file about an actor that only the server's responses can confirm. */
const ACTOR_CLAIMS: Partial<Record<ActorName, string>> = {
  revoked: 'if this key was never revoked, correct actors.revoked',
  readOnly: 'if this key may change data, correct actors.readOnly',
  outsider: "if this key is of the seller's or the buyer's organization, correct actors.outsider",
  production: "if this key is not of the seller's organization in PRODUCTION, correct actors.production",
};

const COUNTERPARTY_CLAIMS = {
  unconnected:
    'if the id belongs to no organization, or the seller has a connection with it, correct counterparties.unconnected',
  suspended:
    "if the id belongs to no organization, or the seller's connection with it is not suspended, correct counterparties.suspended",
} as const;

/** With this status, the server has rejected the key as the target file says. Only the code or the body is wrong. */
const REJECTION_STATUSES: Partial<Record<ActorName, number>> = {
  revoked: 401,
  readOnly: 403,
  outsider: 404,
  production: 404,
};

/** These operations show which organization a key belongs to, and not what it may do. */
const READ_OPERATIONS: ReadonlySet<Operation> = new Set(['list', 'read', 'treasuryBalance']);
const SELLER_KEY_CLAIM = "if this key is not of the seller's organization, correct actors.readOnly";

interface JudgedRun {
  readonly target: Target;
  readonly permissions: Permissions;
  readonly plan: { readonly rejectedActors?: readonly ActorName[] };
}

/**
 * The statements of the target file that could explain a response as well as a breach could, as `if …, correct …; `
 * each, to precede what the response shows; otherwise an empty string.
 */
export function configurationDoubt(run: JudgedRun, response: ApiResponse): string {
  const { target, permissions } = run;
  const { actors, counterparties } = target;
  const { request, sentBody } = response;
  const sentWith = (key: string | undefined) => request.credentials.some(([, value]) => value === key);
  const claims = (Object.keys(ACTOR_CLAIMS) as ActorName[])
    .filter((name) => sentWith(actors[name]?.key) && REJECTION_STATUSES[name] !== response.status)
    .filter((name) => !isConfirmed(run, name, request.operation))
    .map((name) =>
      name === 'readOnly' && READ_OPERATIONS.has(request.operation) ? SELLER_KEY_CLAIM : ACTOR_CLAIMS[name],
    );
  const named = (['unconnected', 'suspended'] as const)
    .filter((name) => counterparties[name] !== undefined && sentBody?.includes(counterparties[name]))
    .map((name) => COUNTERPARTY_CLAIMS[name]);
  const elsewhere = permissions.hasSucceeded(request.operation)
    ? []
    : [...wrongPathClaims(response), ...wrongTreasuryClaims(target, response)];
  return [...claims, ...named, ...wrongActionClaims(target, response), ...elsewhere]
    .map((claim) => `${claim}; `)
    .join('');
}

/** Whether the server itself has shown in this run that the target file is right about a key. */
function isConfirmed({ permissions, plan }: JudgedRun, actor: ActorName, operation: Operation): boolean {
  if (actor === 'revoked') return plan.rejectedActors?.includes(actor) ?? false;
  return actor === 'readOnly' && !READ_OPERATIONS.has(operation) && permissions.wasForbidden(actor, operation);
}

/** A path that does not name its action may belong to another action. */
function wrongActionClaims({ operations }: Target, { request }: ApiResponse): string[] {
  const action = lifecycle.actions.find((each) => each === request.operation);
  const template = action && operations[action];
  if (!action || !template || namesAction(action, template)) return [];
  return [`if ${describeBinding(template)} is an action other than ${action}, correct operations.${action}`];
}

/** A service may respond to a wrong path as to an invoice that does not exist. */
function wrongPathClaims(response: ApiResponse): string[] {
  const { operation, actor } = response.request;
  const isOfInvoice = operation === 'read' || lifecycle.actions.some((action) => action === operation);
  if (!isOfInvoice || response.status !== 404 || bodyMember(response, 'code') !== 'INV001') return [];
  if (actor !== 'seller' && actor !== 'buyer') return [];
  return [`if the service ${operation}s an invoice at another path, correct operations.${operation}`];
}

const TREASURY_OPERATIONS = { treasuryBalance: 'the balance', treasuryWithdraw: 'the withdrawal' } as const;

/** A service may respond with 500 to a body that it does not expect. */
function wrongTreasuryClaims({ operations }: Target, { request, status }: ApiResponse): string[] {
  const { operation } = request;
  if (status !== 500 || (operation !== 'treasuryBalance' && operation !== 'treasuryWithdraw')) return [];
  const template = operations[operation];
  if (!template) return [];
  const what = TREASURY_OPERATIONS[operation];
  return [`if ${describeBinding(template)} is not ${what}, or takes another body, correct operations.${operation}`];
}
