import { AssertionError } from 'node:assert';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { catalogueCheck } from '../specs/catalogue.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import type { CheckRecord } from '../specs/journal.ts';
import { allureLabels } from './allure-labels.ts';
import { missingField } from './capabilities.ts';
import type { Asking, CheckDefinition } from './definition.ts';
import { allJudges } from './judges/bench.ts';
import { Blocked, Interrupted } from './outcome.ts';
import { Phases } from './phases.ts';
import { type Plan, stopChannel } from './plan.ts';
import { planFromEnvironment } from './plan-from-environment.ts';
import { Run } from './run.ts';
import { Slots } from './slots.ts';
import { passed, verdictOf } from './verdict-of-check.ts';

/** Checks at work at once, for each request that may be under way. */
const CHECKS_PER_REQUEST = 2;

export interface Binding<Lab> {
  definitions: readonly CheckDefinition<Lab>[];
  labFor: (run: Run, asking: Asking) => Lab;
  /** Removes what the checks made, once the last of them that needs it has ended. */
  tidyUp: (run: Run) => Promise<void>;
}

/** Registers every selected check with vitest, in the file that calls it, and carries the run. */
export async function bindToVitest<Lab>({ definitions, labFor, tidyUp }: Binding<Lab>): Promise<void> {
  const plan: Plan = inject('conformancePlan') ?? (await planFromEnvironment());
  const run = new Run(plan);
  const chosen = new Set(plan.selected);
  const own = definitions.filter(({ id }) => chosen.has(id));
  const judged = allJudges.filter(({ id }) => chosen.has(id));
  const phases = new Phases([...own.map(({ phase }) => phase), ...judged.map(() => 'closing' as const)], async (phase) => {
    if (phase === 'late') await tidyUp(run);
  });
  const slots = new Slots(plan.target.limits.concurrency * CHECKS_PER_REQUEST);
  const channel = new BroadcastChannel(stopChannel(plan.runId));
  channel.onmessage = () => run.stop();
  (channel as unknown as { unref(): void }).unref();

  beforeAll(() => phases.start());
  for (const { id, needs, phase, body } of own) {
    register(run, id, phases, phase, async (asking) => {
      for (const need of needs) {
        const missing = missingField(need, plan.target, plan.organizations);
        if (missing) throw new Blocked(missing, `it needs ${missing}`);
      }
      await slots.hold(() => body(labFor(run, asking)));
    });
  }
  for (const { id } of judged) {
    register(run, id, phases, 'closing', async () => {
      run.bench.verdict(id);
    });
  }
  afterAll(async () => {
    channel.close();
    await run.close(run.stopped ? 'it was stopped from outside' : null);
  });
}

function register(
  run: Run,
  id: CheckId,
  phases: Phases,
  phase: CheckDefinition<unknown>['phase'],
  body: (asking: Asking) => Promise<void>,
): void {
  const { title, level } = catalogueCheck(id);
  test.concurrent(`${id} ${title}`, async ({ task, skip }) => {
    Object.assign(task.meta, allureLabels(id));
    const asking = { id, exchanges: [] };
    let record: CheckRecord | null = null;
    try {
      await phases.begins(phase);
      record = await judge(run, asking, level, body);
      if (record) {
        run.journal.write(record);
        task.meta.conformance = run.redactor.deep(record);
      }
    } finally {
      phases.ended(phase);
    }
    if (!record) return skip('not executed: the run was interrupted');
    const { verdict, reason, expected, actual } = run.redactor.deep(record);
    if (verdict === 'blocked' || verdict === 'not-applicable') return skip(`${verdict}: ${reason}`);
    if (verdict === 'error') throw new Error(reason);
    if (verdict === 'fail') throw new AssertionError({ message: `${reason}\nexpected: ${expected}\ncame: ${actual}` });
  });
}

/** Null when the run was stopped before the check had its verdict. */
async function judge(
  run: Run,
  asking: Asking & { id: CheckId },
  level: ReturnType<typeof catalogueCheck>['level'],
  body: (asking: Asking) => Promise<void>,
): Promise<CheckRecord | null> {
  const started = performance.now();
  let verdict = passed;
  try {
    if (run.stopped && asking.exchanges.length === 0) throw new Interrupted('the run was interrupted');
    await body(asking);
  } catch (thrown) {
    if (thrown instanceof Interrupted) return null;
    verdict = verdictOf(thrown, level, run.plan.strict);
  }
  const durationMs = Math.round((performance.now() - started) * 10) / 10;
  return { kind: 'check', id: asking.id, ...verdict, durationMs, exchanges: [...new Set([...asking.exchanges, ...verdict.decisive])] };
}
