import { namesItself } from '../../engine/diagnosis/action-words.ts';
import { bindingInWords } from '../../engine/diagnosis/operation-binding.ts';
import { type ApiResponse, bodyMember, type Operation } from '../../engine/model/messages.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import type { ActorName } from '../../specs/target.ts';
import type { Lab } from '../context/check-context.ts';

/** What the target file claims of an actor that nothing but the server's answers can confirm. */
const CLAIMS: Partial<Record<ActorName, string>> = {
  revoked: 'if this key was never revoked, correct actors.revoked',
  readOnly: 'if this key may change data, correct actors.readOnly',
  outsider: "if this key is of the seller's or the buyer's organization, correct actors.outsider",
  production: "if this key is not of the seller's organization in PRODUCTION, correct actors.production",
};

const COUNTERPARTIES = {
  unconnected:
    'if the id belongs to no organization, or the seller has a connection with it, correct counterparties.unconnected',
  suspended:
    "if the id belongs to no organization, or the seller's connection with it is not suspended, correct counterparties.suspended",
} as const;

/** What merely looks at things tells whose a key is, and not what it may do. */
const LOOKS: ReadonlySet<Operation> = new Set(['list', 'read', 'treasuryBalance']);
const OF_THE_SELLER = "if this key is not of the seller's organization, correct actors.readOnly";

/** The claim of the target file that could explain an answer as well as a breach could: `; if …, correct …`, or nothing. */
export function configurationDoubt({ target, run }: Pick<Lab, 'target' | 'run'>, answer: ApiResponse): string {
  const { actors, counterparties } = target;
  const { ask, sent } = answer;
  const sentWith = (key: string | undefined) => ask.credentials.some(([, value]) => value === key);
  const claims = (Object.keys(CLAIMS) as ActorName[])
    .filter((name) => sentWith(actors[name]?.key))
    .map((name) => (name === 'readOnly' && LOOKS.has(ask.operation) ? OF_THE_SELLER : CLAIMS[name]));
  const named = (['unconnected', 'suspended'] as const)
    .filter((name) => counterparties[name] !== undefined && sent?.includes(counterparties[name]))
    .map((name) => COUNTERPARTIES[name]);
  const elsewhere = run.permissions.worked(ask.operation) ? [] : otherPath(answer);
  return [...claims, ...named, ...anotherAction(target, answer), ...elsewhere].map((claim) => `; ${claim}`).join('');
}

/** A path that does not name its action may be that of another one. */
function anotherAction({ operations }: Lab['target'], { ask }: ApiResponse): string[] {
  const action = lifecycle.actions.find((each) => each === ask.operation);
  const template = action && operations[action];
  if (!action || !template || namesItself(action, template)) return [];
  return [`if ${bindingInWords(template)} is another action than ${action}, correct operations.${action}`];
}

/** A path that is no invoice's may be answered as an invoice that does not exist is. */
function otherPath(answer: ApiResponse): string[] {
  const { operation, actor } = answer.ask;
  const isOfInvoice = operation === 'read' || lifecycle.actions.some((action) => action === operation);
  if (!isOfInvoice || answer.status !== 404 || bodyMember(answer, 'code') !== 'INV001') return [];
  if (actor !== 'seller' && actor !== 'buyer') return [];
  return [`if the service ${operation}s an invoice at another path, correct operations.${operation}`];
}
