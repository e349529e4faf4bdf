import type { ApiResponse } from '../model/messages.ts';
import { invoicesOf, type ObservedRecord } from '../records/find-invoice-record.ts';
import { environmentOf } from './environment-of.ts';

/**
 * What each environment has said last of its invoices. A list of a hundred records is seen some hundred times in a run, and most of them
 * say what they said before.
 */
export class ChangedRecords {
  private readonly latestSerials = {
    SANDBOX: new Map<unknown, ObservedRecord['serial']>(),
    PRODUCTION: new Map<unknown, ObservedRecord['serial']>(),
  };
  private readonly cache = new WeakMap<ApiResponse, readonly ObservedRecord[]>();

  /** The same for everybody who asks about an answer. Nothing where it does not tell of which environment it is. */
  changesIn(answer: ApiResponse): readonly ObservedRecord[] {
    const known = this.cache.get(answer);
    if (known) return known;
    const found = this.findChanges(answer);
    this.cache.set(answer, found);
    return found;
  }

  private findChanges(answer: ApiResponse): ObservedRecord[] {
    const world = environmentOf(answer.request);
    if (world === null) return [];
    const { [world]: latest } = this.latestSerials;
    const news: ObservedRecord[] = [];
    for (const shown of invoicesOf(answer)) {
      const { id } = shown.record;
      if (latest.get(id) === shown.serial) continue;
      latest.set(id, shown.serial);
      news.push(shown);
    }
    return news;
  }
}
