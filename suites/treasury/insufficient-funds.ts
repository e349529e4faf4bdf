import { setTimeout as pause } from 'node:timers/promises';
import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import { isOwnRule } from '../../helpers/api/error-codes.ts';
import { treasurer, treasury } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, describeResponse, invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkIn, FIRST_IN_LATE } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { asAmount, centsOf } from '../../helpers/data/amounts.ts';
import { ownSum } from '../../helpers/data/withdrawal-amounts.ts';
import type { Party } from '../../helpers/invoices/acting-party.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { reach, whereReachable } from '../../helpers/invoices/invoices.ts';
import { expectUnmoved } from '../../helpers/lifecycle/rejected-action.ts';
import { expectListedAsRead } from '../../helpers/lists/listed-as-read.ts';
import { amountsOf, placeLoweredBy, SHOWS_WITHIN_MS } from '../../helpers/treasury/balances/balance.ts';
import { paysOnCredit } from '../../helpers/treasury/balances/credit-line.ts';
import type { Funds } from '../../helpers/treasury/balances/party-balances.ts';
import { partyFunds } from '../../helpers/treasury/balances/party-balances.ts';
import {
  buyersBalance,
  expectRefusedForFunds,
  lendingUnfunded,
  MOST_CENTS,
  unfundedInvoice,
} from '../../helpers/treasury/settlements/insufficient-funds.ts';
import { SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';

const BEYOND_ANY_FUNDS = '9999999999999.99';

const MOST_PLACES = 6;

interface BeyondFunds {
  amount: string;
  before: ApiResponse | null;
  answer: ApiResponse;
  after: ApiResponse | null;
}

/** The run's first withdrawal that no treasury can cover, with a look at the balance before and after it. */
async function beyondFunds(lab: Lab): Promise<BeyondFunds> {
  return await lab.run.once('withdrawal beyond the funds', () =>
    lab.run.funds.quietFor(lab.asking.id, () => withdrawBeyond(lab)),
  );
}

async function withdrawBeyond(lab: Lab): Promise<BeyondFunds> {
  const balance = async () => (lab.target.operations.treasuryBalance ? await treasury(lab, 'treasuryBalance') : null);
  const before = await balance();
  let amount = BEYOND_ANY_FUNDS;
  let answer = await treasury(lab, 'treasuryWithdraw', { beyondFunds: true }, amount);
  // Of how many digits a sum may be is not shown: the largest that is read, as long as it is beyond the funds.
  const most = before ? Math.max(0, ...amountsOf(before).values()) : 0;
  while (answer.status === 400 && most > 0 && Number(amount.slice(1)) * 100 > most) {
    amount = amount.slice(1);
    answer = await treasury(lab, 'treasuryWithdraw', { beyondFunds: true }, amount);
  }
  return { amount, before, answer, after: await balance() };
}

/** Whether there is a bound to what is paid. */
async function isBeyondFunds(lab: Lab): Promise<boolean> {
  if (!lab.target.operations.treasuryWithdraw) return false;
  const { answer } = await beyondFunds(lab);
  return answer.status === 412 && bodyMember(answer, 'code') === 'TREAS007';
}

const TIMES = 3;

/** Whether the balance falls with every withdrawal beyond the funds, and not without one: what falls late for other reasons falls then, too. */
async function fallsForIt(lab: Lab): Promise<boolean> {
  return await lab.run.funds.quietFor(lab.asking.id, async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const started = performance.now();
      const { before, after } = await withdrawBeyond(lab);
      const took = performance.now() - started;
      if (!before || !after || fallenIn(before, after).length === 0) return false;
      await pause(took);
      const later = await treasury(lab, 'treasuryBalance');
      if (fallenIn(after, later).length > 0) return false;
    }
    return true;
  });
}

/** The numbers of a balance that are lower than before, by their places. */
function fallenIn(before: ApiResponse, after: ApiResponse): [place: string, now: number][] {
  const then = amountsOf(before);
  return [...amountsOf(after)].filter(([place, now]) => now < (then.get(place) ?? now));
}

/** The places of a balance that an accepted withdrawal lowers by its sum; all of them where none is accepted. */
async function paidPlaces(lab: Lab): Promise<{ has: (place: string) => boolean }> {
  return await lab.run.funds.quietFor(lab.asking.id, async () => {
    const { cents, text } = ownSum(lab, 'places of funds');
    const then = amountsOf(await treasury(lab, 'treasuryBalance'));
    if (!isSuccess(await treasury(lab, 'treasuryWithdraw', {}, text))) return { has: () => true };
    const lowered = await placeLoweredBy(lab, then, cents, SHOWS_WITHIN_MS);
    if (!lowered) return { has: () => true };
    const now = [...amountsOf(lowered.answer)];
    return new Set(now.filter(([place, left]) => (then.get(place) ?? left) - left === cents).map(([place]) => place));
  });
}

