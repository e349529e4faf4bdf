import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import type { Expectation } from '../../specs/formats/expectation.ts';
import type {
  CheckRecord,
  FooterRecord,
  GateSettings,
  HeaderRecord,
  JournalRecord,
  PreviousRun,
  RemovedRecord,
  WithdrawnRecord,
} from '../../specs/formats/journal.ts';
import type { JournalSource } from '../journal/read-journal.ts';
import { mergeResults } from './merge-verdicts.ts';

/** A shard and its journal. */
export interface MergedShard {
  readonly header: HeaderRecord;
  readonly source: JournalSource;
}

/** What the merged run adds to its shards. */
export interface MergedRun {
  readonly id: string;
  readonly gate: GateSettings | null;
  readonly previous: PreviousRun | null;
}

/**
 * The records of one journal for all shards of a run, which must have no `shardProblems`. Ids of exchanges begin with
 * the number of the shard, because each shard counts from one.
 */
export async function* mergeJournals(
  shards: readonly MergedShard[],
  run: MergedRun,
): AsyncGenerator<JournalRecord, void, undefined> {
  const sorted = [...shards].sort((one, other) => numberOf(one) - numberOf(other));
  yield mergedHeader(
    sorted.map(({ header }) => header),
    run,
  );
  const results: CheckRecord[] = [];
  const removed = new Map<string, RemovedRecord>();
  const withdrawn: WithdrawnRecord[] = [];
  const ends: (FooterRecord | null)[] = [];
  for (const shard of sorted) {
    let footer: FooterRecord | null = null;
    for await (const records of shard.source()) {
      for (const record of records) {
        if (record.kind === 'exchange') yield { ...record, id: exchangeId(shard, record.id) };
        else if (record.kind === 'check') results.push(renamedResult(shard, record));
        else if (record.kind === 'removed') addRemoved(removed, record);
        else if (record.kind === 'withdrawn') withdrawn.push(record);
        else if (record.kind === 'footer') footer = record;
        else if (record.kind !== 'header') yield record;
      }
    }
    ends.push(footer);
  }
  yield* mergeResults(results);
  yield* removed.values();
  if (withdrawn.length > 0) yield mergedWithdrawals(withdrawn);
  yield mergedFooter(ends, sorted);
}

function numberOf({ header }: MergedShard): number {
  return header.run.shard?.index ?? 0;
}

function exchangeId(shard: MergedShard, id: string): string {
  return `${numberOf(shard)}.${id}`;
}

function renamedResult(shard: MergedShard, record: CheckRecord): CheckRecord {
  const rename = (id: string) => exchangeId(shard, id);
  const { expectation } = record;
  return {
    ...record,
    exchanges: record.exchanges.map(rename),
    decisive: record.decisive.map(rename),
    expectation: expectation && renamedExpectation(expectation, rename),
  };
}

function renamedExpectation(expectation: Expectation, rename: (id: string) => string): Expectation {
  const { sameAs, differentFrom } = expectation;
  return {
    ...expectation,
    ...(sameAs !== undefined && { sameAs: rename(sameAs) }),
    ...(differentFrom && {
      differentFrom: { original: rename(differentFrom.original), control: rename(differentFrom.control) },
    }),
  };
}

/** When the first of the shards began, as the merged run says it. */
export function mergedStart(headers: readonly HeaderRecord[]): string | undefined {
  return headers.map(({ run }) => run.startedAt).sort()[0];
}

function mergedHeader(headers: readonly HeaderRecord[], { id, gate, previous }: MergedRun): HeaderRecord {
  const [first] = headers;
  if (first === undefined) throw new Error('there is no shard to merge');
  const { shard: _, ...run } = first.run;
  const selected = new Set(headers.flatMap((header) => header.selected));
  return {
    ...first,
    run: {
      ...run,
      id,
      startedAt: mergedStart(headers) ?? run.startedAt,
      shards: headers.flatMap(({ run: { id: runId, shard } }) => (shard ? [{ id: runId, ...shard }] : [])),
    },
    selected: [...checkCatalogue.keys()].filter((check) => selected.has(check)),
    // Each shard lists the checks of its own part.
    excluded: [...new Map(headers.flatMap(({ excluded }) => excluded.map((each) => [each.check, each]))).values()],
    ...(gate && { gate }),
    ...(previous && { previous }),
  };
}

function addRemoved(removed: Map<string, RemovedRecord>, record: RemovedRecord): void {
  const before = removed.get(record.what);
  removed.set(record.what, { ...record, count: record.count + (before?.count ?? 0) });
}

function mergedWithdrawals(all: readonly WithdrawnRecord[]): WithdrawnRecord {
  const cents = all.reduce((sum, { sum: text }) => sum + Math.round(Number(text) * 100), 0);
  const left = all.flatMap(({ runsLeft }) => (runsLeft === null ? [] : [runsLeft]));
  return { kind: 'withdrawn', sum: (cents / 100).toFixed(2), runsLeft: left.length === 0 ? null : Math.min(...left) };
}

function mergedFooter(ends: readonly (FooterRecord | null)[], shards: readonly MergedShard[]): JournalRecord {
  const reasons = ends.flatMap((end, at) => {
    const why = end === null ? 'the run ended early' : end.interrupted;
    return why === null ? [] : [`shard ${numberOf(shards[at] as MergedShard)} of ${shards.length}: ${why}`];
  });
  const times = ends.flatMap((end) => (end === null ? [] : [end.finishedAt]));
  const starts = shards.map(({ header }) => header.run.startedAt);
  return {
    kind: 'footer',
    finishedAt: [...times, ...starts].sort().at(-1) ?? new Date(0).toISOString(),
    interrupted: reasons.length === 0 ? null : reasons.join('; '),
    organizations: Object.assign({}, ...ends.map((end) => end?.organizations)),
  };
}
