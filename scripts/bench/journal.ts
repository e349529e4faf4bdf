import { join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { readJournal } from '../../reporting/read-journal.ts';
import type { CheckRecord, ExchangeRecord, JournalRecord } from '../../specs/journal.ts';

/** An exchange without what was said in it. */
export interface Span {
  check: string | null;
  startMs: number;
  endMs: number;
}

export interface RunEvidence {
  records: JournalRecord[];
  exchanges: ExchangeRecord[];
  checks: CheckRecord[];
  /** Of the checks and of tidying up; what the preflight asked belongs to the start of the command. */
  spans: Span[];
}

/** What a run has left as evidence. */
export async function readRunEvidence(folder: string): Promise<RunEvidence> {
  const records: JournalRecord[] = [];
  for await (const some of readJournal(join(folder, JOURNAL_FILE))) records.push(...some);
  const exchanges = records.filter((record) => record.kind === 'exchange');
  const spans = exchanges
    .filter(({ id }) => !id.startsWith('p'))
    .map(({ check, at, durationMs }) => ({ check, startMs: Date.parse(at), endMs: Date.parse(at) + durationMs }));
  return { records, exchanges, spans, checks: records.filter((record) => record.kind === 'check') };
}

/** From the first byte of the first exchange to the last of the last one. */
export function wallTimeMs(spans: readonly Span[]): number {
  return Math.max(...spans.map(({ endMs }) => endMs)) - Math.min(...spans.map(({ startMs }) => startMs));
}