/** More than a count of attempts, in cents. */
const SOME_FUNDS = 10_000;

/** Whether this number of a balance is the largest: none other than the funds themselves. */
function isMost(then: ReadonlyMap<string, number>, place: string): boolean {
  const cents = then.get(place) ?? 0;
  return cents >= SOME_FUNDS && cents === Math.max(...then.values());
}

/**
 * More was paid than the balance can cover: a breach where it went down for it. Throws NotApplicable where a line of credit is seen:
 * what is overdrawn can be overdrawn further, and all the same not without end. No credit covers what has been `refused` for want of funds.
 */
async function expectNoOverdraft(
  lab: Lab,
  before: ApiResponse | null,
  withdrawal: ApiResponse,
  amount: string,
  { party, refused }: { party?: Party; refused?: ApiResponse } = {},
): Promise<void> {
  if (!before) return notApplicable('the withdrawal was accepted, and the balance is not bound');
  const then = amountsOf(before);
  const as = lab.who(party ?? treasurer(lab, 'treasuryBalance'));
  const after = await treasury(lab, 'treasuryBalance', { as });
  const fallen = [...amountsOf(after)].some(([place, now]) => now < (then.get(place) ?? now) && now < 0);
  const covered = [...then.values()].some((cents) => cents >= centsOf(amount));
  const emptied = [...amountsOf(after)].find(([place, now]) => now === 0 && isMost(then, place));
  if (emptied && !covered) {
    const because = `accepted, and ${emptied[0]} is 0 now: what there was is paid`;
    throw breach(lab, withdrawal, '412 with code TREAS007', because, [before, after]);
  }
  if (!fallen || covered) return notApplicable('the sandbox only simulates withdrawals, or has the funds');
  const withdrawn = async () =>
    (await isBeyondFunds(lab)) && isSuccess(await treasury(lab, 'treasuryWithdraw', { as }, asAmount(ONE)));
  const paid = async () => party === 'buyer' && (await paysOnCredit(lab, Math.max(...then.values())));
  if (!refused && ((await withdrawn()) || (await paid())))
    return notApplicable('there is a line of credit: what is overdrawn is overdrawn further, up to some bound');
  throw breach(
    lab,
    withdrawal,
    '412 with code TREAS007',
    `accepted, and the balance is overdrawn: ${describeResponse(after)}`,
    [...(refused ? [refused] : []), after],
  );
}

/**
 * More was to be paid than there is, and it was accepted in the words of a payment that is made at once: then it is made, or should
 * have been refused. What is queued is told otherwise; what waits for somebody's consent does so for a sum that is covered, too.
 */
async function expectMade(lab: Lab, unfunded: ApiResponse, invoice: Invoice, before: ApiResponse): Promise<void> {
  const { held, answer } = await lookUntil(lab, invoice.id, hasLeft(invoice.state));
  if (held) return;
  const [covered] = await whereReachable(() => reach(lab, 'APPROVED', { amount: payableOf(before) }));
  const control = covered && (await perform(lab, 'settle', covered.id));
  if (!control || control.status !== unfunded.status || invoiceIn(control)?.status !== 'SETTLED') return;
  const because = `accepted, and the invoice stays ${invoice.state}`;
  throw breach(lab, unfunded, '412 with code TREAS007', because, [answer, control]);
}

/** Below zero to whoever keeps cents in 32 bits. */
const WRAPPING_CENTS = 3_000_000_000;

/** The settlement of so much more than there is that it may seem to be less than nothing; null where no such invoice can be had. */
async function settleWrapping(lab: Lab, most: number): Promise<{ answer: ApiResponse; amount: string } | null> {
  let cents = WRAPPING_CENTS;
  while (cents <= most) cents += 2 ** 32;
  const amount = asAmount(cents);
  const [invoice] = await whereReachable(() => reach(lab, 'APPROVED', { amount }));
  return invoice ? { answer: await perform(lab, 'settle', invoice.id), amount } : null;
}

