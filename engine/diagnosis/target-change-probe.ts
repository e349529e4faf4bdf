import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../specs/target-file/target.ts';
import type { Client } from '../http/client.ts';
import { credentialsOf } from '../model/credentials.ts';
import { newestListRequest } from './list-request.ts';
import { notListReason } from './list-response.ts';
import type { TargetChange } from './lost-operations.ts';
import { responseOrNull } from './optional-response.ts';

/** A gateway may fail occasionally; a replaced service fails every probe. */
const MIN_PROBES = 3;
const PROBE_PAUSE_MS = 500;
/** How long a successful probe clears later failures. */
const SUCCESS_VALID_MS = 1000;

/**
 * Detects that the target has changed since the run began: a login page, a maintenance page or a gateway with an
 * exhausted quota responds instead of the service, or another user has emptied the sandbox. Responses from then on say
 * nothing about the service.
 */
export class TargetChangeProbe {
  private readonly target: Target;
  private readonly client: Pick<Client, 'send'>;
  private readonly emptiedSandboxReason: () => Promise<string | null>;
  private pending: Promise<TargetChange | null> | undefined;
  private validUntil = 0;

  /** `emptied` returns the reason if another user has emptied the sandbox, and null otherwise. */
  constructor(target: Target, client: Pick<Client, 'send'>, emptied: () => Promise<string | null>) {
    this.target = target;
    this.client = client;
    this.emptiedSandboxReason = emptied;
  }

  /** What has happened to the target; null while it is unchanged. A change that was found once is final. */
  async findChange(): Promise<TargetChange | null> {
    if (performance.now() < this.validUntil) return null;
    this.pending ??= this.probe();
    const change = await this.pending;
    if (change === null) {
      this.pending = undefined;
      this.validUntil = performance.now() + SUCCESS_VALID_MS;
    }
    return change;
  }

  /** A change that was found elsewhere. */
  recordChange(change: TargetChange): void {
    this.validUntil = 0;
    this.pending = Promise.resolve(change);
  }

  private async probe(): Promise<TargetChange | null> {
    let because: string | null = null;
    for (let look = 0; look < MIN_PROBES; look += 1) {
      if (look > 0) await pause(PROBE_PAUSE_MS);
      because = (await this.replacedServiceReason()) ?? (await this.emptiedSandboxReason());
      if (because === null) return null;
    }
    return because === null ? null : { blockedBy: 'target', reason: because };
  }

  private async replacedServiceReason(): Promise<string | null> {
    const response = await responseOrNull(this.client, newestListRequest(credentialsOf(this.target, 'seller')));
    // The key may have ended, by a reset of this run for example, and a gateway may report that with a web page.
    const because = response && response.status !== 401 ? notListReason(response) : null;
    return (
      because &&
      `GET /api/v1/invoices ${because}, but listed invoices when the run began: something else responds in place of the service`
    );
  }
}
