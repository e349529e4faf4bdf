import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { environmentHeader } from '../api/environment-header.ts';
import { rejectedCredentials } from '../api/invalid-credentials.ts';
import { listInvoices, postReset, readInvoice } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { is2xx, isGatewayResponse, isSuccess } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import { statusIsNot } from '../assert/expectations.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { createInvoiceInState, ifReachable, mayReach } from '../invoices/invoices.ts';
import { mayReadProductionBalance, readProductionBalance } from '../treasury/balances/production-balance.ts';
import { listProduction } from './production.ts';

const PRODUCTION_PAGE = { page: 0, limit: 100 };

const RESET_DEFECTS = ['credentials', 'permission', 'environment', 'mismatch'] as const;
/**
 * The defect of a reset that must be rejected. `permission` requires a read-only key in the target file, `mismatch` requires
 * allow.productionWrites.
 */
type ResetDefect = (typeof RESET_DEFECTS)[number];

/** The check that judges each defect. */
const JUDGED_BY = {
  credentials: 'AUTH-07.reset',
  permission: 'PERM-01.reset',
  environment: 'ENV-01.reset',
  mismatch: 'ENV-02.reset',
} as const satisfies Record<ResetDefect, CheckId>;

interface InvalidResets {
  answers: Record<ResetDefect, ApiResponse[]>;
  /** A list request with the seller's key afterwards. */
  after: ApiResponse;
  /** The defect whose reset ended the keys; null while they are valid. */
  endedBy: ResetDefect | null;
}

/** Sends a reset without a body, and with an empty object if the server rejects that: the contract shows no payload. */
export async function requestReset(ctx: CheckContext, extra: RequestOptions = {}): Promise<ApiResponse> {
  const bare = await postReset(ctx, extra);
  const forItsBody = [400, 415].includes(bare.status) && !isGatewayResponse(bare);
  return forItsBody ? await postReset(ctx, extra, {}) : bare;
}

/** Sends invalid resets before the one reset of the run, while the sandbox keys are still valid. */
const sendInvalidResets = sharedResult(async (ctx): Promise<InvalidResets> => {
  const rejected = await rejectedCredentials(ctx);
  const reader = ctx.target.actors.readOnly ? [ctx.credentials('readOnly')] : [];
  const elsewhere = ctx.target.allow.productionWrites ? [{ headers: environmentHeader('PRODUCTION') }] : [];
  const [credentials, permission, environmental, mismatch] = await Promise.all([
    Promise.all(rejected.map((as) => requestReset(ctx, { as }))),
    Promise.all(reader.map((as) => requestReset(ctx, { as }))),
    requestReset(ctx, { headers: environmentHeader('STAGING') }),
    Promise.all(elsewhere.map((extra) => requestReset(ctx, extra))),
  ]);
  const responses = { credentials, permission, environment: [environmental], mismatch };
  const after = await listInvoices(ctx, { page: 0, limit: 1 });
  const taken = RESET_DEFECTS.find((kind) => responses[kind].some(isSuccess)) ?? 'credentials';
  return { answers: responses, after, endedBy: after.status === 401 ? taken : null };
});

/**
 * The responses to one kind of invalid reset, and a list request afterwards. Throws Blocked when another kind has ended the
 * keys.
 */
export async function sendInvalidReset(
  ctx: CheckContext,
  kind: ResetDefect,
): Promise<{ answers: ApiResponse[]; after: ApiResponse }> {
  const { answers: responses, after, endedBy } = await sendInvalidResets(ctx);
  if (endedBy !== null && endedBy !== kind) blockForRevokedKeys(endedBy);
  ctx.addEvidence([...responses[kind], after]);
  return { answers: responses[kind], after };
}

/** Throws a Breach if a rejected reset has ended the seller's key. */
export function expectKeyStillValid(ctx: CheckContext, after: ApiResponse): void {
  expectThat(
    ctx,
    after.status !== 401,
    after,
    "the seller's key still accepted after a rejected reset",
    'the server rejects the key',
    statusIsNot(401),
  );
}

function blockForRevokedKeys(by: ResetDefect): never {
  throw new Blocked(JUDGED_BY[by], 'an invalid reset has already ended the keys');
}

export interface SandboxReset {
  response: ApiResponse;
  /** The production list before the reset; null if production is not deployed or has no key in the target file. */
  production: ApiResponse | null;
  /** The production balance before the reset; null if it is not available. */
  funds: ApiResponse | null;
  /** Ids of invoices that the buyer could read before the reset, one in each state where possible. */
  shared: string[];
  /** An invoice that the seller read just before the reset; null if there is none, or read is not bound. */
  read: string | null;
}

/**
 * The one reset of the run, which ends the seller's sandbox keys. Throws Blocked when an invalid reset has already
 * ended them.
 */
export async function resetSandboxOnce(ctx: CheckContext): Promise<SandboxReset> {
  const reset = await onlyReset(ctx);
  // Every check that judges the reset needs its exchange as evidence.
  ctx.addEvidence([reset.response]);
  return reset;
}

const onlyReset = sharedResult(async (ctx): Promise<SandboxReset> => {
  const [bad, production, shared, funds] = await Promise.all([
    sendInvalidResets(ctx),
    readProductionPage(ctx),
    listBuyerReadableInvoices(ctx),
    readBalanceBeforeReset(ctx),
  ]);
  if (bad.endedBy !== null) blockForRevokedKeys(bad.endedBy);
  const read = await readOwnInvoice(ctx);
  const response = await requestReset(ctx);
  ctx.observe('reset-response', `${response.status}${response.text === '' ? ' without body' : ''}`);
  const invoices = isSuccess(response)
    ? ctx.run.leftovers.entries().filter(([, { what }]) => what.startsWith('invoice'))
    : [];
  for (const [id] of invoices) ctx.run.leftovers.recordDeleted(id);
  return { production, funds, response, shared, read };
});

/** Reads an invoice of the run just before the reset, so that a cache may still hold the response. */
async function readOwnInvoice(ctx: CheckContext): Promise<string | null> {
  const [left] = ctx.run.leftovers.entries().filter(([, { what }]) => what.startsWith('invoice'));
  if (!left || !ctx.target.operations.read) return null;
  await readInvoice(ctx, left[0], { as: ctx.credentials('seller') });
  return left[0];
}

async function readBalanceBeforeReset(ctx: CheckContext): Promise<ApiResponse | null> {
  if (!ctx.target.actors.production || !mayReadProductionBalance(ctx)) return null;
  const [funds] = await ifReachable(() => readProductionBalance(ctx));
  return funds ?? null;
}

async function listBuyerReadableInvoices(ctx: CheckContext): Promise<string[]> {
  const { actors, operations } = ctx.target;
  if (!actors.buyer || !operations.read || !mayReach(ctx, 'SUBMITTED') || !ctx.run.plan.organizations.buyer) return [];
  const made = await Promise.all(lifecycle.states.map((state) => ifReachable(() => createInvoiceInState(ctx, state))));
  const seen = await Promise.all(
    made.flat().map(async ({ id }) => {
      return is2xx(await readInvoice(ctx, id, { as: ctx.credentials('buyer') })) ? [id] : [];
    }),
  );
  return seen.flat();
}

/** The first production page; null if there is nothing to compare. */
export async function readProductionPage(ctx: CheckContext): Promise<ApiResponse | null> {
  if (!ctx.target.actors.production) return null;
  try {
    return await listProduction(ctx, PRODUCTION_PAGE);
  } catch (error) {
    if (error instanceof NotApplicable) return null;
    throw error;
  }
}
