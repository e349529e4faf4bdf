import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import { environmentHeader } from '../api/environment-header.ts';
import { isGatewayResponse } from '../api/error-codes.ts';
import { rejectedCredentials } from '../api/invalid-credentials.ts';
import { listInvoices, postReset, type RequestOptions, readInvoice } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { createInvoiceInState, ifReachable } from '../invoices/invoices.ts';
import { mayReadProductionBalance, readProductionBalance } from '../treasury/balances/production-balance.ts';
import { listProduction } from './production.ts';

const PRODUCTION_PAGE = { page: 0, limit: 100 };

const RESET_DEFECTS = ['credentials', 'permission', 'environment', 'mismatch'] as const;
/**
 * What is wrong with a reset that is to be refused. Nobody asks without permission where the target file has no read-only key, nor
 * with X-Environment PRODUCTION where it does not allow writes to production.
 */
type ResetDefect = (typeof RESET_DEFECTS)[number];

/** The check that each kind is judged by. */
const JUDGED_BY = {
  credentials: 'AUTH-07.reset',
  permission: 'PERM-01.reset',
  environment: 'ENV-01.reset',
  mismatch: 'ENV-02.reset',
} as const satisfies Record<ResetDefect, CheckId>;

interface InvalidResets {
  answers: Record<ResetDefect, ApiResponse[]>;
  /** What the seller's key gets afterwards. */
  after: ApiResponse;
  /** The kind by which the keys have ended; null where they live. */
  endedBy: ResetDefect | null;
}

/** No payload is shown: a server may insist on an empty one. */
export async function requestReset(ctx: CheckContext, extra: RequestOptions = {}): Promise<ApiResponse> {
  const bare = await postReset(ctx, extra);
  const forItsBody = [400, 415].includes(bare.status) && !isGatewayResponse(bare);
  return forItsBody ? await postReset(ctx, extra, {}) : bare;
}

/** Resets that are to be refused, tried while the sandbox keys still live: before the one reset of the run. */
async function sendInvalidResets(ctx: CheckContext): Promise<InvalidResets> {
  return await ctx.run.memoize('bad resets', async () => {
    const refused = await rejectedCredentials(ctx);
    const reader = ctx.target.actors.readOnly ? [ctx.credentials('readOnly')] : [];
    const elsewhere = ctx.target.allow.productionWrites ? [{ headers: environmentHeader('PRODUCTION') }] : [];
    const [credentials, permission, environmental, mismatch] = await Promise.all([
      Promise.all(refused.map((as) => requestReset(ctx, { as }))),
      Promise.all(reader.map((as) => requestReset(ctx, { as }))),
      requestReset(ctx, { headers: environmentHeader('STAGING') }),
      Promise.all(elsewhere.map((extra) => requestReset(ctx, extra))),
    ]);
    const responses = { credentials, permission, environment: [environmental], mismatch };
    const after = await listInvoices(ctx, { page: 0, limit: 1 });
    const taken = RESET_DEFECTS.find((kind) => responses[kind].some(isSuccess)) ?? 'credentials';
    return { answers: responses, after, endedBy: after.status === 401 ? taken : null };
  });
}

/** One kind of them, and what the seller's key gets afterwards. Throws Blocked when another kind has ended the keys. */
export async function sendInvalidReset(
  ctx: CheckContext,
  kind: ResetDefect,
): Promise<{ answers: ApiResponse[]; after: ApiResponse }> {
  const { answers: responses, after, endedBy } = await sendInvalidResets(ctx);
  if (endedBy !== null && endedBy !== kind) blockForRevokedKeys(endedBy);
  ctx.addEvidence([...responses[kind], after]);
  return { answers: responses[kind], after };
}

/** Throws a Breach where a reset that was refused has ended the seller's key all the same. */
export function expectKeyStillValid(ctx: CheckContext, after: ApiResponse): void {
  expectThat(
    ctx,
    after.status !== 401,
    after,
    "the seller's key still accepted after a refused reset",
    'it is refused',
  );
}

function blockForRevokedKeys(by: ResetDefect): never {
  throw new Blocked(JUDGED_BY[by], 'a reset that was to be refused has ended the keys already');
}

export interface SandboxReset {
  answer: ApiResponse;
  /** The production list before it; null where production is not deployed or has no key in the target file. */
  production: ApiResponse | null;
  /** The production balance before it; null where it cannot be had. */
  funds: ApiResponse | null;
  /** Ids of invoices, one of each state where possible, that the buyer could read before it. */
  shared: string[];
  /** One that the seller had just read before it; null where there is none, or reading is not bound. */
  read: string | null;
}

/** The one reset of the run. It ends the seller's sandbox keys. Throws Blocked when one that was to be refused has ended them before. */
export async function resetSandboxOnce(ctx: CheckContext): Promise<SandboxReset> {
  const reset = await ctx.run.memoize('reset', async () => {
    const [bad, production, shared, funds] = await Promise.all([
      sendInvalidResets(ctx),
      readProductionPage(ctx),
      listBuyerReadableInvoices(ctx),
      readBalanceBeforeReset(ctx),
    ]);
    if (bad.endedBy !== null) blockForRevokedKeys(bad.endedBy);
    const read = await readOwnInvoice(ctx);
    const response = await requestReset(ctx);
    ctx.observe('reset-answer', `${response.status}${response.text === '' ? ' without body' : ''}`);
    const invoices = isSuccess(response)
      ? ctx.run.leftovers().filter(([, { what }]) => what.startsWith('invoice'))
      : [];
    for (const [id] of invoices) ctx.run.recordDeleted(id);
    return { production, funds, answer: response, shared, read };
  });
  // Whether it was asked for twice concerns all who judge what came of it.
  ctx.addEvidence([reset.answer]);
  return reset;
}

/** An invoice of the run that the seller has read a moment ago: what was kept of its answer is still there. */
async function readOwnInvoice(ctx: CheckContext): Promise<string | null> {
  const [left] = ctx.run.leftovers().filter(([, { what }]) => what.startsWith('invoice'));
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
  if (!actors.buyer || !operations.read || !operations.submit || !ctx.run.plan.organizations.buyer) return [];
  const made = await Promise.all(lifecycle.states.map((state) => ifReachable(() => createInvoiceInState(ctx, state))));
  const seen = await Promise.all(
    made.flat().map(async ({ id }) => {
      return is2xx(await readInvoice(ctx, id, { as: ctx.credentials('buyer') })) ? [id] : [];
    }),
  );
  return seen.flat();
}

/** The production list, or null where there is none to compare. */
export async function readProductionPage(ctx: CheckContext): Promise<ApiResponse | null> {
  if (!ctx.target.actors.production) return null;
  try {
    return await listProduction(ctx, PRODUCTION_PAGE);
  } catch (error) {
    if (error instanceof NotApplicable) return null;
    throw error;
  }
}
