import type { Expectation } from '../../specs/formats/expectation.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import type { ApiResponse } from '../model/messages.ts';
import type { ObservedRecord } from '../records/invoice-records.ts';

/** How a response breaks a rule. */
export interface Finding {
  reason: string;
  expected: string;
  actual: string;
  /** What a script can test in the response; absent if only the kit can judge it. */
  expectation?: Expectation;
}

/** `null`: the rule does not apply to this response. `kept`: it applies, and the response keeps it. */
export type Ruling = Finding | 'kept' | null;

export type Evaluate = (response: ApiResponse) => Ruling;

/** A breach, and the exchange that shows it. */
export interface BreachCase {
  finding: Finding;
  exchange: string;
}

/** An evaluator that later responses may prove wrong: it reports its breaches at the end of the run. */
export interface DeferredEvaluator {
  evaluate: Evaluate;
  atEnd: () => readonly BreachCase[];
}

/** What a rule may know besides the responses. */
export interface RuleContext {
  organizationOf: (actor: ActorName) => string | undefined;
  /** The invoice records of a response that differ from the last record of the same invoice. */
  changedRecords: (response: ApiResponse) => readonly ObservedRecord[];
  /** Secrets of the target file by the name of their actor. */
  secrets: ReadonlyMap<string, string>;
  /** How late a change may show, in milliseconds: `limits.settleWithinMs`. */
  settleWithinMs: number;
  /** How much the times of the responses may be rounded, in milliseconds. */
  roundingMs: number;
}

/** A rule that holds for all responses of a run. It sees each response once, in the order of arrival. */
export interface ExchangeRule {
  id: CheckId;
  /** The verdict when the run received no response that the rule applies to. */
  whenNeverApplicable: 'blocked' | 'not-applicable';
  /** Rules that apply to the same responses share one function, so that it is called once for all of them. */
  appliesTo: (response: ApiResponse) => boolean;
  start: (context: RuleContext) => Evaluate | DeferredEvaluator;
}

/** A rule that judges each response by itself. */
export function statelessRule(
  id: CheckId,
  appliesTo: ExchangeRule['appliesTo'],
  evaluate: Evaluate,
  whenNeverApplicable: ExchangeRule['whenNeverApplicable'] = 'blocked',
): ExchangeRule {
  return { id, whenNeverApplicable, appliesTo, start: () => evaluate };
}

export function ruling(isKept: boolean, finding: () => Finding): Ruling {
  return isKept ? 'kept' : finding();
}
