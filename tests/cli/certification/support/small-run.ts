import type { JournalRecord } from '../../../../specs/formats/journal.ts';
import type { CertifiedRun } from './certified-run.ts';

const KEPT_EXCHANGES = 80;

/**
 * The same run with its first exchanges and those that show its failures, so that a verification takes little time. The exchanges are
 * numbered anew, without gaps.
 */
export function shortened(run: CertifiedRun): CertifiedRun {
  const { records } = run;
  const ids = records.flatMap((record) => (record.kind === 'exchange' ? [record.id] : []));
  const shown = records.flatMap((record) =>
    record.kind === 'check' && record.verdict === 'fail' ? record.decisive : [],
  );
  const kept = new Set([...ids.slice(0, KEPT_EXCHANGES), ...shown]);
  const names = new Map<string, string>();
  for (const id of ids.filter((each) => kept.has(each))) {
    const prefix = id.charAt(0);
    const before = [...names.values()].filter((name) => name.startsWith(prefix)).length;
    names.set(id, `${prefix}${before + 1}`);
  }
  return {
    ...run,
    records: records
      .filter((record) => record.kind !== 'exchange' || names.has(record.id))
      .map((record) => renamed(record, names)),
  };
}

function renamed(record: JournalRecord, names: ReadonlyMap<string, string>): JournalRecord {
  const among = (ids: readonly string[]) => ids.flatMap((id) => names.get(id) ?? []);
  if (record.kind === 'exchange') return { ...record, id: names.get(record.id) ?? record.id };
  if (record.kind !== 'check') return record;
  return { ...record, exchanges: among(record.exchanges), decisive: among(record.decisive) };
}
