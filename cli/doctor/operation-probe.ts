import { rmSync } from 'node:fs';
import { describeBinding } from '../../engine/diagnosis/operation-binding.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { isUnjudged } from '../../engine/model/outcomes.ts';
import { newCheckExecution } from '../../engine/run/check-definition.ts';
import { prepareRun } from '../../engine/run/prepare-run.ts';
import { RunContext } from '../../engine/run/run-context.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { verifyBindings } from '../../helpers/binding-verification.ts';
import { bindingTrials } from '../../helpers/bindings/wrong-binding.ts';
import { cleanUpRun } from '../../helpers/cleanup/cleanup.ts';
import { CheckContext } from '../../helpers/context/check.ts';
import { createInvoice } from '../../helpers/invoices/invoices.ts';
import { calibrateRanges } from '../../helpers/invoices/range-calibration.ts';
import {
  announcementTimeoutMs,
  subscribe,
  waitForDeliveries,
  webhookReceiver,
} from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { OPERATION_NAMES, type Target } from '../../specs/target-file/target.ts';
import { allChecks } from '../../suites/all.ts';
import { createTemporaryFolder } from '../processes/temporary-folder.ts';
import type { OperationDiagnosis } from './diagnosis.ts';
import { probeSubscriptions } from './subscription-probe.ts';

export interface OperationProbeResult {
  operations: OperationDiagnosis[];
  /** Items that could not be removed, each with the reason. */
  leftovers: string[];
}

const DELIVERY_PATH = '/doctor';

/**
 * Calls every bound operation once, as a run would verify it, with a subscription and its delivery; then cleans up.
 * Rejects with a ConfigurationError if the preflight finds an error in the target file.
 */
export async function probeOperations(
  target: Target,
  checks: readonly CheckId[],
  stop: AbortSignal,
): Promise<OperationProbeResult> {
  const folder = createTemporaryFolder('doctor');
  try {
    const settings = { profile: 'full', filtered: [], seed: 1, strict: false };
    const { plan } = await prepareRun({ target, checks, definitions: allChecks, folder, signal: stop, ...settings });
    const run = new RunContext(plan);
    const end = () => run.stop('the diagnosis was interrupted');
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
    try {
      return await runProbe(run);
    } catch (error) {
      // A stopped probe has created invoices, too. The original error matters more than an error of the clean-up.
      await cleanUpRun(run).catch(() => {});
      throw error;
    } finally {
      await run.close(null);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runProbe(run: RunContext): Promise<OperationProbeResult> {
  const ctx = new CheckContext(run, newCheckExecution(null));
  const created = await responseOrReason(async () => {
    await calibrateRanges(ctx);
    return (await createInvoice(ctx)).created;
  });
  const inbox = await webhookReceiver(ctx);
  const subscribed = await responseOrReason(() => subscribe(ctx, { url: inbox.urlFor(DELIVERY_PATH) }));
  await verifyBindings(
    run,
    OPERATION_NAMES.filter((name) => run.plan.target.operations[name]),
  );
  const trials = await bindingTrials(run);
  const settled = (trials.get('settle')?.status ?? 500) < 300;
  const announced = settled && isAccepted(subscribed);
  const withinMs = announcementTimeoutMs(ctx);
  const arrived = announced ? await responseOrReason(() => waitForDeliveries(inbox, DELIVERY_PATH, withinMs)) : null;
  const subscriptions = await probeSubscriptions(ctx);
  await cleanUpRun(run);
  return {
    operations: [
      contractRow('create', 'POST /api/v1/invoices', created),
      ...OPERATION_NAMES.map((name): OperationDiagnosis => {
        const template = run.plan.target.operations[name];
        const subscription = subscriptions.get(name);
        const { as = null, status = null } = trials.get(name) ?? subscription ?? {};
        const request = template ? describeBinding(template) : null;
        const declared = template ? 'bound' : run.plan.target.notOffered.includes(name) ? 'not-offered' : 'not bound';
        const problem =
          run.disabledReasons.get(name) ?? (subscription ? subscription.problem : rejectionProblem(status));
        return { operation: name, request, declared, as, status, problem };
      }),
      contractRow('webhookCreate', 'POST /api/v1/settings/webhooks', subscribed),
      deliveryRow(arrived, { url: inbox.urlFor(DELIVERY_PATH), withinMs }),
    ],
    leftovers: run.leftovers
      .entries()
      .flatMap(([id, { what, reason }]) => (reason === null ? [] : [`${what} ${id}: ${reason}`])),
  };
}

/** A response, or the reason why there is none. */
async function responseOrReason<T>(ask: () => Promise<T>): Promise<T | string> {
  try {
    return await ask();
  } catch (error) {
    if (isUnjudged(error)) return error.message;
    throw error;
  }
}

/** The problem if the server rejects an operation in a state that allows it; null otherwise. */
function rejectionProblem(status: number | null): string | null {
  return status === null || status < 400
    ? null
    : `was rejected with ${status}, although the contract allows it in this state`;
}

function isAccepted(came: ApiResponse | string): boolean {
  return typeof came !== 'string' && isSuccess(came);
}

function contractRow(
  operation: 'create' | 'webhookCreate',
  request: string,
  came: ApiResponse | string,
): OperationDiagnosis {
  const row = { operation, request, declared: 'in the contract' as const, as: 'seller' };
  if (typeof came === 'string') return { ...row, status: null, problem: came };
  return { ...row, status: came.status, problem: isSuccess(came) ? null : describeResponse(came) };
}

function deliveryRow(
  arrived: readonly unknown[] | string | null,
  { url, withinMs }: { url: string; withinMs: number },
): OperationDiagnosis {
  const row = {
    operation: 'delivery' as const,
    request: `POST ${url}`,
    declared: 'in the contract' as const,
    status: null,
  };
  if (arrived === null) return { ...row, as: null, problem: null };
  const problem =
    typeof arrived === 'string'
      ? arrived
      : arrived.length > 0
        ? null
        : `no delivery for the settlement arrived within ${withinMs} ms`;
  return { ...row, as: 'the server', problem };
}
