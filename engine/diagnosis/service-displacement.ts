import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../specs/target.ts';
import type { Client } from '../http/client.ts';
import { credentialsOf } from '../model/credentials.ts';
import { listAsk } from './list-request.ts';
import { noListBecause } from './list-response.ts';
import type { Change } from './lost-operations.ts';
import { answerOrNull } from './response-or-null.ts';

/** A gateway that slips now and then is one thing, one that stands where the service was another. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 500;
/** A good look holds for all that fails so soon after it. */
const GOOD_FOR_MS = 1000;

/**
 * Detects that the target has changed since the run began: a login page, a maintenance page or a gateway whose quota is used up answers
 * instead of the service, or somebody has emptied the sandbox. Answers from then on say nothing about the service.
 */
export class Displacement {
  private readonly target: Target;
  private readonly client: Pick<Client, 'send'>;
  private readonly emptied: () => Promise<string | null>;
  private asking: Promise<Change | null> | undefined;
  private goodUntil = 0;

  /** `emptied` says so when somebody has emptied the sandbox, and is null otherwise. */
  constructor(target: Target, client: Pick<Client, 'send'>, emptied: () => Promise<string | null>) {
    this.target = target;
    this.client = client;
    this.emptied = emptied;
  }

  /** What has happened to the target; null while it is unchanged. A change that was found once is final. */
  async told(): Promise<Change | null> {
    if (performance.now() < this.goodUntil) return null;
    this.asking ??= this.ask();
    const change = await this.asking;
    if (change === null) {
      this.asking = undefined;
      this.goodUntil = performance.now() + GOOD_FOR_MS;
    }
    return change;
  }

  /** A change that was found elsewhere. */
  found(change: Change): void {
    this.goodUntil = 0;
    this.asking = Promise.resolve(change);
  }

  private async ask(): Promise<Change | null> {
    let because: string | null = null;
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await pause(BETWEEN_LOOKS_MS);
      because = (await this.replaced()) ?? (await this.emptied());
      if (because === null) return null;
    }
    return because === null ? null : { by: 'target', because };
  }

  private async replaced(): Promise<string | null> {
    const answer = await answerOrNull(this.client, listAsk(credentialsOf(this.target, 'seller')));
    const because = answer && noListBecause(answer);
    return (
      because &&
      `GET /api/v1/invoices ${because}, and listed invoices when the run began: something else answers in the place of the service`
    );
  }
}
