import { checkRecord, type HeaderRecord, headerRecord, type PreviousRun } from '../../specs/formats/journal.ts';
import { CHECK_VERDICTS, type CheckVerdict, isRed } from '../../specs/verdicts.ts';
import { JournalError, type SlimRecords } from '../journal/read-journal.ts';
import { judgedChecks } from '../report/coverage.ts';
import { isSameTarget } from './same-target.ts';

type Target = Pick<HeaderRecord['target'], 'name' | 'baseUrl'>;

/**
 * The judged checks of an earlier run, and for a partial or interrupted run also those of its own previous run; null if it judged
 * another target. A run that began at `ownStart` is the same one, merged before, so only its own previous run counts.
 */
export async function readPreviousRun(
  outlines: SlimRecords,
  target: Target,
  ownStart?: string,
): Promise<PreviousRun | null> {
  const { header, verdicts, isWhole } = await readVerdicts(outlines);
  if (!isSameTarget(header.target, target)) return null;
  if (header.run.startedAt === ownStart) return header.previous ?? null;
  const { id, startedAt, filtered, budget, shard } = header.run;
  const isPart = filtered.length > 0 || budget !== undefined || shard !== undefined;
  const judged = judgedChecks([...verdicts].map(([check, verdict]) => ({ id: check, verdict })));
  const known = isWhole && !isPart ? [] : (header.previous?.judged ?? []);
  const own = new Set(judged.map(({ check }) => check));
  return { id, startedAt, judged: [...judged, ...known.filter(({ check }) => !own.has(check))] };
}

/** The verdicts of an earlier run. */
export interface RecordedVerdicts {
  readonly header: HeaderRecord;
  /** By check id. Checks that were not executed have none. */
  readonly verdicts: ReadonlyMap<string, CheckVerdict>;
  /** By the id of a failed check that no single response shows: the checks whose exchanges it judges. */
  readonly judgedWith: ReadonlyMap<string, readonly string[]>;
  /** Whether the run ended as planned. */
  readonly isWhole: boolean;
}

/** Reads the verdicts of a journal. Rejects with a JournalError if it is not readable. */
export async function readVerdicts(outlines: SlimRecords): Promise<RecordedVerdicts> {
  let header: HeaderRecord | null = null;
  let isWhole = false;
  const verdicts = new Map<string, CheckVerdict>();
  const owners = new Map<string, string>();
  const decisiveOf = new Map<string, readonly string[]>();
  for await (const records of outlines) {
    for (const record of records) {
      if (header === null) header = parseWith(headerRecord, record);
      else if (record.kind === 'check') {
        const { id, verdict, expectation, decisive } = parseWith(checkRecord, record);
        verdicts.set(id, worseVerdict(verdicts.get(id), verdict));
        if (isRed({ verdict }) && expectation === null) decisiveOf.set(id, decisive);
      } else if (record.kind === 'exchange') {
        if (record.check !== null) owners.set(record.id, record.check);
      } else if (record.kind === 'footer') isWhole = record.interrupted === null;
    }
  }
  if (header === null) throw new JournalError('the journal has no header');
  const judgedWith = [...decisiveOf].map(([id, decisive]) => {
    const others = new Set(decisive.flatMap((exchange) => owners.get(exchange) ?? []));
    others.delete(id);
    return [id, [...others]] as const;
  });
  return { header, verdicts, judgedWith: new Map(judgedWith), isWhole };
}

function worseVerdict(a: CheckVerdict | undefined, b: CheckVerdict): CheckVerdict {
  return a !== undefined && CHECK_VERDICTS.indexOf(a) < CHECK_VERDICTS.indexOf(b) ? a : b;
}

interface Schema<Output> {
  safeParse(value: unknown): { success: true; data: Output } | { success: false };
}

function parseWith<Output>(schema: Schema<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (!result.success) throw new JournalError('the journal was written by another version of the kit, or is damaged');
  return result.data;
}
