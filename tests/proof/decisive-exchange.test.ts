import { expect, test, vi } from 'vitest';
import { allFaults } from '../../reference/faults/all.ts';
import { startReference } from '../../reference/service/start.ts';
import { judged } from '../hostile/support/judged-run.ts';
import { contradictionsOf } from './report-contradictions.ts';

// Several at once, because each of them often waits.
vi.setConfig({ maxConcurrency: 4, testTimeout: 180_000 });

/** Faults of every area and every form of failure. */
const FAULTS = [
  'auth-body-shows-cause',
  'auth-any-stored-secret',
  'auth-cancel-ignores-secret',
  'key-secret-echoed',
  'env-mismatch-ignored-on-creations',
  'rec-id-number',
  'rec-created-at-is-updated-at',
  'rec-number-shared-by-instances',
  'list-total-as-text',
  'list-pages-plus-one',
  'list-page-negative-crashes',
  'list-sort-id-desc',
  'create-string-422',
  'create-accepts-04-negative',
  'created-due-date-31st-moved',
  'conn-unknown-buyer',
  'life-approved-submit-allowed',
  'life-cancelled-approve-rejected-but-done',
  'life-submitted-twice',
  'idem-replay-restores-draft',
  'idem-withdrawal-new-id',
  'iso-cancelled-foreign',
  'perm-settle-open',
  'err-content-type-text',
  'err-stack-trace',
  'hook-first-kind-only',
  'treas-disputed-settlement-charged',
  'rate-no-header',
  'reset-keeps-keys',
];
/** These faults cause several breaches of an exchange rule. */
const ALONGSIDE = ['AUTH-01', 'CREATE-01', 'LIST-02', 'REC'];

test.concurrent.each(FAULTS)('reason, actual and reproduction describe one exchange: %s', async (id) => {
  const { target: adapt, ...fault } = allFaults.find((each) => each.id === id) ?? expect.fail(`no fault ${id}`);
  const server = await startReference(fault);
  try {
    const described = { ...server.target, limits: { ...server.target.limits, settleWithinMs: 1_500 } };
    const only = [...fault.caughtBy, ...(fault.alsoRun ?? []), ...ALONGSIDE];
    const { report, said } = await judged(adapt ? adapt(described) : described, { only });
    if (report === null) expect.fail(said);
    expect(report.summary.checks.fail + report.summary.checks.warn).toBeGreaterThan(0);
    expect(contradictionsOf(report)).toEqual([]);
  } finally {
    await server.close();
  }
});
