import type { ExchangeRecord } from '../specs/journal.ts';
import type { Report } from '../specs/report.ts';
import type { JournalSource } from './read-journal.ts';
import type { Survey } from './survey.ts';

export type FullExchange = Report['evidence'][number];

export interface Evidence {
  /** Whole, in the order of the journal: the exchanges of checks that did not pass. */
  readonly full: readonly FullExchange[];
  /** Ids of the exchanges of checks that the run's end cut off, by check. */
  readonly unfinished: ReadonlyMap<string, readonly string[]>;
}

/** Second pass over a journal, where one is needed: keeps whole only what a reader needs to act on. */
export async function gatherEvidence(source: JournalSource, survey: Survey): Promise<Evidence> {
  const telling = new Set<string>();
  for (const { verdict, exchanges, decisive } of survey.results.values()) {
    if (verdict === 'pass' || verdict === 'not-applicable') continue;
    for (const id of [...exchanges, ...decisive]) telling.add(id);
  }
  const unfinished = new Map<string, string[]>();
  for (const id of survey.header.selected) {
    if (!survey.results.has(id)) unfinished.set(id, []);
  }
  const full: FullExchange[] = [];
  if (telling.size === 0 && unfinished.size === 0) return { full, unfinished };

  for await (const record of source()) {
    if (record.kind !== 'exchange') continue;
    const ofCutOffCheck = record.check === null ? undefined : unfinished.get(record.check);
    ofCutOffCheck?.push(record.id);
    if (ofCutOffCheck !== undefined || telling.has(record.id)) full.push(withoutKind(record));
  }
  return { full, unfinished };
}

function withoutKind({ kind: _, ...exchange }: ExchangeRecord): FullExchange {
  return exchange;
}
