import type { ApiResponse } from '../model/messages.ts';
import { invoicesOf, type ObservedRecord } from '../records/invoice-records.ts';
import { environmentOf } from './request-environment.ts';

/**
 * The last record of every invoice in each environment. Lists repeat most records unchanged, so rules only see the
 * changed ones.
 */
export class ChangedRecords {
  private readonly latestSerials = {
    SANDBOX: new Map<unknown, ObservedRecord['serial']>(),
    PRODUCTION: new Map<unknown, ObservedRecord['serial']>(),
  };
  private readonly cache = new WeakMap<ApiResponse, readonly ObservedRecord[]>();

  /** The changed records of a response, cached for all rules. Empty if the environment is unknown. */
  changesIn(response: ApiResponse): readonly ObservedRecord[] {
    const known = this.cache.get(response);
    if (known) return known;
    const found = this.findChanges(response);
    this.cache.set(response, found);
    return found;
  }

  private findChanges(response: ApiResponse): ObservedRecord[] {
    const environment = environmentOf(response.request);
    if (environment === null) return [];
    const { [environment]: latest } = this.latestSerials;
    const news: ObservedRecord[] = [];
    for (const shown of invoicesOf(response)) {
      const { id } = shown.record;
      if (latest.get(id) === shown.serial) continue;
      latest.set(id, shown.serial);
      news.push(shown);
    }
    return news;
  }
}