/** Neither party's funds have moved by the sum of a settlement that was refused, once or twice, nor are they gone. */
async function expectNobodyPaid(lab: Lab, before: Funds, cents: number, refusal: ApiResponse): Promise<void> {
  const now = await partyFunds(lab);
  for (const party of ['seller', 'buyer'] as const) {
    const own = new Map([...before].filter(([place]) => place.startsWith(party)));
    const moved = [...own].find(([place, then]) => {
      const left = now.get(place) ?? then;
      const by = Math.abs(left - then);
      return isMost(own, place) && (by === cents || by === 2 * cents || left === 0);
    });
    if (!moved) continue;
    const [place, then] = moved;
    const because = `refused, and ${place} went from ${asAmount(then)} to ${asAmount(now.get(place) ?? then)}`;
    throw breach(lab, refusal, 'a refusal that moves no money', because);
  }
}

/**
 * The code of what is refused for want of funds. Throws NotApplicable where a payment that is covered gets the same refusal: there
 * may be rules about payments that are asked for before the funds.
 */
async function expectFundsCode(
  lab: Lab,
  refusal: ApiResponse,
  covered: () => Promise<ApiResponse | null>,
): Promise<void> {
  const code = bodyMember(refusal, 'code');
  if (code === 'TREAS007') return;
  const control = isOwnRule(refusal) ? await covered() : null;
  if (control?.status === refusal.status && bodyMember(control, 'code') === code)
    notApplicable(`a payment that is covered is refused in the same way: ${describeResponse(control)}`);
  throw breach(lab, refusal, '412 with code TREAS007', `the code is ${JSON.stringify(code)}`, control ? [control] : []);
}

/**
 * A payment that the funds do not cover is answered with 500, and again, where one that is covered is accepted: what is wrong is
 * the answer to missing funds.
 */
async function expectNoCrash(
  lab: Lab,
  answer: ApiResponse,
  again: () => Promise<ApiResponse>,
  covered: () => Promise<ApiResponse | null>,
): Promise<void> {
  if (answer.status !== 500) return;
  const second = await again();
  const control = second.status === 500 ? await covered() : null;
  if (!control || !isSuccess(control)) return;
  const because = 'answered with 500, twice, where a payment that is covered is accepted';
  throw breach(lab, answer, '412 with code TREAS007', because, [second, control]);
}

/** A withdrawal of nearly all there is, by the largest number that the balance shows; null where it shows none. */
async function withdrawCovered(lab: Lab): Promise<ApiResponse | null> {
  if (!lab.target.operations.treasuryBalance) return await treasury(lab, 'treasuryWithdraw', {}, LITTLE);
  // What others withdraw meanwhile would leave too little.
  return await lab.run.funds.quietFor(lab.asking.id, async () => {
    const most = Math.max(0, ...amountsOf(await treasury(lab, 'treasuryBalance')).values());
    return most > ONE && most < MOST_CENTS ? await treasury(lab, 'treasuryWithdraw', {}, asAmount(most - ONE)) : null;
  });
}

/** Nearly all that a balance shows. */
function payableOf(balance: ApiResponse): string {
  return asAmount(Math.max(0, ...amountsOf(balance).values()) - ONE);
}

const LITTLE = '0.11';

/** One of whatever it counts, read as cents. */
const ONE = 100;

/** The settlement of a cent more than there is, and of what may seem to be less than nothing. */
async function judgeUnfunded(lab: Lab, invoice: Invoice): Promise<void> {
  const { amount } = invoice.body;
  const most = centsOf(amount) - 1;
  const before = await buyersBalance(lab);
  const funds = await partyFunds(lab);
  const answer = await perform(lab, 'settle', invoice.id);
  if (isSuccess(answer)) {
    await expectMade(lab, answer, invoice, before);
    return await expectNoOverdraft(lab, before, answer, amount, { party: 'buyer' });
  }
  const settled = async (sum: string) => {
    const [other] = await whereReachable(() => reach(lab, 'APPROVED', { amount: sum }));
    return other ? await perform(lab, 'settle', other.id) : null;
  };
  await expectNoCrash(
    lab,
    answer,
    () => perform(lab, 'settle', invoice.id),
    () => settled(ownSum(lab, 'covered').text),
  );
  expectRefusedForFunds(answer);
  await expectFundsCode(lab, answer, () => settled(payableOf(before)));
  await expectUnmoved(lab, invoice, null, answer);
  await expectListedAsRead(lab, invoice.id, answer);
  // Asked again there are no more funds.
  const again = await perform(lab, 'settle', invoice.id, { headers: ownEnvironment });
  if (isSuccess(again)) return await expectNoOverdraft(lab, before, again, amount, { party: 'buyer', refused: answer });
  await expectUnmoved(lab, invoice, null, again);
  await expectNobodyPaid(lab, funds, most + 1, answer);
  const wrapped = await settleWrapping(lab, most);
  if (wrapped && isSuccess(wrapped.answer))
    await expectNoOverdraft(lab, before, wrapped.answer, wrapped.amount, { party: 'buyer', refused: answer });
}

