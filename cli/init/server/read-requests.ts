import { Redactor } from '../../../engine/evidence/redactor.ts';
import { parseJsonBody } from '../../../engine/http/message-mapping.ts';
import { ProductionGuard } from '../../../engine/http/production-guard.ts';
import { targetTransport } from '../../../engine/http/target-transport.ts';
import { badCredentials, credentialsOf } from '../../../engine/model/credentials.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { addTargetSecrets } from '../../../engine/target/target-secrets.ts';
import { isFailure, type Transport, type WireRequest, type WireResult } from '../../../engine/transport/transport.ts';
import type { WireFailure } from '../../../engine/transport/transport-failure.ts';
import type { ActorName, Target } from '../../../specs/target-file/target.ts';
import { Cancelled } from '../cancelled.ts';

export interface ReadResponse extends Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'mask'> {
  /** Whether the text is only the beginning of a body that is too long. */
  isTruncated: boolean;
}

const ACCEPTED = 'application/json, application/yaml;q=0.9, */*;q=0.1';

/** Sends GET requests to a server, one at a time and without retries. Changes nothing there. */
export class ReadRequests {
  readonly target: Target;
  private readonly transport: Transport;
  private readonly guard: ProductionGuard;
  private readonly redactor = new Redactor();
  private readonly signal: AbortSignal;

  constructor(target: Target, signal: AbortSignal) {
    this.target = target;
    this.signal = signal;
    this.transport = targetTransport(target, signal);
    this.guard = new ProductionGuard(target);
    addTargetSecrets(target, this.redactor);
  }

  /**
   * The response to a GET, with the credentials of an actor or (null) without any; or why there is none. Throws Cancelled once
   * the user has stopped init.
   */
  async get(url: string, actor: ActorName | null): Promise<ReadResponse | WireFailure> {
    const { headers } = actor === null ? badCredentials('nobody', null, null) : credentialsOf(this.target, actor);
    const accept = actor === null ? ACCEPTED : 'application/json';
    const wire: WireRequest = { method: 'GET', url, headers: [['accept', accept], ...headers], body: null };
    this.guard.assertMayBeSent(wire, false);
    this.assertRunning();
    const result = await this.exchange(wire);
    this.assertRunning();
    if (isFailure(result)) return result;
    const { status, headers: received, text, truncated } = result;
    const json = truncated ? undefined : parseJsonBody(text);
    return {
      status,
      headers: received,
      text,
      isTruncated: truncated,
      json,
      mask: (shown) => this.redactor.mask(shown),
    };
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  private assertRunning(): void {
    if (this.signal.aborted) throw new Cancelled();
  }

  /** A server may close an idle connection at any moment. */
  private async exchange(wire: WireRequest): Promise<WireResult> {
    const first = await this.transport.exchange(wire);
    this.assertRunning();
    return isFailure(first) && first.kind === 'closed' ? await this.transport.exchangeOnNewConnection(wire) : first;
  }
}

export function isUnanswered(result: ReadResponse | WireFailure): result is WireFailure {
  return 'kind' in result;
}
