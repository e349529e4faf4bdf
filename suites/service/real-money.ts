import { setTimeout as pause } from 'node:timers/promises';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { postInvoice, sendTreasuryRequest } from '../../helpers/api/operations.ts';
import type { ApiResponse, JsonObject } from '../../helpers/api/responses.ts';
import { describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkInPhase, FIRST_IN_LATE, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { acceptedRangesOf } from '../../helpers/data/accepted-ranges.ts';
import { formatAmount } from '../../helpers/data/amounts.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import {
  expectProductionUnaffected,
  prepareExcessiveWithdrawal,
} from '../../helpers/environments/production-side-effects.ts';
import { otherCurrency } from '../../helpers/fixtures/created-invoice.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import {
  actionsLeadingTo,
  createInvoiceInState,
  ifReachable,
  recordInvoiceState,
  resolveCreatedInvoice,
} from '../../helpers/invoices/invoices.ts';
import { affordableLargeCents, centsByPlace, MAX_BALANCE_LAG_MS } from '../../helpers/treasury/balances/balance.ts';
import { readProductionBalance } from '../../helpers/treasury/balances/production-balance.ts';
import { findActionPath, lifecycle } from '../../specs/lifecycle.ts';

/** What comes later than its answer comes within so many milliseconds, or is no work of a moment. */
const LATE_EFFECT_MS = 1000;

/** Something that moved a sum in the sandbox. */
interface Payment {
  cents: number;
  cause: ApiResponse;
}

/** Production has not moved by any of these sums, nor by several of them together. */
async function expectProductionFundsUnchanged(
  lab: CheckContext,
  before: ApiResponse,
  payments: readonly Payment[],
): Promise<void> {
  const after = await readProductionBalance(lab);
  const then = centsByPlace(before);
  for (const some of subsets(payments)) {
    const cents = some.reduce((sum, payment) => sum + payment.cents, 0);
    const moved = [...centsByPlace(after)].find(([place, now]) => Math.abs(now - (then.get(place) ?? now)) === cents);
    if (!moved) continue;
    const because = `${moved[0]} of the production balance has moved by ${cents / 100}`;
    const causes = some.map(({ cause }) => cause);
    throw breach(lab, after, 'the production balance as before', because, [before, ...causes]);
  }
}

/** Those that hold something, the small ones first. */
function subsets<T>(all: readonly T[]): T[][] {
  const found: T[][] = [[]];
  for (const each of all) found.push(...found.map((few) => [...few, each]));
  return found.filter(({ length }) => length > 0).sort((one, other) => one.length - other.length);
}

const ACTIONS_AFTER_DISPUTE = ['resolve', 'approve'] as const;

const OWN_ENVIRONMENT_EXTRA = { headers: sandboxHeader };

/** Approved after a dispute, with a createRequestId and the environment of the key named wherever that may be; null where it is not. */
async function createApprovedAfterDispute(lab: CheckContext, amount: string): Promise<Invoice | null> {
  const body = { ...validBody(lab), amount, requestId: lab.createRequestId() };
  const created = await postInvoice(lab, body, OWN_ENVIRONMENT_EXTRA);
  if (!isSuccess(created)) return null;
  const invoice = await resolveCreatedInvoice(lab, body, created);
  for (const action of [...(findActionPath(invoice.state, 'DISPUTED') ?? []), ...ACTIONS_AFTER_DISPUTE]) {
    if (
      !lab.target.operations[action] ||
      !isSuccess(await performAction(lab, action, invoice.id, OWN_ENVIRONMENT_EXTRA))
    )
      return null;
    const to = lifecycle.leadsTo[action];
    // Where a resolution leads to is not shown.
    const landed = to === undefined ? hasLeftState('DISPUTED') : (found: JsonObject | null) => found?.status === to;
    await waitForInvoice(lab, invoice.id, landed, MAX_BALANCE_LAG_MS);
  }
  return { ...invoice, state: 'APPROVED' };
}

