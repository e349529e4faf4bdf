import { setTimeout as pause } from 'node:timers/promises';
import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import { postInvoice, treasury } from '../../helpers/api/operations.ts';
import type { ApiResponse, JsonObject } from '../../helpers/api/responses.ts';
import { describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkIn, FIRST_IN_LATE, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { termsOf } from '../../helpers/data/accepted-ranges.ts';
import { asAmount } from '../../helpers/data/amounts.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { ownSum } from '../../helpers/data/withdrawal-amounts.ts';
import { beyondFunds, expectNoCause } from '../../helpers/environments/production-side-effects.ts';
import { otherCurrency } from '../../helpers/fixtures/created-invoice.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { invoiceOf, keepTrack, operationsTo, reach, whereReachable } from '../../helpers/invoices/invoices.ts';
import { amountsOf, largeSumWithin, SHOWS_WITHIN_MS } from '../../helpers/treasury/balances/balance.ts';
import { productionFunds } from '../../helpers/treasury/balances/production-balance.ts';
import { lifecycle, wayTo } from '../../specs/lifecycle.ts';

/** What comes later than its answer comes within so many milliseconds, or is no work of a moment. */
const LATE_MS = 1000;

/** Something that moved a sum in the sandbox. */
interface Payment {
  cents: number;
  cause: ApiResponse;
}

/** Production has not moved by any of these sums, nor by several of them together. */
async function expectUntouched(lab: Lab, before: ApiResponse, payments: readonly Payment[]): Promise<void> {
  const after = await productionFunds(lab);
  const then = amountsOf(before);
  for (const some of subsets(payments)) {
    const cents = some.reduce((sum, payment) => sum + payment.cents, 0);
    const moved = [...amountsOf(after)].find(([place, now]) => Math.abs(now - (then.get(place) ?? now)) === cents);
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

const ONWARDS = ['resolve', 'approve'] as const;

const HEADERS = { headers: ownEnvironment };

/** Approved after a dispute, with a requestId and the environment of the key named wherever that may be; null where it is not. */
async function approvedRoundabout(lab: Lab, amount: string): Promise<Invoice | null> {
  const body = { ...validBody(lab), amount, requestId: lab.requestId() };
  const created = await postInvoice(lab, body, HEADERS);
  if (!isSuccess(created)) return null;
  const invoice = await invoiceOf(lab, body, created);
  for (const action of [...(wayTo(invoice.state, 'DISPUTED') ?? []), ...ONWARDS]) {
    if (!lab.target.operations[action] || !isSuccess(await perform(lab, action, invoice.id, HEADERS))) return null;
    const to = lifecycle.leadsTo[action];
    // Where a resolution leads to is not shown.
    const landed = to === undefined ? hasLeft('DISPUTED') : (found: JsonObject | null) => found?.status === to;
    await lookUntil(lab, invoice.id, landed, SHOWS_WITHIN_MS);
  }
  return { ...invoice, state: 'APPROVED' };
}

/** Its settlement, with the environment of the key named; none where it is refused. */
async function settlementOf(lab: Lab, invoice: Invoice | null, cents: number): Promise<Payment[]> {
  if (!invoice) return [];
  const cause = await perform(lab, 'settle', invoice.id, HEADERS);
  if (isSuccess(cause)) keepTrack(lab, { id: invoice.id, state: 'SETTLED' });
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

/** In cents, sums that nothing else of the run moves: a movement is told by them from production's own traffic. */
function ownSums(lab: Lab) {
  const { leastCents } = termsOf(lab.run);
  return {
    plain: leastCents + 63_31,
    around: leastCents + 64_37,
    voided: leastCents + 65_41,
    late: leastCents + 66_43,
    foreign: leastCents + 67_47,
  };
}

async function largeWithdrawalOf(lab: Lab): Promise<Payment[]> {
  if (!lab.target.operations.treasuryWithdraw) return [];
  const large = largeSumWithin(lab, await treasury(lab, 'treasuryBalance'));
  if (large === null) return [];
  const cents = large + ownSum(lab, 'production untouched, large').cents;
  const cause = await treasury(lab, 'treasuryWithdraw', {}, asAmount(cents));
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

async function withdrawalOf(lab: Lab): Promise<Payment[]> {
  if (!lab.target.operations.treasuryWithdraw) return [];
  const { cents, text } = ownSum(lab, 'production untouched, late');
  const cause = await treasury(lab, 'treasuryWithdraw', HEADERS, text);
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

export const realMoneyChecks: readonly Check[] = [
  checkIn(
    FIRST_IN_MAIN,
    'ORG-03.settlement',
    ['connection', 'production', 'treasuryBalance', ...operationsTo('SETTLED')],
    async (lab) => {
      const { plain, around, voided, foreign } = ownSums(lab);
      const currency = await otherCurrency(lab);
      const before = await productionFunds(lab);
      const { created } = await reach(lab, 'SETTLED', { amount: asAmount(plain) });
      const [roundabout, cancelled, abroad] = await Promise.all([
        approvedRoundabout(lab, asAmount(around)).then((invoice) => settlementOf(lab, invoice, around)),
        whereReachable(() => reach(lab, 'CANCELLED', { amount: asAmount(voided) })),
        whereReachable(async () => currency && (await reach(lab, 'SETTLED', { amount: asAmount(foreign), currency }))),
      ]);
      await expectUntouched(lab, before, [
        { cents: plain, cause: created },
        ...roundabout,
        ...cancelled.map((invoice) => ({ cents: voided, cause: invoice.created })),
        ...abroad.flatMap((invoice) => (invoice ? [{ cents: foreign, cause: invoice.created }] : [])),
      ]);
      await expectNoCause(lab, before);
    },
  ),

  checkIn(FIRST_IN_MAIN, 'ORG-03.withdrawal', ['seller', 'production', 'treasuryBalance', 'treasuryWithdraw'], (lab) =>
    // What others withdraw meanwhile would hide what is withdrawn here.
    lab.run.funds.quietFor(lab.asking.id, async () => {
      const before = await productionFunds(lab);
      const requestId = lab.requestId();
      const plain = ownSum(lab, 'production untouched');
      const named = ownSum(lab, 'production untouched, named');
      const replayed = ownSum(lab, 'production untouched, replayed');
      const answer = await treasury(lab, 'treasuryWithdraw', {}, plain.text);
      if (!isSuccess(answer)) notApplicable(`a withdrawal is refused: ${describeResponse(answer)}`);
      const withHeader = await treasury(lab, 'treasuryWithdraw', { headers: ownEnvironment }, named.text);
      await treasury(lab, 'treasuryWithdraw', { requestId }, replayed.text);
      const again = await treasury(lab, 'treasuryWithdraw', { requestId }, replayed.text);
      await expectUntouched(lab, before, [
        { cents: plain.cents, cause: answer },
        { cents: named.cents, cause: withHeader },
        { cents: replayed.cents, cause: again },
      ]);
    }),
  ),

  checkIn(FIRST_IN_LATE, 'ORG-03.delayed', ['connection', 'production', 'treasuryBalance'], async (lab) => {
    const { late } = ownSums(lab);
    await productionFunds(lab);
    const payable = lab.target.operations.settle ? await approvedRoundabout(lab, asAmount(late)) : null;
    // Nothing else is paid meanwhile, which could come late as well.
    await lab.run.funds.quietFor(lab.asking.id, async () => {
      // What was paid before may come late, too, and would hide what is paid now.
      await pause(LATE_MS);
      const before = await productionFunds(lab);
      const payments = [
        ...(await withdrawalOf(lab)),
        ...(await largeWithdrawalOf(lab)),
        ...(await settlementOf(lab, payable, late)),
      ];
      const refused = lab.target.operations.treasuryWithdraw ? await beyondFunds(lab) : null;
      const refusal = await refused?.();
      if (payments.length === 0 && !refusal) notApplicable('neither a withdrawal nor a settlement is accepted');
      await pause(LATE_MS);
      await expectUntouched(lab, before, payments);
      await expectNoCause(lab, before);
    });
  }),
];
