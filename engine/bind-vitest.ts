import { AssertionError } from 'node:assert';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { catalogueCheck } from '../specs/catalogue.ts';
import { allureLabels } from './allure-labels.ts';
import { type Plan, stopChannel } from './plan.ts';
import { type Repertoire, Session } from './session.ts';

/** Registers every selected check with vitest, in the file that calls it, and carries the run. */
export async function bindToVitest<Lab>(repertoire: Repertoire<Lab>): Promise<void> {
  const session = new Session(inject('conformancePlan') ?? (await ownPlan()), repertoire);
  const channel = new BroadcastChannel(stopChannel(session.run.plan.runId));
  channel.onmessage = () => session.run.stop();
  (channel as unknown as { unref(): void }).unref();

  beforeAll(() => session.start());
  for (const id of session.ids) {
    test.concurrent(`${id} ${catalogueCheck(id).title}`, async ({ task, skip }) => {
      Object.assign(task.meta, allureLabels(id));
      const record = await session.perform(id);
      if (!record) return skip('not executed: the run was interrupted');
      task.meta.conformance = record;
      const { verdict, reason, expected, actual } = record;
      if (verdict === 'blocked' || verdict === 'not-applicable') return skip(`${verdict}: ${reason}`);
      if (verdict === 'error') throw new Error(reason);
      if (verdict === 'fail')
        throw new AssertionError({ message: `${reason}\nexpected: ${expected}\ncame: ${actual}` });
    });
  }
  afterAll(async () => {
    channel.close();
    await session.close();
  });
}

/** Where no command has made one. What reads a target file is loaded only then. */
async function ownPlan(): Promise<Plan> {
  const { planFromEnvironment } = await import('./plan-from-environment.ts');
  return await planFromEnvironment();
}
