import type { CheckRecord } from '../../specs/formats/journal.ts';
import { type ApiResponse, headerValue } from '../model/messages.ts';
import { cachedResponseHint } from './cached-response.ts';
import { gatewayBodyHint } from './gateway-body.ts';
import { intermediaryHint, isServiceBody, serverMarksOf } from './intermediary.ts';

/** Limits the memory of a run. */
const MAX_SUSPECTS = 5000;

interface SuspectResponse extends Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'mask'> {
  /** The hint that the body alone gives. */
  bodyHint: string | null;
}

/** The responses of a run that may come from an intermediary or a cache instead of the service. */
export class IntermediaryLog {
  private readonly serviceMarks = new Set<string>();
  private readonly suspects = new Map<string, SuspectResponse>();
  private readonly cached = new Map<string, string>();
  /** The headers from which marks were already taken, because nearly all responses share them. */
  private readonly sources = new Set<string>();

  observe(response: ApiResponse): void {
    const cacheHint = this.cached.size < MAX_SUSPECTS ? cachedResponseHint(response) : null;
    if (cacheHint !== null) this.cached.set(response.exchange, cacheHint);
    if (isServiceBody(response)) {
      const source = `${headerValue(response, 'server')} ${headerValue(response, 'via')}`;
      if (this.sources.has(source)) return;
      if (this.sources.size < MAX_SUSPECTS) this.sources.add(source);
      for (const mark of serverMarksOf(response)) this.serviceMarks.add(mark);
      return;
    }
    const bodyHint = gatewayBodyHint(response);
    if (this.suspects.size >= MAX_SUSPECTS || (bodyHint ?? intermediaryHint(response, null)) === null) return;
    const { status, headers, text, mask } = response;
    this.suspects.set(response.exchange, {
      status,
      headers,
      text: text.slice(0, 100),
      json: undefined,
      mask,
      bodyHint,
    });
  }

  /** Adds a hint to the reason of a verdict if an intermediary may have sent the deciding response. */
  annotate(record: CheckRecord): CheckRecord {
    const { verdict, decisive, exchanges } = record;
    if (verdict !== 'fail' && verdict !== 'warn' && verdict !== 'blocked') return record;
    const deciding = decisive.length > 0 ? decisive : exchanges.slice(-1);
    const marks = this.sources.size > 0 ? this.serviceMarks : null;
    for (const exchange of deciding) {
      const suspect = this.suspects.get(exchange);
      const sender = suspect && (intermediaryHint(suspect, marks) ?? suspect.bodyHint);
      const hint = sender ?? this.cached.get(exchange);
      if (hint) return { ...record, reason: `${record.reason}; ${hint}` };
    }
    return record;
  }
}
