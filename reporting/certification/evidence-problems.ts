import { isDeepStrictEqual } from 'node:util';
import { certificationUserAgent } from '../../specs/certification/certification.ts';
import type { Blocker } from '../../specs/certification/verification.ts';
import type { CheckRecord, ExchangeRecord, HeaderRecord, JournalRecord } from '../../specs/journal.ts';
import type { JournalSource } from '../journal/read-journal.ts';
import { joinNames, pluralize } from '../text/wording.ts';

const RUN_AGAIN = 'run "conformance certify" again';
/** Exchanges are recorded when they end. The clocks of one machine may differ a little between its threads. */
const CLOCK_TOLERANCE_MS = 2_000;

/** What this kit knows about itself, to compare the evidence with. */
export interface KitKnowledge {
  readonly catalogue: HeaderRecord['catalogue'];
  /** All checks of a profile. */
  checksOfProfile(profile: string): readonly string[];
}

function found(problem: string, remedy = RUN_AGAIN): Blocker {
  return { kind: 'evidence', problem, remedy };
}

/** What the evidence of a run does not show, or shows of another run. Rejects with a JournalError for a damaged journal. */
export async function evidenceProblems(source: JournalSource, kit: KitKnowledge): Promise<Blocker[]> {
  const exchanges = new ExchangeProblems();
  const results: CheckRecord[] = [];
  let header: HeaderRecord | null = null;
  let finishedAt: string | null = null;
  for await (const records of source()) {
    for (const record of records) {
      if (record.kind === 'header') header = exchanges.begin(record);
      else if (record.kind === 'exchange') exchanges.add(record);
      else if (record.kind === 'check') results.push(record);
      else if (record.kind === 'footer') finishedAt = endOf(record);
    }
  }
  if (header === null) return [found('the evidence has no header')];
  return [
    ...completenessProblems(header, results, kit),
    ...exchanges.problems(finishedAt),
    ...verdictProblems(results, exchanges.ids),
  ];
}

function endOf(footer: Extract<JournalRecord, { kind: 'footer' }>): string {
  return footer.finishedAt;
}

/** Whether the run judged the whole profile of this kit. */
function completenessProblems(header: HeaderRecord, results: readonly CheckRecord[], kit: KitKnowledge): Blocker[] {
  const { run, selected, excluded } = header;
  const parts = [
    ...(run.filtered.length > 0 ? ['a filter (--only)'] : []),
    ...(run.budget === undefined ? [] : ['a request budget (--budget)']),
    ...(run.shard || run.shards ? ['shards (--shard)'] : []),
    ...(header.gate ? ['a gate (--baseline, --fail-on)'] : []),
  ];
  const planned = new Set([...selected, ...excluded.map(({ check }) => check)]);
  const missing = kit.checksOfProfile(run.profile).filter((id) => !planned.has(id));
  const judged = new Map<string, number>();
  for (const { id } of results) judged.set(id, (judged.get(id) ?? 0) + 1);
  const dropped = selected.filter((id) => !judged.has(id));
  const doubled = [...judged].filter(([, count]) => count > 1).map(([id]) => id);
  const stray = [...judged.keys()].filter((id) => !selected.includes(id));
  return [
    ...(header.certification ? [] : [found('the run is not one of "conformance certify"')]),
    ...parts.map((part) => found(`the run used ${part}`)),
    ...(isDeepStrictEqual(header.catalogue, kit.catalogue)
      ? []
      : [
          found(
            'the catalogue of requirements in the evidence is not the one of this kit',
            'verify with the version of the kit that judged the run',
          ),
        ]),
    ...listed(missing, 'of the profile is not part of the run', 'of the profile are not part of the run'),
    ...listed(dropped, 'has no result in the evidence', 'have no result in the evidence'),
    ...listed(doubled, 'has two results in the evidence', 'have two results in the evidence'),
    ...listed(
      stray,
      'was judged although the run did not select it',
      'were judged although the run did not select them',
    ),
  ];
}

