import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { CheckRunner } from '../../engine/run/check-runner.ts';
import { prepareRun } from '../../engine/run/prepare-run.ts';
import { createCheckSuite } from '../../helpers/check-suite.ts';
import { startReference } from '../../reference/service/start.ts';
import type { Leftovers } from '../../specs/catalogue/profile-costs.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import type { JournalRecord } from '../../specs/formats/journal.ts';
import { parseTarget, type TargetInput } from '../../specs/target-file/target.ts';
import { allChecks } from '../../suites/all.ts';
import { allRules } from '../../suites/every-exchange/all-rules.ts';

export interface ProfileMeasurement {
  requests: number;
  leftovers: Leftovers;
  durationMs: number;
}

export interface MeasurementOptions {
  /** Only seller and buyer, without other actors and counterparties. */
  partiesOnly?: boolean;
  limits?: TargetInput['limits'];
}

/** Judges the reference service and counts requests and leftovers. */
export async function measureProfile(
  profile: string,
  { partiesOnly = false, limits = {} }: MeasurementOptions = {},
): Promise<ProfileMeasurement> {
  const service = await startReference();
  const folder = mkdtempSync(join(tmpdir(), 'conformance-measure-'));
  const startedAt = performance.now();
  try {
    const { actors, counterparties } = service.target;
    const { seller, buyer } = actors;
    const target = parseTarget({
      ...service.target,
      actors: partiesOnly ? { seller, buyer } : actors,
      counterparties: partiesOnly ? {} : counterparties,
      limits: { ...service.target.limits, ...limits },
      allow: {},
    });
    const checks = checksOfProfile(profile);
    const settings = { profile, filtered: [], seed: 1, strict: false, folder, signal: new AbortController().signal };
    const { plan } = await prepareRun({ target, checks, definitions: allChecks, ...settings });
    const session = new CheckRunner(plan, createCheckSuite(allChecks, allRules));
    session.start();
    await Promise.all(session.ids.map((id) => session.runCheck(id)));
    await session.close();
    const lines = readFileSync(join(folder, JOURNAL_FILE), 'utf8').trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as JournalRecord);
    const requests = records.filter(({ kind }) => kind === 'exchange').length;
    return { requests, leftovers: countLeftovers(records), durationMs: performance.now() - startedAt };
  } finally {
    rmSync(folder, { recursive: true });
    await service.close();
  }
}

function countLeftovers(records: readonly JournalRecord[]): Leftovers {
  const left = records.filter((record) => record.kind === 'leftover');
  const withdrawals = left.filter(({ what }) => what.includes('withdrawal'));
  const cents = withdrawals.reduce((sum, { id }) => sum + Math.round(Number.parseFloat(id) * 100), 0);
  return {
    invoices: left.filter(({ what }) => what.includes('invoice')).length,
    withdrawals: withdrawals.length,
    withdrawn: (cents / 100).toFixed(2),
    subscriptions: left.filter(({ what }) => what.includes('subscription')).length,
  };
}
