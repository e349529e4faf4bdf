import type {
  CheckRecord,
  CustomCheckRecord,
  FooterRecord,
  HeaderRecord,
  LeftoverRecord,
  ObservationRecord,
  RemovedRecord,
  WithdrawnRecord,
} from '../../specs/formats/journal.ts';
import type { Timings } from '../../specs/formats/report.ts';
import { CHECK_VERDICTS } from '../../specs/verdicts.ts';
import { ExchangeSummaries } from './exchange-summaries.ts';
import { JournalError, type SlimRecords } from './read-journal.ts';
import { ExchangeTimings } from './timings.ts';

/** The content of a journal, with only a summary of each exchange to limit memory. */
export interface JournalIndex {
  readonly header: HeaderRecord;
  /** The result of each selected check that finished. */
  readonly results: ReadonlyMap<string, CheckRecord>;
  /** The result of each custom check that finished. */
  readonly customResults: ReadonlyMap<string, CustomCheckRecord>;
  readonly observations: readonly ObservationRecord[];
  readonly leftovers: readonly LeftoverRecord[];
  readonly removed: readonly RemovedRecord[];
  readonly withdrawn: WithdrawnRecord | null;
  readonly footer: FooterRecord | null;
  readonly exchangeCount: number;
  readonly summaries: Pick<ExchangeSummaries, 'get' | 'inOrder'>;
  readonly timings: Timings;
  /** The latest time of all records, ISO 8601. */
  readonly lastRecordAt: string;
}

/** First pass over a journal. Rejects with a JournalError if it is invalid. */
export async function indexJournal(records: SlimRecords): Promise<JournalIndex> {
  let header: HeaderRecord | null = null;
  let footer: FooterRecord | null = null;
  let exchanges = 0;
  let lastSeen = '';
  let selected = new Set<string>();
  let timings: ExchangeTimings | null = null;
  const results = new Map<string, CheckRecord>();
  const customResults = new Map<string, CustomCheckRecord>();
  const observations: ObservationRecord[] = [];
  const leftovers: LeftoverRecord[] = [];
  const removed: RemovedRecord[] = [];
  let withdrawn: WithdrawnRecord | null = null;
  const summaries = new ExchangeSummaries();

  for await (const some of records) {
    for (const record of some) {
      if (header === null) {
        if (record.kind !== 'header')
          throw new JournalError(`the journal begins with ${record.kind}, not with a header`);
        header = record;
        selected = selectedChecks(header);
        timings = new ExchangeTimings(header.run.startedAt, areasOfChecks(header));
        lastSeen = header.run.startedAt;
        continue;
      }
      if (record.kind === 'header') throw new JournalError('the journal has a second header: two runs wrote to it');
      if (record.kind === 'exchange') {
        exchanges += 1;
        summaries.add(record);
        timings?.add(record);
        // Exchanges overlap, so the last line is not always the latest.
        if (Date.parse(record.at) > Date.parse(lastSeen)) lastSeen = record.at;
      }
      if (record.kind === 'check' && selected.has(record.id)) keepWorst(results, record);
      if (record.kind === 'custom-check') customResults.set(record.id, record);
      if (record.kind === 'observation') observations.push(record);
      if (record.kind === 'leftover') leftovers.push(record);
      if (record.kind === 'removed') removed.push(record);
      if (record.kind === 'withdrawn') withdrawn = record;
      if (record.kind === 'footer') footer = record;
    }
  }
  if (header === null)
    throw new JournalError('the journal has no header: it is empty, or the run ended before its first line');
  return {
    header,
    results,
    customResults,
    observations,
    leftovers,
    removed,
    withdrawn,
    footer,
    exchangeCount: exchanges,
    summaries,
    timings: timings?.summary() ?? { operations: [], areas: [] },
    lastRecordAt: lastSeen,
  };
}

function areasOfChecks({ catalogue, custom }: HeaderRecord): Map<string, string> {
  const all = [
    ...catalogue.requirements,
    ...(custom ?? []).flatMap(({ area, requirements }) => requirements.map((each) => ({ ...each, area }))),
  ];
  return new Map(all.flatMap(({ area, checks }) => checks.map(({ id }) => [id, area] as const)));
}

function selectedChecks({ selected, catalogue }: HeaderRecord): Set<string> {
  const known = new Set(catalogue.requirements.flatMap((requirement) => requirement.checks.map((check) => check.id)));
  const stray = selected.find((id) => !known.has(id));
  if (stray !== undefined) throw new JournalError(`the journal selects ${stray}, which its catalogue does not contain`);
  return new Set(selected);
}

/** If a check ran twice, its worse result counts. A repetition must not hide a breach. */
function keepWorst(results: Map<string, CheckRecord>, record: CheckRecord): void {
  const earlier = results.get(record.id);
  if (earlier === undefined || verdictRank(record) <= verdictRank(earlier)) results.set(record.id, record);
}

function verdictRank(record: CheckRecord): number {
  return CHECK_VERDICTS.indexOf(record.verdict);
}
