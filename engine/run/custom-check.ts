import { AssertionError } from 'node:assert';
import type { CheckId } from '../../specs/generated/ids.ts';
import { GuardError } from '../http/production-guard.ts';
import type { Need } from '../target/capabilities.ts';
import { type Verdict, verdictOf } from './check-verdict.ts';

/** An experiment of a team about its own rules. Its result never affects the verdict about the contract. */
export interface CustomCheck<Context> {
  /** Id of its requirement and its name, such as `PORTAL-01.tax-id`; no check of the contract has it. */
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Need[];
  readonly body: (ctx: Context) => Promise<void>;
}

/** The id by which a run schedules a custom check. The catalogue does not contain it. */
export function scheduledId({ id }: Pick<CustomCheck<never>, 'id'>): CheckId {
  return id as CheckId;
}

/** The verdict for the error of a custom check. A failed assertion of `node:assert` or of vitest fails the check. */
export function customVerdictOf(thrown: unknown): Verdict {
  const verdict = verdictOf(thrown, 'required', false);
  if (verdict.verdict !== 'error') return verdict;
  if (thrown instanceof GuardError)
    return { ...verdict, verdict: 'blocked', reason: `the kit does not send this request: ${thrown.message}` };
  if (isAssertion(thrown))
    return {
      ...verdict,
      verdict: 'fail',
      reason: firstLine(thrown.message),
      expected: asText(thrown.expected),
      actual: asText(thrown.actual),
    };
  return {
    ...verdict,
    reason: `the custom check threw ${describeError(thrown)}`,
  };
}

interface Assertion {
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Each assertion library has its own class, with the same name. */
function isAssertion(thrown: unknown): thrown is Assertion {
  return thrown instanceof AssertionError || (thrown instanceof Error && thrown.name === 'AssertionError');
}

/** The error and the place where it was thrown. The other frames are modules of the kit. */
function describeError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const frame = thrown.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return `${thrown.name}: ${firstLine(thrown.message)}${frame === undefined ? '' : ` (${frame.trim()})`}`;
}

/** Without the colon before the lines that a terminal would show. */
function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? text).replace(/:$/, '');
}

function asText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
