import type { CheckRecord } from '../../specs/journal.ts';
import { type ApiResponse, headerValue } from '../model/messages.ts';
import { intermediaryHint, isServiceBody, serverMarksOf } from './intermediary.ts';

/** More of them are no news. */
const MAX_SUSPECTS = 5000;

type SuspectResponse = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'mask'>;

/** The answers of a run that something else than the service may have given. */
export class IntermediaryLog {
  private readonly serviceMarks = new Set<string>();
  private readonly suspects = new Map<string, SuspectResponse>();
  /** The headers that its marks were taken from: those of nearly all answers are the same. */
  private readonly sources = new Set<string>();

  observe(response: ApiResponse): void {
    if (isServiceBody(response)) {
      const source = `${headerValue(response, 'server')} ${headerValue(response, 'via')}`;
      if (this.sources.has(source)) return;
      if (this.sources.size < MAX_SUSPECTS) this.sources.add(source);
      for (const mark of serverMarksOf(response)) this.serviceMarks.add(mark);
      return;
    }
    if (this.suspects.size >= MAX_SUSPECTS || intermediaryHint(response, null) === null) return;
    const { status, headers, text, mask } = response;
    this.suspects.set(response.exchange, { status, headers, text: text.slice(0, 100), json: undefined, mask });
  }

  /** A verdict whose reason says so where the exchange that decided it may be no answer of the service. */
  annotate(record: CheckRecord): CheckRecord {
    const { verdict, decisive, exchanges } = record;
    if (verdict !== 'fail' && verdict !== 'warn' && verdict !== 'blocked') return record;
    const deciding = decisive.length > 0 ? decisive : exchanges.slice(-1);
    const marks = this.sources.size > 0 ? this.serviceMarks : null;
    for (const exchange of deciding) {
      const suspect = this.suspects.get(exchange);
      const hint = suspect && intermediaryHint(suspect, marks);
      if (hint) return { ...record, reason: `${record.reason}; ${hint}` };
    }
    return record;
  }
}
