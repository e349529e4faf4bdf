import { AssertionError } from 'node:assert';
import { afterAll, beforeAll, describe, inject, type RunnerTestSuite as Suite, test } from 'vitest';
import { catalogueCheck } from '../../specs/catalogue/catalogue.ts';
import type { CheckRecord, CustomCheckRecord } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import { CheckRunner } from '../run/check-runner.ts';
import type { CheckSuite } from '../run/check-suite.ts';
import { breachChannelName, type RuleBreach, type RunPlan, stopChannelName } from '../run/run-plan.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Null if no command started the run: then the environment names the target. */
    conformancePlan: RunPlan | null;
  }
}

declare module '@vitest/runner' {
  export interface TaskMeta {
    conformance?: CheckRecord | CustomCheckRecord;
  }
}

/** Registers every selected check with vitest, in the file that calls it, and executes the phases of the run. */
export async function registerChecks<Context>(suite: CheckSuite<Context>): Promise<void> {
  const given = inject('conformancePlan');
  const runner = new CheckRunner(given ?? (await loadEditorPlan(suite)), suite);
  const channel = new BroadcastChannel(stopChannelName(runner.run.plan.runId));
  channel.onmessage = (message) => runner.run.stop((message as { data: string }).data);
  const breaches = new BroadcastChannel(breachChannelName(runner.run.plan.runId));
  runner.run.onRuleBreach = (id, reason) => breaches.postMessage({ id, reason } satisfies RuleBreach);
  for (const each of [channel, breaches]) (each as unknown as { unref(): void }).unref();

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern which fixtures are needed: none.
  beforeAll(({}, file) => {
    runner.start(skippedIds(file));
  });
  // The command shows checks itself; vitest's own output groups them by area and requirement.
  if (given) for (const id of [...runner.ids, ...runner.customIds]) registerCheck(runner, id);
  else registerByArea(runner);
  afterAll(async () => {
    channel.close();
    breaches.close();
    await runner.close();
  });
}

function registerByArea<Context>(runner: CheckRunner<Context>): void {
  const requirementOf = (id: CheckId) => catalogueCheck(id).requirement;
  for (const [area, ofArea] of groupBy(runner.ids, (id) => requirementOf(id).area)) {
    describe.concurrent(area, () => {
      for (const [requirement, ids] of groupBy(ofArea, requirementOf)) {
        describe.concurrent(`${requirement.id} ${requirement.statement}`, () => {
          for (const id of ids) registerCheck(runner, id);
        });
      }
    });
  }
  if (runner.customIds.length === 0) return;
  describe.concurrent('custom checks', () => {
    for (const id of runner.customIds) registerCheck(runner, id);
  });
}

function groupBy<Key>(ids: readonly CheckId[], keyOf: (id: CheckId) => Key): Map<Key, CheckId[]> {
  const groups = new Map<Key, CheckId[]>();
  for (const id of ids) groups.set(keyOf(id), [...(groups.get(keyOf(id)) ?? []), id]);
  return groups;
}

function registerCheck<Context>(runner: CheckRunner<Context>, id: CheckId): void {
  test.concurrent(`${id} ${runner.titleOf(id)}`, async ({ task, skip }) => {
    const record = await runner.runCheck(id);
    if (!record) return skip('not executed: the run was interrupted');
    task.meta.conformance = record;
    const { verdict, reason, expected, actual } = record;
    if (verdict === 'blocked' || verdict === 'not-applicable') return skip(`${verdict}: ${reason}`);
    if (verdict === 'error') throw new Error(reason);
    if (verdict === 'fail')
      throw new AssertionError({ message: `${reason}\nexpected: ${expected}\nactual: ${actual}` });
  });
}

/** The checks that a filter of vitest (`-t`, a click on one of them in an editor) leaves out. */
function skippedIds(suite: Suite): CheckId[] {
  return suite.tasks.flatMap((task) => {
    if (task.type === 'suite') return skippedIds(task);
    const [id = ''] = task.name.split(' ');
    return task.mode === 'skip' ? [id as CheckId] : [];
  });
}

/** The plan of a run that no command has prepared. The code for target files is loaded only then. */
async function loadEditorPlan<Context>(suite: CheckSuite<Context>): Promise<RunPlan> {
  const { planFromEnvironment } = await import('../run/plan-from-environment.ts');
  return await planFromEnvironment(suite).catch((error: unknown) => {
    throw error instanceof ConfigurationError ? withoutStack(error) : error;
  });
}

/** Vitest shows an error without a stack as its message alone. */
function withoutStack({ message }: ConfigurationError): Error {
  const error = new Error(message);
  error.name = 'conformance';
  error.stack = `conformance: ${message}`;
  return error;
}
