import type { ActorName, Target } from '../../specs/target-file/target.ts';
import { Blocked } from './outcomes.ts';

/** The two credential headers of a request, valid or not, and their actor. */
export interface Credentials {
  /** Label for reports: `seller`, or `seller with a wrong secret`. */
  actorLabel: string;
  /** Null if they are not valid. */
  actor: ActorName | null;
  headers: readonly (readonly [string, string])[];
}

/** An actor's valid credentials. Throws Blocked if the target file does not have the actor. */
export function credentialsOf(target: Target, name: ActorName): Credentials {
  const actor = target.actors[name];
  if (!actor) throw new Blocked(`actors.${name} of the target file`, `the target file has no actors.${name}`);
  return { actorLabel: name, actor: name, headers: credentialHeaders(actor.key, actor.secret) };
}

/** Credentials that the server must reject, with either header changed or (null) omitted. */
export function badCredentials(as: string, key: string | null, secret: string | null): Credentials {
  return { actorLabel: as, actor: null, headers: credentialHeaders(key, secret) };
}

function credentialHeaders(key: string | null, secret: string | null): [string, string][] {
  return [
    ...(key === null ? [] : ([['X-API-Key', key]] as [string, string][])),
    ...(secret === null ? [] : ([['X-API-Secret', secret]] as [string, string][])),
  ];
}
