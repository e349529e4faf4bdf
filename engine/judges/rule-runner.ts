import type { CheckId } from '../../specs/generated/ids.ts';
import type { Answer } from '../model/messages.ts';
import { Blocked, Breach, NotApplicable } from '../model/outcomes.ts';
import type { Case, Judge, JudgeKnowledge, PatientRule } from './exchange-rule.ts';
import { errorJudges } from './rules/error-bodies.ts';
import { recordJudges } from './rules/invoice-fields.ts';
import { listJudges } from './rules/list-envelope.ts';
import { unauthorizedJudges } from './rules/unauthorized-bodies.ts';

/** Every statement that is judged on all answers of a run, each owning its check id. */
export const allJudges: readonly Judge[] = [...recordJudges, ...listJudges, ...unauthorizedJudges, ...errorJudges];

const ruleIds: ReadonlySet<CheckId> = new Set(allJudges.map(({ id }) => id));

/** Whether a check is a rule about every exchange. */
export function isRule(id: CheckId): boolean {
  return ruleIds.has(id);
}

/** More cases of one breach teach nothing new. */
const CASES_KEPT = 5;

interface Sitting {
  judge: Judge;
  rule: PatientRule;
  spoken: number;
  broken: number;
  cases: Case[];
  /** Ids of all exchanges that broke the statement. */
  exchanges: Set<string>;
}

/** Those that are asked about the same answers. */
interface Kind {
  speaksOf: Judge['speaksOf'];
  sittings: readonly Sitting[];
}

function hear(sitting: Sitting, answer: Answer): void {
  const ruling = sitting.rule.see(answer);
  if (ruling === null) return;
  sitting.spoken += 1;
  if (ruling === 'kept') return;
  sitting.broken += 1;
  sitting.exchanges.add(answer.exchange);
  if (sitting.cases.length < CASES_KEPT) sitting.cases.push({ finding: ruling, exchange: answer.exchange });
}

/** Shows each answer of the run to every judge of its kind, and gives their verdicts at its end. */
export class Bench {
  private readonly sittings: ReadonlyMap<CheckId, Sitting>;
  private readonly kinds: readonly Kind[];

  constructor(knowledge: JudgeKnowledge, judges: readonly Judge[] = allJudges) {
    this.sittings = new Map(
      judges.map((judge) => {
        const rule = judge.start(knowledge);
        const patient = typeof rule === 'function' ? { see: rule, atEnd: () => [] } : rule;
        return [judge.id, { judge, rule: patient, spoken: 0, broken: 0, cases: [], exchanges: new Set() }];
      }),
    );
    const all = [...this.sittings.values()];
    this.kinds = [...new Set(all.map(({ judge }) => judge.speaksOf))].map((speaksOf) => ({
      speaksOf,
      sittings: all.filter(({ judge }) => judge.speaksOf === speaksOf),
    }));
  }

  see(answer: Answer): void {
    if (answer.ask.undeclared) return;
    for (const { speaksOf, sittings } of this.kinds) {
      if (!speaksOf(answer)) continue;
      for (const sitting of sittings) hear(sitting, answer);
    }
  }

  /** Whether the statement of a judge is broken by one of these exchanges; false for what is no judge. */
  isBrokenBy(id: CheckId, exchanges: readonly string[]): boolean {
    const broken = this.sittings.get(id)?.exchanges;
    return broken !== undefined && exchanges.some((each) => broken.has(each));
  }

  /** Whether a rule would be blocked because the run has no answer yet that it can judge. False for checks that are no rules. */
  isWaiting(id: CheckId): boolean {
    const sitting = this.sittings.get(id);
    return sitting !== undefined && sitting.judge.unmet === 'blocked' && sitting.spoken === 0;
  }

  /** How many answers the statement was held against. Throws Breach, Blocked or NotApplicable otherwise. */
  verdict(id: CheckId): number {
    const sitting = this.sittings.get(id);
    if (!sitting) throw new Error(`no judge owns ${id}`);
    const { judge, rule, spoken } = sitting;
    const late = rule.atEnd();
    for (const { exchange } of late) sitting.exchanges.add(exchange);
    const broken = sitting.broken + late.length;
    const cases = [...sitting.cases, ...late].slice(0, CASES_KEPT);
    const first = cases[0];
    if (first) {
      const more = broken > 1 ? ` (and ${broken - 1} more of ${spoken} answers)` : '';
      throw new Breach({
        ...first.finding,
        reason: `${first.finding.reason}${more}`,
        exchanges: cases.map(({ exchange }) => exchange),
      });
    }
    if (spoken > 0) return spoken;
    if (judge.unmet === 'not-applicable')
      throw new NotApplicable('no answer of the run was of the kind that the sentence speaks of');
    throw new Blocked(
      null,
      'no answer of this run could show it; it is judged together with checks that bring such answers about',
    );
  }
}