function listed(ids: readonly string[], one: string, several: string): Blocker[] {
  if (ids.length === 0) return [];
  return [found(`${pluralize(ids.length, 'check')} ${ids.length === 1 ? one : several} (${joinNames(ids)})`)];
}

/** Checks that share an experiment name its exchanges once, so a check without an exchange of its own is no problem. */
function verdictProblems(results: readonly CheckRecord[], ids: ReadonlySet<string>): Blocker[] {
  const unknown = results.filter(({ exchanges }) => exchanges.some((id) => !ids.has(id))).map(({ id }) => id);
  return listed(
    unknown,
    'names an exchange that the evidence does not contain',
    'name exchanges that the evidence does not contain',
  );
}

/** Compares each exchange with the target and the time of the run. */
class ExchangeProblems {
  readonly ids = new Set<string>();
  private header: HeaderRecord | null = null;
  private origin = '';
  private userAgent: string | null = null;
  private latestEnd = Number.NEGATIVE_INFINITY;
  private latest = Number.NEGATIVE_INFINITY;
  private readonly wrong = {
    doubled: [] as string[],
    elsewhere: [] as string[],
    early: [] as string[],
    backwards: [] as string[],
    unnamed: [] as string[],
  };

  begin(header: HeaderRecord): HeaderRecord {
    this.header = header;
    this.origin = new URL(header.target.baseUrl).origin;
    this.userAgent = header.certification ? certificationUserAgent(header.kit, header.certification) : null;
    return header;
  }

  add({ id, at, durationMs, request }: ExchangeRecord): void {
    if (this.header === null) return;
    const sent = Date.parse(at);
    const ended = sent + durationMs;
    if (this.ids.has(id)) this.wrong.doubled.push(id);
    this.ids.add(id);
    if (!URL.canParse(request.url) || new URL(request.url).origin !== this.origin) this.wrong.elsewhere.push(id);
    if (sent < Date.parse(this.header.run.startedAt) - CLOCK_TOLERANCE_MS) this.wrong.early.push(id);
    if (ended < this.latestEnd - CLOCK_TOLERANCE_MS) this.wrong.backwards.push(id);
    this.latestEnd = Math.max(this.latestEnd, ended);
    this.latest = Math.max(this.latest, sent);
    const agents = request.headers.filter(([name]) => name.toLowerCase() === 'user-agent').map(([, value]) => value);
    if (this.userAgent !== null && !agents.includes(this.userAgent)) this.wrong.unnamed.push(id);
  }

  problems(finishedAt: string | null): Blocker[] {
    const { doubled, elsewhere, early, backwards, unnamed } = this.wrong;
    const end = finishedAt === null ? null : Date.parse(finishedAt);
    const isEndEarly =
      end !== null && (end < this.latest - CLOCK_TOLERANCE_MS || end < Date.parse(this.header?.run.startedAt ?? ''));
    return [
      ...(finishedAt === null ? [found('the evidence has no end: the run stopped early, or the end was cut off')] : []),
      ...(isEndEarly ? [found('the run ends before its last exchange: the clock was turned back')] : []),
      ...exchangesListed(doubled, 'appears twice', 'appear twice'),
      ...exchangesListed(elsewhere, 'went to another server', 'went to another server'),
      ...exchangesListed(early, 'is older than the run', 'are older than the run'),
      ...exchangesListed(
        backwards,
        'ends before the one before it: the clock was turned back',
        'end before the ones before them: the clock was turned back',
      ),
      ...exchangesListed(unnamed, 'does not carry the User-Agent of the run', 'do not carry the User-Agent of the run'),
    ];
  }
}

function exchangesListed(ids: readonly string[], one: string, several: string): Blocker[] {
  if (ids.length === 0) return [];
  return [found(`${pluralize(ids.length, 'exchange')} ${ids.length === 1 ? one : several} (${joinNames(ids)})`)];
}
