import { checkRecord, type HeaderRecord, headerRecord, type PreviousRun } from '../specs/journal.ts';
import { CHECK_VERDICTS, type CheckVerdict } from '../specs/verdicts.ts';
import { judgedChecks } from './coverage.ts';
import { JournalError, type SlimRecords } from './read-journal.ts';

type Target = Pick<HeaderRecord['target'], 'name' | 'baseUrl'>;

/**
 * What a later run must know of an earlier one to tell which checks are no longer judged; null where it judged another target.
 * A run that was narrowed or cut off passes on what it knew of the checks that it did not judge itself. Rejects with a JournalError
 * where the journal cannot be read.
 */
export async function readPreviousRun(outlines: SlimRecords, target: Target): Promise<PreviousRun | null> {
  let header: HeaderRecord | null = null;
  let whole = false;
  const verdicts = new Map<string, CheckVerdict>();
  for await (const records of outlines) {
    for (const record of records) {
      if (header === null) {
        header = parseWith(headerRecord, record);
        if (!isSameTarget(header.target, target)) return null;
      } else if (record.kind === 'check') {
        const { id, verdict } = parseWith(checkRecord, record);
        verdicts.set(id, worseVerdict(verdicts.get(id), verdict));
      } else if (record.kind === 'footer') whole = record.interrupted === null;
    }
  }
  if (header === null) throw new JournalError('it has no header');
  const { id, startedAt, filtered } = header.run;
  const judged = judgedChecks([...verdicts].map(([check, verdict]) => ({ id: check, verdict })));
  const known = whole && filtered.length === 0 ? [] : (header.previous?.judged ?? []);
  const own = new Set(judged.map(({ check }) => check));
  return { id, startedAt, judged: [...judged, ...known.filter(({ check }) => !own.has(check))] };
}

/** The embedded reference service has another port in every run, and a host behind a name may change. */
function isSameTarget(before: Target, now: Target): boolean {
  return before.name === now.name || before.baseUrl === now.baseUrl;
}

function worseVerdict(a: CheckVerdict | undefined, b: CheckVerdict): CheckVerdict {
  return a !== undefined && CHECK_VERDICTS.indexOf(a) < CHECK_VERDICTS.indexOf(b) ? a : b;
}

interface Schema<Output> {
  safeParse(value: unknown): { success: true; data: Output } | { success: false };
}

function parseWith<Output>(schema: Schema<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (!result.success) throw new JournalError('another version of the kit wrote it, or it is damaged');
  return result.data;
}
