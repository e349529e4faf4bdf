import type { FullExchange } from '../../../reporting/journal/evidence.ts';
import { buildReport } from '../../../reporting/report/build-report.ts';
import type { Requirement } from '../../../specs/catalogue/requirement.ts';
import type {
  CheckRecord,
  ExchangeRecord,
  FooterRecord,
  HeaderRecord,
  JournalRecord,
  LeftoverRecord,
  ObservationRecord,
  RemovedRecord,
} from '../../../specs/formats/journal.ts';
import { CHAIN_START, chainedLine, lineDigest } from '../../../specs/formats/journal-chain.ts';
import type { Report } from '../../../specs/formats/report.ts';

/** Three judged requirements, one that no black box can judge, and one that is only observed. */
export const catalogue: readonly Requirement[] = [
  requirement('AUTH-01', 'authentication', 'required', ['missing', 'revoked']),
  requirement('LIFE-01', 'lifecycle', 'required', ['draft-submit']),
  requirement('LIFE-02', 'lifecycle', 'implied', ['becomes-submitted']),
  { ...requirement('LIFE-03', 'lifecycle', 'required', []), unjudged: 'It cannot be seen through the interface.' },
  { ...requirement('LIFE-04', 'lifecycle', 'observed', []), observations: ['first-state', 'settle-time'] },
];

export const everyCheck = catalogue.flatMap((entry) => entry.checks.map((check) => check.id));

export function requirement(
  id: string,
  area: string,
  level: Requirement['level'],
  names: readonly string[],
): Requirement {
  const checks = names.map((name) => ({ id: `${id}.${name}`, title: `The ${name} case is kept` }));
  return {
    id,
    area,
    place: `Part of ${area}, rule 1`,
    derived: [],
    fixes: [`Change what breaks ${id} in the server.`],
    level,
    statement: `The contract says so in ${id}.`,
    checks,
    observations: [],
  };
}

/** As in the header. */
export const target: HeaderRecord['target'] = {
  name: 'Staging gateway',
  baseUrl: 'https://staging.example.com',
  allow: { reset: false, rateLimitProbe: false, productionWrites: false },
  digest: 'sha256:0',
  notOffered: [],
  simulatesWithdrawals: false,
};

export function header(changes: Partial<HeaderRecord> = {}, run: Partial<HeaderRecord['run']> = {}): HeaderRecord {
  const started = {
    id: 'run-1',
    startedAt: '2026-01-31T09:30:00.000Z',
    seed: 7,
    profile: 'full',
    filtered: [],
    strict: false,
  };
  return {
    kind: 'header',
    schemaVersion: 1,
    kit: { name: 'kit', version: '0.1.0' },
    run: { ...started, ...run },
    target,
    catalogue: { digest: 'sha256:abc', requirements: [...catalogue] },
    selected: everyCheck,
    excluded: [],
    ...changes,
  };
}

export function exchange(id: string, changes: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    kind: 'exchange',
    id,
    check: null,
    label: 'seller: list invoices',
    actor: 'seller',
    operation: 'list',
    credentials: 'seller',
    attempt: 1,
    at: '2026-01-31T09:30:05.000Z',
    durationMs: 12,
    request: {
      method: 'GET',
      url: 'https://staging.example.com/api/v1/invoices',
      headers: [['X-API-Key', '<seller.key>']],
      body: null,
    },
    response: response('{"items":[]}'),
    failure: null,
    ...changes,
  };
}

export function response(body: string, status = 200): ExchangeRecord['response'] {
  return { status, headers: [['content-type', 'application/json']], body, bytes: body.length, truncated: false };
}

/** The result of a check; a fail or warn has an expected and an actual result. */
export function result(id: string, verdict: CheckRecord['verdict'], changes: Partial<CheckRecord> = {}): CheckRecord {
  const broken = verdict === 'fail' || verdict === 'warn';
  return {
    kind: 'check',
    id,
    verdict,
    reason: verdict === 'pass' ? '' : `why ${id} is ${verdict}`,
    expected: broken ? '401 with the one body' : '',
    actual: broken ? '200 with a list' : '',
    blockedBy: null,
    durationMs: 20,
    exchanges: [],
    decisive: [],
    expectation: null,
    ...changes,
  };
}

export function observation(
  id: string,
  value: ObservationRecord['value'],
  question = `What about ${id}?`,
): ObservationRecord {
  return { kind: 'observation', id, question, value };
}

export function leftover(changes: Partial<LeftoverRecord> = {}): LeftoverRecord {
  return {
    kind: 'leftover',
    what: 'invoice',
    id: 'inv-9',
    reason: 'an APPROVED invoice cannot be deleted',
    ...changes,
  };
}

export function removed(changes: Partial<RemovedRecord> = {}): RemovedRecord {
  return { kind: 'removed', what: 'invoice CANCELLED', count: 3, ...changes };
}

export function footer(changes: Partial<FooterRecord> = {}): FooterRecord {
  return { kind: 'footer', finishedAt: '2026-01-31T09:31:00.000Z', interrupted: null, organizations: {}, ...changes };
}

/** The text of a journal with these records. */
export function journalText(records: readonly JournalRecord[]): string {
  let previous = CHAIN_START;
  const lines = records.map((record) => {
    const line = chainedLine(JSON.stringify(record), previous);
    previous = lineDigest(line);
    return `${line}\n`;
  });
  return lines.join('');
}

/** The report of a journal with these records. */
export function reportOf(records: readonly JournalRecord[]): Promise<Report> {
  return buildReport(() => stream(records));
}

/** The report of a complete run with these results; every other check passed. */
export function reportWith(...records: JournalRecord[]): Promise<Report> {
  const told = new Set(records.flatMap((record) => (record.kind === 'check' ? [record.id] : [])));
  const passed = everyCheck.filter((id) => !told.has(id)).map((id) => result(id, 'pass'));
  return reportOf([header(), ...records, ...passed, footer()]);
}

export async function* stream(records: readonly JournalRecord[]): AsyncGenerator<readonly JournalRecord[]> {
  yield records;
}

export function request(changes: Partial<ExchangeRecord['request']>): Pick<FullExchange, 'request'> {
  return { request: { ...exchange('x').request, headers: [], ...changes } };
}
