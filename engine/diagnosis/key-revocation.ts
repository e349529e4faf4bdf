import { setTimeout as pause } from 'node:timers/promises';
import type { ActorName, Target } from '../../specs/target-file/target.ts';
import type { Client } from '../http/client.ts';
import { credentialsOf } from '../model/credentials.ts';
import type { ApiResponse } from '../model/messages.ts';

const LIST_PATH = '/api/v1/invoices?page=0&limit=1';
/** A server may reject a valid key occasionally; a revoked key is rejected every time. */
const MIN_PROBES = 3;
const PROBE_PAUSE_MS = 500;

/** Why a key that was accepted may be rejected. Follows the name of the actor. */
export const KEY_REVOKED =
  'the server accepted this key earlier in this run and rejects it now (401): the sandbox was reset, or the key was revoked or locked';

/**
 * Detects an actor's key that became invalid during the run: another user of the sandbox may reset it or revoke the key.
 * Responses to this key from then on say nothing about the server.
 */
export class KeyRevocation {
  private readonly target: Target;
  private readonly client: Pick<Client, 'send'>;
  private readonly acceptedActors = new Set<ActorName>();
  private readonly pending = new Map<ActorName, Promise<boolean>>();

  constructor(target: Target, client: Pick<Client, 'send'>) {
    this.target = target;
    this.client = client;
  }

  /** A key that was accepted before the first check. */
  markAccepted(actor: ActorName): void {
    this.acceptedActors.add(actor);
  }

  observe({ status, request: { actor } }: ApiResponse): void {
    if (actor && status !== 401) this.acceptedActors.add(actor);
  }

  /** The first of these actors whose key was accepted and is now rejected for every request; null if there is none. */
  async findRevoked(actors: Iterable<ActorName>): Promise<ActorName | null> {
    for (const actor of actors) {
      if (this.acceptedActors.has(actor) && (await this.isRevoked(actor))) return actor;
    }
    return null;
  }

  /** Concurrent callers share one probe. A revocation is final. */
  private async isRevoked(actor: ActorName): Promise<boolean> {
    const probing = this.pending.get(actor) ?? this.probe(actor);
    this.pending.set(actor, probing);
    let ended = false;
    try {
      ended = await probing;
    } finally {
      if (!ended) this.pending.delete(actor);
    }
    return ended;
  }

  private async probe(actor: ActorName): Promise<boolean> {
    const { actorLabel, headers: credentials } = credentialsOf(this.target, actor);
    for (let look = 0; look < MIN_PROBES; look += 1) {
      if (look > 0) await pause(PROBE_PAUSE_MS);
      const request = { operation: 'list', method: 'GET', path: LIST_PATH, actorLabel, actor, credentials } as const;
      const { status } = await this.client.send(request, null);
      if (status !== 401) return false;
    }
    return true;
  }
}
