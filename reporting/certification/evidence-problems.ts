import { isDeepStrictEqual } from 'node:util';
import { certificationUserAgent } from '../../specs/certification/certification.ts';
import type { Blocker } from '../../specs/certification/verification.ts';
import type { CheckRecord, ExchangeRecord, HeaderRecord, JournalRecord } from '../../specs/formats/journal.ts';
import type { JournalSource } from '../journal/read-journal.ts';
import { joinNames, pluralize } from '../text/wording.ts';

const RUN_AGAIN = 'run "conformance certify" again';
/** Exchanges are recorded when they end. The clocks of one machine may differ a little between its threads. */
const CLOCK_TOLERANCE_MS = 2_000;

/** What this kit knows about itself, to compare the evidence with. */
export interface KitKnowledge {
  readonly catalogue: HeaderRecord['catalogue'];
  readonly name: string;
  /** The checks of a profile that a run with these permissions selects and leaves out; null for an unknown profile. */
  planOf(profile: string, allow: HeaderRecord['target']['allow']): { selected: string[]; excluded: string[] } | null;
}

function found(problem: string, remedy = RUN_AGAIN): Blocker {
  return { kind: 'evidence', problem, remedy };
}

/** What the evidence of a run does not show, or shows of another run. Rejects with a JournalError for a damaged journal. */
export async function evidenceProblems(source: JournalSource, kit: KitKnowledge): Promise<Blocker[]> {
  const exchanges = new ExchangeProblems();
  const results: CheckRecord[] = [];
  const kinds: JournalRecord['kind'][] = [];
  let header: HeaderRecord | null = null;
  let finishedAt: string | null = null;
  for await (const records of source()) {
    for (const record of records) {
      kinds.push(record.kind);
      if (record.kind === 'header') header = exchanges.begin(record);
      else if (record.kind === 'exchange') exchanges.add(record);
      else if (record.kind === 'check') results.push(record);
      else if (record.kind === 'footer') finishedAt = record.finishedAt;
    }
  }
  if (header === null) return [found('the evidence has no header')];
  return [
    ...orderProblems(kinds),
    ...identityProblems(header, kit),
    ...completenessProblems(header, results, kit),
    ...exchanges.problems(finishedAt),
    ...verdictProblems(results, exchanges.ids, header),
  ];
}

function orderProblems(kinds: readonly JournalRecord['kind'][]): Blocker[] {
  const ends = kinds.filter((kind) => kind === 'footer').length;
  return [
    ...(ends > 1 ? [found('the evidence has two ends')] : []),
    ...(ends === 1 && kinds.at(-1) !== 'footer' ? [found('the evidence goes on after its end')] : []),
  ];
}

/** Who was judged, by what. */
function identityProblems({ target, kit: judge, run, certification }: HeaderRecord, kit: KitKnowledge): Blocker[] {
  const missing = (['vendor', 'product', 'version'] as const).filter((name) => !target.implementation?.[name]);
  const later = (certification?.attempts ?? []).filter(
    ({ runId, startedAt }) => runId === run.id || startedAt >= run.startedAt,
  );
  return [
    ...(certification ? [] : [found('the run is not one of "conformance certify"')]),
    ...missing.map((name) => found(`the run does not name implementation.${name}`)),
    ...(judge.name === kit.name ? [] : [found(`the program ${judge.name} judged the run, not ${kit.name}`)]),
    ...(later.length === 0 ? [] : [found('the run names an earlier attempt that did not start before it')]),
  ];
}

