import type { ApiResponse } from '../model/messages.ts';
import { invoicesOf, type Shown } from '../records/find-invoice-record.ts';
import { environmentOf } from './environment-of.ts';

/**
 * What each environment has said last of its invoices. A list of a hundred records is seen some hundred times in a run, and most of them
 * say what they said before.
 */
export class ChangedRecords {
  private readonly latest = {
    SANDBOX: new Map<unknown, Shown['serial']>(),
    PRODUCTION: new Map<unknown, Shown['serial']>(),
  };
  private readonly found = new WeakMap<ApiResponse, readonly Shown[]>();

  /** The same for everybody who asks about an answer. Nothing where it does not tell of which environment it is. */
  in(answer: ApiResponse): readonly Shown[] {
    const known = this.found.get(answer);
    if (known) return known;
    const found = this.newsIn(answer);
    this.found.set(answer, found);
    return found;
  }

  private newsIn(answer: ApiResponse): Shown[] {
    const world = environmentOf(answer.ask);
    if (world === null) return [];
    const { [world]: latest } = this.latest;
    const news: Shown[] = [];
    for (const shown of invoicesOf(answer)) {
      const { id } = shown.record;
      if (latest.get(id) === shown.serial) continue;
      latest.set(id, shown.serial);
      news.push(shown);
    }
    return news;
  }
}
