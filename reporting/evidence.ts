import type { ExchangeRecord, JournalRecord } from '../specs/journal.ts';
import type { CheckReport, Report } from '../specs/report.ts';
import type { Survey } from './survey.ts';

type Summary = CheckReport['exchanges'][number];
export type FullExchange = Report['evidence'][number];

export interface Evidence {
  /** By id: one line for each exchange of a selected check. */
  readonly summaries: ReadonlyMap<string, Summary>;
  /** Whole, in the order of the journal: the exchanges of checks that did not pass. */
  readonly full: readonly FullExchange[];
  /** Ids of the exchanges of checks that the run's end cut off, by check. */
  readonly unfinished: ReadonlyMap<string, readonly string[]>;
}

/** Second pass over a journal: keeps whole only what a reader needs to act on. */
export async function gatherEvidence(records: AsyncIterable<JournalRecord>, survey: Survey): Promise<Evidence> {
  const listed = new Set<string>();
  const telling = new Set<string>();
  for (const result of survey.results.values()) {
    const keepWhole = result.verdict !== 'pass' && result.verdict !== 'not-applicable';
    for (const id of [...result.exchanges, ...result.decisive]) {
      listed.add(id);
      if (keepWhole) telling.add(id);
    }
  }
  const unfinished = new Map<string, string[]>();
  for (const id of survey.header.selected) {
    if (!survey.results.has(id)) unfinished.set(id, []);
  }

  const summaries = new Map<string, Summary>();
  const full: FullExchange[] = [];
  for await (const record of records) {
    if (record.kind !== 'exchange') continue;
    const ofCutOffCheck = record.check === null ? undefined : unfinished.get(record.check);
    if (ofCutOffCheck === undefined && !listed.has(record.id)) continue;
    ofCutOffCheck?.push(record.id);
    summaries.set(record.id, summaryOf(record));
    if (ofCutOffCheck !== undefined || telling.has(record.id)) full.push(withoutKind(record));
  }
  return { summaries, full, unfinished };
}

function summaryOf({ id, label, attempt, request, response, failure }: ExchangeRecord): Summary {
  return {
    id,
    label,
    attempt,
    method: request.method,
    url: request.url,
    status: response?.status ?? null,
    failure: failure === null ? null : `${failure.kind}: ${failure.message}`,
  };
}

function withoutKind({ kind: _, ...exchange }: ExchangeRecord): FullExchange {
  return exchange;
}
