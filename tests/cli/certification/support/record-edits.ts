import type {
  CheckRecord,
  ExchangeRecord,
  FooterRecord,
  HeaderRecord,
  JournalRecord,
} from '../../../../specs/formats/journal.ts';

export type Records = readonly JournalRecord[];
type Of<Kind extends JournalRecord['kind']> = Extract<JournalRecord, { kind: Kind }>;

function isKind<Kind extends JournalRecord['kind']>(record: JournalRecord, kind: Kind): record is Of<Kind> {
  return record.kind === kind;
}

function edited<Kind extends JournalRecord['kind']>(
  records: Records,
  kind: Kind,
  edit: (record: Of<Kind>, at: number) => JournalRecord,
): Records {
  let count = 0;
  return records.map((record) => {
    if (!isKind(record, kind)) return record;
    count += 1;
    return edit(record, count - 1);
  });
}

export function withHeader(records: Records, edit: (header: HeaderRecord) => HeaderRecord): Records {
  return edited(records, 'header', edit);
}

export function withRun(records: Records, run: Partial<HeaderRecord['run']>): Records {
  return withHeader(records, (header) => ({ ...header, run: { ...header.run, ...run } }));
}

type Certification = NonNullable<HeaderRecord['certification']>;

export function withCertification(records: Records, changes: Partial<Certification>): Records {
  return withHeader(records, (header) => {
    if (header.certification === undefined) throw new Error('the run is not one of certify');
    return { ...header, certification: { ...header.certification, ...changes } };
  });
}

/** `at`: which exchange, from 0; negative from the end; without it, all of them. */
export function withExchange(
  records: Records,
  edit: (exchange: ExchangeRecord) => ExchangeRecord,
  at?: number,
): Records {
  const count = records.filter(({ kind }) => kind === 'exchange').length;
  const wanted = at !== undefined && at < 0 ? count + at : at;
  return edited(records, 'exchange', (exchange, index) =>
    wanted === undefined || index === wanted ? edit(exchange) : exchange,
  );
}

export function withCheck(records: Records, id: string, changes: Partial<CheckRecord>): Records {
  return edited(records, 'check', (check) => (check.id === id ? { ...check, ...changes } : check));
}

export function withFooter(records: Records, changes: Partial<FooterRecord>): Records {
  return edited(records, 'footer', (footer) => ({ ...footer, ...changes }));
}

export function without(records: Records, isDropped: (record: JournalRecord) => boolean): Records {
  return records.filter((record) => !isDropped(record));
}

export function isCheck(record: JournalRecord, id: string): boolean {
  return record.kind === 'check' && record.id === id;
}

export function deselected(records: Records, id: string): Records {
  return withHeader(records, (header) => ({ ...header, selected: header.selected.filter((each) => each !== id) }));
}

/** The record after itself. */
export function doubled(records: Records, isDoubled: (record: JournalRecord) => boolean): Records {
  const at = records.findIndex(isDoubled);
  return records.flatMap((record, index) => (index === at ? [record, record] : [record]));
}

/** A time that is so many seconds later. */
export function later(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}

export function withUserAgent(exchange: ExchangeRecord, agent: string): ExchangeRecord {
  const headers = exchange.request.headers.map(([name, value]): [string, string] =>
    name.toLowerCase() === 'user-agent' ? [name, agent] : [name, value],
  );
  return { ...exchange, request: { ...exchange.request, headers } };
}

/** An attempt of the day before. */
export const FAILED_ATTEMPT: Certification['attempts'][number] = {
  runId: 'an-earlier-run',
  startedAt: '2026-01-30T09:30:00.000Z',
  verdict: 'non-conformant',
  evidence: '0'.repeat(64),
};
