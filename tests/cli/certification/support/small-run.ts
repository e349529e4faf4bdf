import type { CheckRecord, JournalRecord } from '../../../../specs/journal.ts';
import type { CertifiedRun } from './certified-run.ts';

const KEPT_EXCHANGES = 80;

/** The same run with its first exchanges and those that show its failures, so that a verification takes little time. */
export function shortened(run: CertifiedRun): CertifiedRun {
  const { records } = run;
  const ids = records.flatMap((record) => (record.kind === 'exchange' ? [record.id] : []));
  const shown = records.flatMap((record) =>
    record.kind === 'check' && record.verdict === 'fail' ? record.decisive : [],
  );
  const kept = new Set([...ids.slice(0, KEPT_EXCHANGES), ...shown]);
  return {
    ...run,
    records: records
      .filter((record) => record.kind !== 'exchange' || kept.has(record.id))
      .map((record) => (record.kind === 'check' ? withExchanges(record, kept) : record)),
  };
}

function withExchanges(check: CheckRecord, kept: ReadonlySet<string>): JournalRecord {
  const among = (ids: readonly string[]) => ids.filter((id) => kept.has(id));
  return { ...check, exchanges: among(check.exchanges), decisive: among(check.decisive) };
}
