import { hash } from 'node:crypto';
import type { ApiResponse } from '../model/messages.ts';
import { invoicesOf, type ObservedRecord } from '../records/invoice-records.ts';
import { environmentOf } from './request-environment.ts';

/**
 * The last record of every invoice in each environment. Lists repeat most records unchanged, so rules only see the
 * changed ones.
 */
export class ChangedRecords {
  /** By invoice id: the digest of a list item, or null after any other response. */
  private readonly latestDigests = {
    SANDBOX: new Map<unknown, string | null>(),
    PRODUCTION: new Map<unknown, string | null>(),
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
    const { [environment]: latest } = this.latestDigests;
    const news: ObservedRecord[] = [];
    for (const shown of invoicesOf(response)) {
      const { id } = shown.record;
      // A digest, because a server decides how long its records are.
      const digest = shown.isListed ? hash('sha1', JSON.stringify(shown.record)) : null;
      if (digest !== null && latest.get(id) === digest) continue;
      latest.set(id, digest);
      news.push(shown);
    }
    return news;
  }
}
