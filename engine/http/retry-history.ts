import { READ_METHODS } from './production-guard.ts';
import type { Attempt, RetryRule, RetryRuleId } from './retry-rules.ts';

/** The retries of one request so far. */
export class RetryHistory {
  private readonly counts = new Map<RetryRuleId, number>();
  private connectionRetries = 0;
  private wasRepeated = false;
  /** The row of the latest retry. */
  latest: RetryRule | null = null;

  /** The number of retries by a row. */
  timesOf(id: RetryRuleId): number {
    return this.counts.get(id) ?? 0;
  }

  hasRetriesLeft({ id, times }: RetryRule): boolean {
    return this.timesOf(id) < times;
  }

  record(rule: RetryRule, attempt: Attempt): void {
    this.counts.set(rule.id, this.timesOf(rule.id) + 1);
    if (rule.changesConnection) this.connectionRetries += 1;
    this.wasRepeated ||= rule.mayDuplicate(attempt);
    this.latest = rule;
    if (rule.renews) this.counts.delete(rule.renews);
  }

  /**
   * Whether the next attempt opens a connection. A reused connection may close under a request, so every second retry opens a new one;
   * a server at its connection limit accepts requests only on existing connections, so not every retry does.
   */
  get needsNewConnection(): boolean {
    return this.connectionRetries % 2 === 1;
  }

  /** Whether the server may have carried out the request twice, if its response has this status. */
  mayHaveDuplicated(method: string, status: number): boolean {
    // Only a retry after a 500 with a different result leaves doubt about whether the mutation happened twice.
    const changedItsMind = this.timesOf('internal-error') > 0 && status !== 500;
    return (this.wasRepeated || changedItsMind) && !READ_METHODS.has(method);
  }
}
