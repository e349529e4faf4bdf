import type { ExchangeRecord } from '../../specs/formats/journal.ts';
import type { Report } from '../../specs/formats/report.ts';
import { truncate } from '../text/escape-control-characters.ts';
import type { JournalIndex } from './journal-index.ts';
import type { JournalSource } from './read-journal.ts';

export type FullExchange = Report['evidence'][number];

export interface Evidence {
  /** Complete exchanges in journal order: the decisive and the last exchanges of checks that did not pass. */
  readonly full: readonly FullExchange[];
  /** Ids of the exchanges of checks that were running when the run ended, by check. */
  readonly unfinished: ReadonlyMap<string, readonly string[]>;
}

/** Per check, in addition to the decisive exchanges. A check that polls repeats the same exchange many times. */
const MAX_LAST_EXCHANGES = 8;
/** Total characters of bodies; beyond it, only decisive exchanges are kept. Keeps the report of a server with many breaches usable. */
const MAX_BODY_CHARACTERS = 8 * 1024 * 1024;

/** Longer than any URL that a server accepts. */
const MAX_URL_LENGTH = 64 * 1024;

/**
 * Second pass over a journal: collects the complete exchanges that a reader needs, and calls `onExchange` with each exchange. Skipped if
 * no check needs any.
 */
export async function collectEvidence(
  source: JournalSource,
  survey: JournalIndex,
  onExchange: (exchange: FullExchange) => void = () => {},
): Promise<Evidence> {
  const deciding = new Set<string>();
  const telling = new Set<string>();
  for (const { verdict, exchanges, decisive } of [...survey.results.values(), ...survey.customResults.values()]) {
    if (verdict === 'pass' || verdict === 'not-applicable') continue;
    for (const id of decisive) deciding.add(id);
    for (const id of exchanges.slice(-MAX_LAST_EXCHANGES)) telling.add(id);
  }
  const unfinished = new Map<string, string[]>();
  for (const id of survey.header.selected) {
    if (!survey.results.has(id)) unfinished.set(id, []);
  }
  const full: FullExchange[] = [];
  if (deciding.size + telling.size === 0 && unfinished.size === 0) return { full, unfinished };

  let room = MAX_BODY_CHARACTERS;
  for await (const records of source()) {
    for (const record of records) {
      if (record.kind !== 'exchange') continue;
      onExchange(record);
      const ofCutOffCheck = record.check === null ? undefined : unfinished.get(record.check);
      ofCutOffCheck?.push(record.id);
      const wanted = ofCutOffCheck !== undefined || telling.has(record.id);
      if (!deciding.has(record.id) && !(wanted && room > 0)) continue;
      full.push(withoutKind(record));
      room -= (record.request.body?.length ?? 0) + (record.response?.body.length ?? 0);
    }
  }
  return { full, unfinished };
}

function withoutKind({ kind: _, ...exchange }: ExchangeRecord): FullExchange {
  const { request } = exchange;
  return { ...exchange, request: { ...request, url: truncate(request.url, MAX_URL_LENGTH) } };
}