export const insufficientFundsChecks: readonly Check[] = [
  checkIn(FIRST_IN_LATE, 'TREAS-01.beyond-funds', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { amount, before, answer } = await beyondFunds(lab);
    lab.observe('treasury-withdraw-answer', answer.status);
    if (isSuccess(answer)) return await expectNoOverdraft(lab, before, answer, amount);
    if (answer.status !== 412)
      notApplicable(
        `a withdrawal of ${amount} is refused with ${answer.status}, for another reason than missing funds`,
      );
    await expectFundsCode(lab, answer, () => withdrawCovered(lab));
    // Asked again there are no more funds, nor where the answer is stored for replays.
    await lab.run.funds.quietFor(lab.asking.id, async () => {
      for (const extra of [{}, { requestId: lab.requestId().padEnd(60, '-'), headers: ownEnvironment }]) {
        const again = await treasury(lab, 'treasuryWithdraw', { ...extra, beyondFunds: true }, amount);
        if (isSuccess(again)) await expectNoOverdraft(lab, before, again, amount, { refused: answer });
        else if (again.status === 412) await expectFundsCode(lab, again, () => withdrawCovered(lab));
      }
    });
  }),

  checkIn(FIRST_IN_LATE, 'TREAS-01.unchanged', ['seller', 'treasuryWithdraw', 'treasuryBalance'], async (lab) => {
    const { before, answer, after } = await beyondFunds(lab);
    if (!before || !after) return notApplicable('the balance cannot be had');
    if (answer.status !== 412) notApplicable(`a withdrawal beyond the funds is answered with ${answer.status}`);
    const then = amountsOf(before);
    const fallen = fallenIn(before, after);
    if (fallen.length === 0) return;
    // Others may be paying at the same moment, but hardly down to nothing, and hardly whenever it is asked for.
    if (fallen.every(([, now]) => now !== 0) && !(await fallsForIt(lab))) return;
    // A balance may tell of more than funds: of attempts that are left, or of the time until something.
    const paid = await paidPlaces(lab);
    const [place, now] = fallen.find(([each]) => paid.has(each)) ?? [];
    if (place === undefined || now === undefined)
      return notApplicable('what fell is no number that a withdrawal lowers by its sum');
    const because = `${place} has fallen from ${(then.get(place) ?? 0) / 100} to ${now / 100}`;
    throw breach(lab, after, 'the balance as before the refused withdrawal', because, [before, answer]);
  }),

  checkIn(FIRST_IN_LATE, 'TREAS-01.one-cent-more', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    lab.run.funds.quietFor(lab.asking.id, async () => {
      const before = await treasury(lab, 'treasuryBalance');
      const sums = [...new Set(amountsOf(before).values())].filter((cents) => cents > 0).slice(0, MOST_PLACES);
      if (sums.length === 0) notApplicable('the balance shows no funds');
      // The largest number of the balance is no less than what is available.
      const most = Math.max(...sums);
      // The second is more by a digit, and less to whoever compares them as text.
      for (const cents of [most + 1, 10 ** String(most).length]) {
        const amount = asAmount(cents);
        const answer = await treasury(lab, 'treasuryWithdraw', { beyondFunds: true }, amount);
        const more = () => treasury(lab, 'treasuryWithdraw', { beyondFunds: true }, amount);
        await expectNoCrash(lab, answer, more, () => treasury(lab, 'treasuryWithdraw', {}, LITTLE));
        if (isSuccess(answer)) await expectNoOverdraft(lab, before, answer, amount);
        else if (answer.status === 412) await expectFundsCode(lab, answer, () => withdrawCovered(lab));
      }
    }),
  ),

  // Before the others that settle in vain: it looks at the funds as they are before anybody has tried.
  checkIn(FIRST_IN_LATE, 'TREAS-01.settlement', SETTLEMENT_NEEDS, (lab) =>
    lendingUnfunded(lab, () =>
      // Its sum is a cent more than the funds only as long as no other check moves them.
      lab.run.funds.quietFor(lab.asking.id, async () => {
        const invoice = await unfundedInvoice(lab);
        await judgeUnfunded(lab, invoice);
        return invoice;
      }),
    ),
  ),
];
