import { type ComparedRun, comparedRunOf } from '../../../reporting/compare/compared-run.ts';
import type { HeaderRecord, JournalRecord } from '../../../specs/formats/journal.ts';
import { everyCheck, footer, header, reportOf, result, target } from '../journal/journal-builders.ts';

interface Situation {
  readonly header?: Partial<HeaderRecord>;
  readonly run?: Partial<HeaderRecord['run']>;
  readonly target?: Partial<HeaderRecord['target']>;
  readonly records?: readonly JournalRecord[];
}

/** A complete run against a server of this name; every selected check without a record passed. */
export async function runOf(name: string, situation: Situation = {}): Promise<ComparedRun> {
  const { records = [] } = situation;
  const changes = { target: { ...target, name, ...situation.target }, ...situation.header };
  const recorded = new Set(records.flatMap((record) => (record.kind === 'check' ? [record.id] : [])));
  const passed = (changes.selected ?? everyCheck).filter((id) => !recorded.has(id)).map((id) => result(id, 'pass'));
  const first = header(changes, { id: `run of ${name}`, ...situation.run });
  return comparedRunOf(await reportOf([first, ...records, ...passed, footer()]));
}
