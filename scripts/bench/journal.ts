import { join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { readJournal } from '../../reporting/journal/read-journal.ts';
import type { CheckRecord, ExchangeRecord, JournalRecord } from '../../specs/formats/journal.ts';

/** An exchange without its content. */
export interface Span {
  check: string | null;
  startMs: number;
  endMs: number;
}

export interface RunEvidence {
  records: JournalRecord[];
  exchanges: ExchangeRecord[];
  checks: CheckRecord[];
  /** Exchanges of checks and of the clean-up. Those of the preflight belong to the start of the command. */
  spans: Span[];
}

/** Reads the evidence of a run. */
export async function readRunEvidence(folder: string): Promise<RunEvidence> {
  const records: JournalRecord[] = [];
  for await (const some of readJournal(join(folder, JOURNAL_FILE))) records.push(...some);
  const exchanges = records.filter((record) => record.kind === 'exchange');
  const spans = exchanges
    .filter(({ id }) => !id.startsWith('p'))
    .map(({ check, at, durationMs }) => ({ check, startMs: Date.parse(at), endMs: Date.parse(at) + durationMs }));
  return { records, exchanges, spans, checks: records.filter((record) => record.kind === 'check') };
}

/** The exchanges of a run that the journal holds whole: of a long body, it holds only the start. */
export async function readWholeExchanges(folder: string): Promise<ExchangeRecord[]> {
  const { exchanges } = await readRunEvidence(folder);
  return exchanges.filter(({ response }) => response?.truncated === false);
}

/** Time from the start of the first exchange to the end of the last one, in milliseconds. */
export function wallTimeMs(spans: readonly Span[]): number {
  return Math.max(...spans.map(({ endMs }) => endMs)) - Math.min(...spans.map(({ startMs }) => startMs));
}
