import type { SlimExchange } from '../../specs/formats/journal.ts';
import type { Timings } from '../../specs/formats/report.ts';
import { groupBy } from '../text/group-by.ts';

interface Timed {
  readonly operation: string;
  readonly area: string;
  readonly fromMs: number;
  readonly durationMs: number;
}

/** Collects when the exchanges of a run were sent and how long they took. */
export class ExchangeTimings {
  private readonly exchanges: Timed[] = [];
  private readonly startedAtMs: number;
  private readonly areas: ReadonlyMap<string, string>;

  /** `areas`: the area of each check. */
  constructor(startedAt: string, areas: ReadonlyMap<string, string>) {
    this.startedAtMs = Date.parse(startedAt);
    this.areas = areas;
  }

  add({ label, check, at, durationMs }: SlimExchange): void {
    this.exchanges.push({
      operation: label.split(': ').at(-1) ?? label,
      area: check === null ? 'set-up and clean-up' : (this.areas.get(check) ?? check),
      fromMs: Math.max(0, Date.parse(at) - this.startedAtMs),
      durationMs,
    });
  }

  /** Latencies by operation and the time of each area, both in the order of their first request. */
  summary(): Timings {
    return {
      operations: [...groupBy(this.exchanges, ({ operation }) => operation)].map(([operation, all]) => {
        const sorted = all.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
        const quantile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
        return { operation, requests: all.length, medianMs: quantile(0.5), p95Ms: quantile(0.95), maxMs: quantile(1) };
      }),
      areas: [...groupBy(this.exchanges, ({ area }) => area)].map(([area, all]) => ({
        area,
        requests: all.length,
        fromMs: all.reduce((least, { fromMs }) => Math.min(least, fromMs), Number.POSITIVE_INFINITY),
        toMs: all.reduce((most, { fromMs, durationMs }) => Math.max(most, fromMs + durationMs), 0),
      })),
    };
  }
}
