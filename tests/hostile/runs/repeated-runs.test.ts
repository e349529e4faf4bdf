import { expect, type TestContext, test, vi } from 'vitest';
import type { Variation } from '../../../reference/overrides/server-overrides.ts';
import { startReference } from '../../../reference/service/start.ts';
import { allVariations } from '../../../reference/variations/all.ts';
import type { Report } from '../../../specs/formats/report.ts';
import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { leaveOfEarlierRuns } from '../support/earlier-runs.ts';
import { judged, LONGEST_MS } from '../support/judged-run.ts';

const NIGHTS = [1, 22];

vi.setConfig({ testTimeout: NIGHTS.length * LONGEST_MS });

function verdictsOf(report: Report | null | undefined): string[] {
  return report?.checks.map(({ id, verdict, reason }) => `${id} ${verdict} ${verdict === 'pass' ? '' : reason}`) ?? [];
}

/** Byte for byte as in report.json. */
function observationsOf(report: Report | null | undefined): string {
  return JSON.stringify(report?.observations, null, 2);
}

/** Several runs, one after the other, in one sandbox that is never reset. */
async function nights(
  { onTestFinished }: TestContext,
  earlier: number,
  variation?: Variation,
): Promise<(Report | null)[]> {
  const { target: adapt = (target: BoundTargetInput) => target, ...options } = variation ?? {};
  const service = await startReference(options);
  onTestFinished(() => service.close());
  leaveOfEarlierRuns(service.reference, earlier);
  const target = adapt({ ...service.target, allow: { reset: false } });
  const reports: (Report | null)[] = [];
  for (const seed of NIGHTS) {
    reports.push((await judged(target, { only: ['*'], seed })).report);
    // The clean-up of a run may take effect later. In a real night it has ended long before the next run.
    await service.reference.service.background.waitUntilIdle();
  }
  return reports;
}

test.concurrent.for([0, 3000])(
  'two runs in one sandbox with %i invoices of earlier runs end with the same result',
  async (earlier, context) => {
    const [first, ...others] = await nights(context, earlier);
    expect(first?.verdict).toBe('conformant');
    expect(first?.checks.find(({ id }) => id === 'LIST-15.due-date')?.verdict).toBe('pass');
    for (const report of others) {
      expect(verdictsOf(report)).toEqual(verdictsOf(first));
      expect(report?.summary.checks).toEqual(first?.summary.checks);
      expect(observationsOf(report)).toBe(observationsOf(first));
    }
  },
);

test.concurrent.for(['actions-delayed', 'settlement-later'])(
  'two runs observe the same behaviour of a server with %s',
  async (id, context) => {
    const variation = allVariations.find((each) => each.id === id);
    expect(variation).toBeDefined();
    const [first, ...others] = await nights(context, 0, variation);
    for (const report of others) expect(observationsOf(report)).toBe(observationsOf(first));
  },
);
