import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../specs/target.ts';
import type { Client } from '../http/client.ts';
import { credentialsOf } from '../model/credentials.ts';
import { newestListRequest } from './list-request.ts';
import { notListReason } from './list-response.ts';
import type { TargetChange } from './lost-operations.ts';
import { responseOrNull } from './response-or-null.ts';

/** A gateway that slips now and then is one thing, one that stands where the service was another. */
const MIN_PROBES = 3;
const PROBE_PAUSE_MS = 500;
/** A good look holds for all that fails so soon after it. */
const SUCCESS_VALID_MS = 1000;

/**
 * Detects that the target has changed since the run began: a login page, a maintenance page or a gateway whose quota is used up answers
 * instead of the service, or somebody has emptied the sandbox. Answers from then on say nothing about the service.
 */
export class TargetChangeProbe {
  private readonly target: Target;
  private readonly client: Pick<Client, 'send'>;
  private readonly emptied: () => Promise<string | null>;
  private asking: Promise<TargetChange | null> | undefined;
  private goodUntil = 0;

  /** `emptied` says so when somebody has emptied the sandbox, and is null otherwise. */
  constructor(target: Target, client: Pick<Client, 'send'>, emptied: () => Promise<string | null>) {
    this.target = target;
    this.client = client;
    this.emptied = emptied;
  }

  /** What has happened to the target; null while it is unchanged. A change that was found once is final. */
  async told(): Promise<TargetChange | null> {
    if (performance.now() < this.goodUntil) return null;
    this.asking ??= this.ask();
    const change = await this.asking;
    if (change === null) {
      this.asking = undefined;
      this.goodUntil = performance.now() + SUCCESS_VALID_MS;
    }
    return change;
  }

  /** A change that was found elsewhere. */
  found(change: TargetChange): void {
    this.goodUntil = 0;
    this.asking = Promise.resolve(change);
  }

  private async ask(): Promise<TargetChange | null> {
    let because: string | null = null;
    for (let look = 0; look < MIN_PROBES; look += 1) {
      if (look > 0) await pause(PROBE_PAUSE_MS);
      because = (await this.replaced()) ?? (await this.emptied());
      if (because === null) return null;
    }
    return because === null ? null : { by: 'target', because };
  }

  private async replaced(): Promise<string | null> {
    const answer = await responseOrNull(this.client, newestListRequest(credentialsOf(this.target, 'seller')));
    const because = answer && notListReason(answer);
    return (
      because &&
      `GET /api/v1/invoices ${because}, and listed invoices when the run began: something else answers in the place of the service`
    );
  }
}
