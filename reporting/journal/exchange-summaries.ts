import type { SlimExchange } from '../../specs/formats/journal.ts';
import type { ExchangeSummary } from '../../specs/formats/report.ts';
import { MAX_TEXT_LENGTH, truncate } from '../text/escape-control-characters.ts';

/** A summary of each exchange, by id. Equal texts are stored once, because thousands of exchanges share them. */
export class ExchangeSummaries {
  private readonly byId = new Map<string, ExchangeSummary>();
  private readonly positions = new Map<string, number>();
  private readonly texts = new Map<string, string>();

  add({ id, label, attempt, request, response, failure }: SlimExchange): void {
    if (!this.positions.has(id)) this.positions.set(id, this.positions.size);
    this.byId.set(id, {
      id,
      label: this.intern(label),
      attempt,
      method: this.intern(request.method),
      url: this.intern(truncate(request.url, MAX_TEXT_LENGTH)),
      status: response?.status ?? null,
      failure: failure === null ? null : this.intern(`${failure.kind}: ${failure.message}`),
    });
  }

  /** The summaries of these exchanges in the order of the journal. */
  inOrder(ids: readonly string[]): ExchangeSummary[] {
    const found = ids.flatMap((id) => this.byId.get(id) ?? []);
    return found.sort((one, other) => this.positionOf(one) - this.positionOf(other));
  }

  get(id: string): ExchangeSummary | undefined {
    return this.byId.get(id);
  }

  private positionOf({ id }: ExchangeSummary): number {
    return this.positions.get(id) ?? 0;
  }

  private intern(text: string): string {
    const known = this.texts.get(text);
    if (known === undefined) this.texts.set(text, text);
    return known ?? text;
  }
}
