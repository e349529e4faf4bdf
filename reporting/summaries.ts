import type { ExchangeOutline } from '../specs/journal.ts';
import type { CheckReport } from '../specs/report.ts';
import { LONGEST_TEXT, shorten } from './visible.ts';

export type Summary = CheckReport['exchanges'][number];

/** A line for each exchange, by its id. Thousands of them say the same of themselves: each text is held once. */
export class Summaries {
  private readonly byId = new Map<string, Summary>();
  private readonly texts = new Map<string, string>();

  add({ id, label, attempt, request, response, failure }: ExchangeOutline): void {
    this.byId.set(id, {
      id,
      label: this.once(label),
      attempt,
      method: this.once(request.method),
      url: this.once(shorten(request.url, LONGEST_TEXT)),
      status: response?.status ?? null,
      failure: failure === null ? null : this.once(`${failure.kind}: ${failure.message}`),
    });
  }

  get(id: string): Summary | undefined {
    return this.byId.get(id);
  }

  private once(text: string): string {
    const known = this.texts.get(text);
    if (known === undefined) this.texts.set(text, text);
    return known ?? text;
  }
}