/** Whether the run judged the whole profile of this kit. */
function completenessProblems(header: HeaderRecord, results: readonly CheckRecord[], kit: KitKnowledge): Blocker[] {
  const { run, selected, excluded } = header;
  const parts = [
    ...(run.filtered.length > 0 ? ['a filter (--only)'] : []),
    ...(run.budget === undefined ? [] : ['a request budget (--budget)']),
    ...(run.shard || run.shards ? ['shards (--shard)'] : []),
    ...(header.gate ? ['a gate (--baseline, --fail-on)'] : []),
    ...(header.custom ? ['custom checks (--custom-checks)'] : []),
  ];
  const plan = kit.planOf(run.profile, header.target.allow);
  const planned = new Set([...(plan?.selected ?? []), ...(plan?.excluded ?? [])]);
  const missing = [...planned].filter((id) => !selected.includes(id) && !excluded.some(({ check }) => check === id));
  const isPlan =
    plan !== null &&
    hasSameItems(plan.selected, selected) &&
    hasSameItems(
      plan.excluded,
      excluded.map(({ check }) => check),
    );
  const judged = new Map<string, number>();
  for (const { id } of results) judged.set(id, (judged.get(id) ?? 0) + 1);
  const dropped = selected.filter((id) => !judged.has(id));
  const doubled = [...judged].filter(([, count]) => count > 1).map(([id]) => id);
  const stray = [...judged.keys()].filter((id) => !selected.includes(id));
  return [
    ...(plan === null ? [found(`this kit has no profile ${run.profile}`)] : []),
    ...(plan !== null && missing.length === 0 && !isPlan
      ? [found('the run does not select the checks of its profile that the target file allows')]
      : []),
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

function hasSameItems(one: readonly string[], other: readonly string[]): boolean {
  return isDeepStrictEqual([...one].sort(), [...other].sort());
}

/** Checks that share an experiment name its exchanges once, so a check without an exchange of its own is no problem. */
function verdictProblems(results: readonly CheckRecord[], ids: ReadonlySet<string>, header: HeaderRecord): Blocker[] {
  const levels = new Map(
    header.catalogue.requirements.flatMap(({ level, checks }) => checks.map(({ id }) => [id, level])),
  );
  const isImpossible = ({ id, verdict }: CheckRecord) => {
    const isRequired = levels.get(id) === 'required' || header.run.strict;
    return verdict === (isRequired ? 'warn' : 'fail');
  };
  const unknown = results.filter(({ exchanges, decisive }) => [...exchanges, ...decisive].some((id) => !ids.has(id)));
  return [
    ...listed(
      unknown.map(({ id }) => id),
      'names an exchange that the evidence does not contain',
      'name exchanges that the evidence does not contain',
    ),
    ...listed(
      results.filter(isImpossible).map(({ id }) => id),
      'has a verdict that its level does not allow',
      'have a verdict that their level does not allow',
    ),
  ];
}

type ExchangeDefect = 'doubled' | 'elsewhere' | 'early' | 'backwards' | 'unnamed' | 'misplaced';

const DEFECTS: Readonly<Record<ExchangeDefect, readonly [one: string, several: string]>> = {
  doubled: ['appears twice', 'appear twice'],
  elsewhere: ['went to another server', 'went to another server'],
  early: ['is older than the run', 'are older than the run'],
  backwards: [
    'ends before the exchange that precedes it: the clock was turned back',
    'end before the ones before them: the clock was turned back',
  ],
  unnamed: ['does not carry the User-Agent of the run', 'do not carry the User-Agent of the run'],
  misplaced: ['belongs to the preflight, but was sent after it', 'belong to the preflight, but were sent after it'],
};

/** `p1` of the preflight, `x1` of the run, `z1` of the clean-up after an interruption. */
const EXCHANGE_ID = /^([pxz])(\d+)$/;

/** Compares each exchange with the target and the time of the run. */
class ExchangeProblems {
  readonly ids = new Set<string>();
  private header: HeaderRecord | null = null;
  private base = '';
  private userAgent: string | null = null;
  private latestEnd = Number.NEGATIVE_INFINITY;
  private hasBegun = false;
  private readonly counts = new Map<string, number>();
  private readonly highest = new Map<string, number>();
  private readonly defects = new Map<ExchangeDefect, string[]>();

  begin(header: HeaderRecord): HeaderRecord {
    this.header = header;
    this.base = header.target.baseUrl.replace(/\/+$/, '');
    this.userAgent = header.certification ? certificationUserAgent(header.kit, header.certification) : null;
    return header;
  }

  add({ id, at, durationMs, request }: ExchangeRecord): void {
    if (this.header === null) return;
    const sent = Date.parse(at);
    const ended = sent + durationMs;
    if (this.ids.has(id)) this.note('doubled', id);
    this.ids.add(id);
    this.count(id);
    if (!request.url.startsWith(this.base)) this.note('elsewhere', id);
    if (sent < Date.parse(this.header.run.startedAt) - CLOCK_TOLERANCE_MS) this.note('early', id);
    if (durationMs < 0 || ended < this.latestEnd - CLOCK_TOLERANCE_MS) this.note('backwards', id);
    this.latestEnd = Math.max(this.latestEnd, ended);
    const agents = request.headers.filter(([name]) => name.toLowerCase() === 'user-agent').map(([, value]) => value);
    if (this.userAgent !== null && !agents.includes(this.userAgent)) this.note('unnamed', id);
  }

  problems(finishedAt: string | null): Blocker[] {
    const end = finishedAt === null ? null : Date.parse(finishedAt);
    const start = Date.parse(this.header?.run.startedAt ?? '');
    const isEndEarly = end !== null && (end < this.latestEnd - CLOCK_TOLERANCE_MS || end < start);
    const hasGap = [...this.counts].some(([prefix, count]) => this.highest.get(prefix) !== count);
    return [
      ...(finishedAt === null ? [found('the evidence has no end: the run stopped early, or the end was cut off')] : []),
      ...(isEndEarly ? [found('the run ends before its last exchange: the clock was turned back')] : []),
      ...(this.ids.size === 0 ? [found('the evidence contains no exchange')] : []),
      ...(hasGap ? [found('the numbers of the exchanges have gaps: exchanges were removed')] : []),
      ...[...this.defects].map(([defect, ids]) => {
        const [one, several] = DEFECTS[defect];
        return found(`${pluralize(ids.length, 'exchange')} ${ids.length === 1 ? one : several} (${joinNames(ids)})`);
      }),
    ];
  }

  private count(id: string): void {
    const [, prefix = id, number = '0'] = EXCHANGE_ID.exec(id) ?? [];
    if (prefix !== 'p') this.hasBegun = true;
    else if (this.hasBegun) this.note('misplaced', id);
    this.counts.set(prefix, (this.counts.get(prefix) ?? 0) + 1);
    this.highest.set(prefix, Math.max(this.highest.get(prefix) ?? 0, Number(number)));
  }

  private note(defect: ExchangeDefect, id: string): void {
    this.defects.set(defect, [...(this.defects.get(defect) ?? []), id]);
  }
}