/** Its settlement, with the environment of the key named; none where it is refused. */
async function makeSettlement(lab: CheckContext, invoice: Invoice | null, cents: number): Promise<Payment[]> {
  if (!invoice) return [];
  const cause = await performAction(lab, 'settle', invoice.id, OWN_ENVIRONMENT_EXTRA);
  if (isSuccess(cause)) recordInvoiceState(lab, { id: invoice.id, state: 'SETTLED' });
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

/** In cents, sums that nothing else of the run moves: a movement is told by them from production's own traffic. */
function distinctAmountsCents(lab: CheckContext) {
  const { leastCents } = acceptedRangesOf(lab.run);
  return {
    plain: leastCents + 63_31,
    around: leastCents + 64_37,
    voided: leastCents + 65_41,
    late: leastCents + 66_43,
    foreign: leastCents + 67_47,
  };
}

async function makeLargeWithdrawal(lab: CheckContext): Promise<Payment[]> {
  if (!lab.target.operations.treasuryWithdraw) return [];
  const large = affordableLargeCents(lab, await sendTreasuryRequest(lab, 'treasuryBalance'));
  if (large === null) return [];
  const cents = large + withdrawalAmountFor(lab, 'production untouched, large').cents;
  const cause = await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, formatAmount(cents));
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

async function makeSmallWithdrawal(lab: CheckContext): Promise<Payment[]> {
  if (!lab.target.operations.treasuryWithdraw) return [];
  const { cents, text } = withdrawalAmountFor(lab, 'production untouched, late');
  const cause = await sendTreasuryRequest(lab, 'treasuryWithdraw', OWN_ENVIRONMENT_EXTRA, text);
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

export const realMoneyChecks: readonly Check[] = [
  checkInPhase(
    FIRST_IN_MAIN,
    'ORG-03.settlement',
    ['connection', 'production', 'treasuryBalance', ...actionsLeadingTo('SETTLED')],
    async (lab) => {
      const { plain, around, voided, foreign } = distinctAmountsCents(lab);
      const currency = await otherCurrency(lab);
      const before = await readProductionBalance(lab);
      const { created } = await createInvoiceInState(lab, 'SETTLED', { amount: formatAmount(plain) });
      const [roundabout, cancelled, abroad] = await Promise.all([
        createApprovedAfterDispute(lab, formatAmount(around)).then((invoice) => makeSettlement(lab, invoice, around)),
        ifReachable(() => createInvoiceInState(lab, 'CANCELLED', { amount: formatAmount(voided) })),
        ifReachable(
          async () =>
            currency && (await createInvoiceInState(lab, 'SETTLED', { amount: formatAmount(foreign), currency })),
        ),
      ]);
      await expectProductionFundsUnchanged(lab, before, [
        { cents: plain, cause: created },
        ...roundabout,
        ...cancelled.map((invoice) => ({ cents: voided, cause: invoice.created })),
        ...abroad.flatMap((invoice) => (invoice ? [{ cents: foreign, cause: invoice.created }] : [])),
      ]);
      await expectProductionUnaffected(lab, before);
    },
  ),

  checkInPhase(
    FIRST_IN_MAIN,
    'ORG-03.withdrawal',
    ['seller', 'production', 'treasuryBalance', 'treasuryWithdraw'],
    (lab) =>
      // What others withdraw meanwhile would hide what is withdrawn here.
      lab.run.balanceLock.exclusive(lab.execution.id, async () => {
        const before = await readProductionBalance(lab);
        const requestId = lab.createRequestId();
        const plain = withdrawalAmountFor(lab, 'production untouched');
        const named = withdrawalAmountFor(lab, 'production untouched, named');
        const replayed = withdrawalAmountFor(lab, 'production untouched, replayed');
        const answer = await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, plain.text);
        if (!isSuccess(answer)) notApplicable(`a withdrawal is refused: ${describeResponse(answer)}`);
        const withHeader = await sendTreasuryRequest(lab, 'treasuryWithdraw', { headers: sandboxHeader }, named.text);
        await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, replayed.text);
        const again = await sendTreasuryRequest(lab, 'treasuryWithdraw', { requestId }, replayed.text);
        await expectProductionFundsUnchanged(lab, before, [
          { cents: plain.cents, cause: answer },
          { cents: named.cents, cause: withHeader },
          { cents: replayed.cents, cause: again },
        ]);
      }),
  ),

  checkInPhase(FIRST_IN_LATE, 'ORG-03.delayed', ['connection', 'production', 'treasuryBalance'], async (lab) => {
    const { late } = distinctAmountsCents(lab);
    await readProductionBalance(lab);
    const payable = lab.target.operations.settle ? await createApprovedAfterDispute(lab, formatAmount(late)) : null;
    // Nothing else is paid meanwhile, which could come late as well.
    await lab.run.balanceLock.exclusive(lab.execution.id, async () => {
      // What was paid before may come late, too, and would hide what is paid now.
      await pause(LATE_EFFECT_MS);
      const before = await readProductionBalance(lab);
      const payments = [
        ...(await makeSmallWithdrawal(lab)),
        ...(await makeLargeWithdrawal(lab)),
        ...(await makeSettlement(lab, payable, late)),
      ];
      const refused = lab.target.operations.treasuryWithdraw ? await prepareExcessiveWithdrawal(lab) : null;
      const refusal = await refused?.();
      if (payments.length === 0 && !refusal) notApplicable('neither a withdrawal nor a settlement is accepted');
      await pause(LATE_EFFECT_MS);
      await expectProductionFundsUnchanged(lab, before, payments);
      await expectProductionUnaffected(lab, before);
    });
  }),
];
