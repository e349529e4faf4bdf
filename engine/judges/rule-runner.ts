import type { CheckId } from '../../specs/generated/ids.ts';
import { NO_RESPONSE } from '../../specs/verdicts.ts';
import type { ApiResponse } from '../model/messages.ts';
import { Blocked, Breach, NotApplicable } from '../model/outcomes.ts';
import type { BreachCase, DeferredEvaluator, ExchangeRule, Finding, RuleContext } from './exchange-rule.ts';

/** Maximum number of examples of one breach in a failure. */
const MAX_CASES = 5;

interface RuleState {
  rule: ExchangeRule;
  evaluator: DeferredEvaluator;
  applicableCount: number;
  brokenCount: number;
  cases: BreachCase[];
  /** Ids of all exchanges that break the rule. */
  exchanges: Set<string>;
}

/** Rules that apply to the same responses. */
interface RuleGroup {
  appliesTo: ExchangeRule['appliesTo'];
  states: readonly RuleState[];
}

function initialState(rule: ExchangeRule, context: RuleContext): RuleState {
  const started = rule.start(context);
  const evaluator = typeof started === 'function' ? { evaluate: started, atEnd: () => [] } : started;
  return { rule, evaluator, applicableCount: 0, brokenCount: 0, cases: [], exchanges: new Set() };
}

/** The finding if it is the first one of the rule; null otherwise. */
function apply(state: RuleState, response: ApiResponse): Finding | null {
  const ruling = state.evaluator.evaluate(response);
  if (ruling === null) return null;
  state.applicableCount += 1;
  if (ruling === 'kept') return null;
  state.brokenCount += 1;
  state.exchanges.add(response.exchange);
  if (state.cases.length < MAX_CASES) state.cases.push({ finding: ruling, exchange: response.exchange });
  return state.brokenCount === 1 ? ruling : null;
}

/** Applies the exchange rules to each response of a run, and returns their verdicts at its end. */
export class RuleRunner {
  private readonly states: ReadonlyMap<CheckId, RuleState>;
  private readonly groups: readonly RuleGroup[];
  private readonly onFirstBreach: (id: CheckId, reason: string) => void;

  /** `onFirstBreach` learns of a broken rule at once. Its verdict follows at the end of the run. */
  constructor(
    context: RuleContext,
    rules: readonly ExchangeRule[],
    onFirstBreach: (id: CheckId, reason: string) => void = () => {},
  ) {
    this.onFirstBreach = onFirstBreach;
    const states = rules.map((rule) => initialState(rule, context));
    this.states = new Map(states.map((state) => [state.rule.id, state]));
    this.groups = [...new Set(rules.map(({ appliesTo }) => appliesTo))].map((appliesTo) => ({
      appliesTo,
      states: states.filter(({ rule }) => rule.appliesTo === appliesTo),
    }));
  }

  observe(response: ApiResponse): void {
    if (response.request.skipExchangeRules) return;
    for (const { appliesTo, states } of this.groups) {
      if (!appliesTo(response)) continue;
      for (const state of states) {
        const first = apply(state, response);
        if (first !== null) this.onFirstBreach(state.rule.id, first.reason);
      }
    }
  }

  /** Whether one of these exchanges breaks the rule; false for a check that is not a rule. */
  isBrokenBy(id: CheckId, exchanges: readonly string[]): boolean {
    const broken = this.states.get(id)?.exchanges;
    return broken !== undefined && exchanges.some((each) => broken.has(each));
  }

  /**
   * Whether the rule would be blocked because it applies to no response so far; false for a check that is not a rule.
   */
  isWaiting(id: CheckId): boolean {
    const state = this.states.get(id);
    return state !== undefined && state.rule.whenNeverApplicable === 'blocked' && state.applicableCount === 0;
  }

  /**
   * The number of responses that the rule was applied to. Throws Breach or NotApplicable otherwise, or what `unmet` returns if a rule
   * that must be judged applies to no response.
   */
  verdict(id: CheckId, unmet: () => Blocked = () => new Blocked(null, NO_RESPONSE)): number {
    const state = this.states.get(id);
    if (!state) throw new Error(`no exchange rule has the id ${id}`);
    const { rule, evaluator, applicableCount } = state;
    const deferred = evaluator.atEnd();
    for (const { exchange } of deferred) state.exchanges.add(exchange);
    const brokenCount = state.brokenCount + deferred.length;
    const cases = [...state.cases, ...deferred].slice(0, MAX_CASES);
    const first = cases[0];
    if (first) {
      const more = brokenCount > 1 ? ` (and ${brokenCount - 1} more of ${applicableCount} responses)` : '';
      throw new Breach({
        ...first.finding,
        reason: `${first.finding.reason}${more}`,
        exchanges: cases.map(({ exchange }) => exchange),
      });
    }
    if (applicableCount > 0) return applicableCount;
    if (rule.whenNeverApplicable === 'not-applicable') throw new NotApplicable(NO_RESPONSE);
    throw unmet();
  }
}
