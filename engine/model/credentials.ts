import type { ActorName, Target } from '../../specs/target.ts';
import { Blocked } from './outcomes.ts';

/** The two headers of a request, right or wrong, and whose they are. */
export interface Credentials {
  /** For the reader: `seller`, or `seller with a wrong secret`. */
  actorLabel: string;
  /** Null when they are not valid. */
  actor: ActorName | null;
  headers: readonly (readonly [string, string])[];
}

/** An actor's valid credentials. Throws Blocked when the target file does not hold the actor. */
export function credentialsOf(target: Target, name: ActorName): Credentials {
  const actor = target.actors[name];
  if (!actor) throw new Blocked(`actors.${name} of the target file`, `the target file names no actors.${name}`);
  return { actorLabel: name, actor: name, headers: credentialHeaders(actor.key, actor.secret) };
}

/** Credentials that are to be refused, with either header changed or (null) left out. */
export function badCredentials(as: string, key: string | null, secret: string | null): Credentials {
  return { actorLabel: as, actor: null, headers: credentialHeaders(key, secret) };
}

function credentialHeaders(key: string | null, secret: string | null): [string, string][] {
  return [
    ...(key === null ? [] : ([['X-API-Key', key]] as [string, string][])),
    ...(secret === null ? [] : ([['X-API-Secret', secret]] as [string, string][])),
  ];
}
