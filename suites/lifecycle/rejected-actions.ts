import { onceDisputed } from '../../helpers/adaptation/invoice-variants.ts';
import { dressed } from '../../helpers/adaptation/maximal-request.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn, FIRST_IN_LATE, withPriority } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { IRREVOCABLE } from '../../helpers/context/leftover-reason.ts';
import { actionWorks } from '../../helpers/controls/controls.ts';
import { LARGE_SUM, LEAST_SUM, WHOLE_SUM } from '../../helpers/data/amounts.ts';
import { undressed } from '../../helpers/data/invoice-body.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { freshInvoice, operationsTo, whereReachable } from '../../helpers/invoices/invoices.ts';
import type { JustRead } from '../../helpers/lifecycle/action-after-read.ts';
import { refusedAfterReading } from '../../helpers/lifecycle/action-after-read.ts';
import { expectOneOrder } from '../../helpers/lifecycle/concurrent-actions.ts';
import { refusedTo } from '../../helpers/lifecycle/full-lifecycle.ts';
import { expectNothingFound } from '../../helpers/lifecycle/random-walk-search.ts';
import {
  expectListedUnmoved,
  expectStateRefusal,
  expectStillUnmoved,
  expectUnmoved,
} from '../../helpers/lifecycle/rejected-action.ts';
import { cellsWhere, isRejected, rejectedActionCheck } from '../../helpers/lifecycle/table-checks.ts';
import type { ManyKinds } from '../../helpers/lifecycle/variant-lifecycle.ts';
import { ALL_THE_WAY, UNPAID, wentAllTheWay, wentJustRead } from '../../helpers/lifecycle/variant-lifecycle.ts';
import { expectPaidOnce } from '../../helpers/treasury/settlements/concurrent-settlement.ts';
import { borrowingUnfunded, expectRefusedForFunds } from '../../helpers/treasury/settlements/insufficient-funds.ts';
import { SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';
import { isOnePayment } from '../../helpers/treasury/settlements/single-payment.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

/** As `refusedTo`, in one state after the other: what is approved and settled stays behind, so one invoice goes all the way. */
async function refusedOnTheWay(lab: Lab, way: readonly InvoiceState[], make: (lab: Lab) => Promise<Invoice>) {
  const [made] = await whereReachable(() => make(lab));
  let tried = false;
  for (const state of made ? way : []) {
    if (!(await refusedTo(lab, state, made as Invoice))) break;
    tried = true;
  }
  return tried;
}

interface Refused {
  what: string;
  make: (lab: Lab) => Promise<Invoice>;
  way: readonly InvoiceState[];
  /** Those that are of this kind, too. */
  among: readonly ManyKinds[];
}

function refusedAs(id: CheckId, { what, make, way, among }: Refused, ...more: (readonly InvoiceState[])[]): Check {
  return check(id, ['connection', ...operationsTo('SUBMITTED')], async (lab) => {
    const seen = (await Promise.all(among.map((kinds) => wentAllTheWay(lab, kinds)))).every(Boolean);
    const ways = [...(seen ? [] : [way]), ...more];
    const tried = [seen, ...(await Promise.all(ways.map((each) => refusedOnTheWay(lab, each, make))))];
    if (!tried.includes(true)) notApplicable(`no invoice ${what} can be had`);
  });
}

/** Whether anything was tried, one move after the other. */
async function refusedAfterReadings(lab: Lab, moves: readonly JustRead[]): Promise<boolean> {
  if (IRREVOCABLE.every((each) => moves.some((move) => move === each)) && (await wentJustRead(lab))) return true;
  const moved: (Invoice | null)[] = [];
  for (const move of moves) moved.push(await refusedAfterReading(lab, move, moved.at(-1)));
  return moved.some(Boolean);
}

/** Rival actions at the same moment, 20 of them. */
function race(id: CheckId, state: InvoiceState, rivals: readonly InvoiceAction[]): Check {
  return check(id, ['connection', ...operationsTo(state), ...rivals], (lab) => expectOneOrder(lab, state, rivals));
}

export const rejectedActionsChecks: readonly Check[] = withPriority('low', [
  check('LIFE-02.random-sequence', ['connection', 'buyer', 'submit'], (lab) =>
    expectNothingFound(lab, ['accepted', 'trace']),
  ),

  race('LIFE-02.simultaneous', 'SUBMITTED', ['approve', 'dispute', 'cancel']),

  // What others have left approved by then is settled.
  checkIn('late', 'LIFE-02.simultaneous-settle', ['connection', ...operationsTo('APPROVED'), 'settle'], (lab) =>
    expectOneOrder(lab, 'APPROVED', ['settle']),
  ),

  race('LIFE-02.simultaneous-resolve', 'DISPUTED', ['resolve']),

  race('LIFE-02.simultaneous-draft', 'DRAFT', ['submit', 'delete']),

  ...cellsWhere(isRejected).map(([state, action]) => rejectedActionCheck(state, action)),

  check('LIFE-02.just-read', ['connection', 'read', ...operationsTo('SUBMITTED')], async (lab) => {
    const tried = await Promise.all(
      // What is approved stays behind: it is settled, too.
      [['submit'], ['approve', 'settle'], ['cancel']].map((moves) => refusedAfterReadings(lab, moves as JustRead[])),
    );
    if (!tried.includes(true)) notApplicable('no invoice can be moved on between two looks');
  }),

  checkIn('late', 'LIFE-02.no-delayed-effect', ['connection'], async (lab) => {
    if ((await expectStillUnmoved(lab)) === 0) notApplicable('no action was refused in this run');
    lab.observe('moves-by-itself', 'not seen');
  }),

  checkIn('late', 'LIFE-02.unchanged-in-list', ['connection', 'read'], async (lab) => {
    if ((await expectListedUnmoved(lab)) === 0) notApplicable('no action was refused in this run');
  }),

  refusedAs('LIFE-02.required-only', {
    what: 'with the required fields alone',
    make: (lab) => freshInvoice(lab, { ...undressed(lab), amount: WHOLE_SUM }),
    way: ALL_THE_WAY,
    // The second one is without cents.
    among: ['least', 'most'],
  }),

  refusedAs(
    'LIFE-02.all-fields',
    {
      what: 'with all that may go with it',
      make: async (lab) => freshInvoice(lab, (await dressed(lab)).body),
      way: ALL_THE_WAY,
      among: ['most'],
    },
    ['CANCELLED'],
  ),

  refusedAs('LIFE-02.small', {
    what: `of ${LEAST_SUM}`,
    make: (lab) => freshInvoice(lab, { amount: LEAST_SUM }),
    way: ALL_THE_WAY,
    among: ['least'],
  }),

  // Whether there are funds to pay it is another matter.
  refusedAs('LIFE-02.large', {
    what: `of ${LARGE_SUM}`,
    make: (lab) => freshInvoice(lab, { amount: LARGE_SUM }),
    way: UNPAID,
    among: ['large'],
  }),

  refusedAs('LIFE-02.once-disputed', {
    what: 'that was disputed',
    make: onceDisputed,
    way: ALL_THE_WAY,
    among: ['least'],
  }),

  // Late: it settles an invoice that another check has left APPROVED.
  checkIn(FIRST_IN_LATE, 'LIFE-02.paid-once', SETTLEMENT_NEEDS, async (lab) => {
    if (!(await isOnePayment(lab))) await expectPaidOnce(lab);
  }),

  checkIn(FIRST_IN_LATE, 'LIFE-02.after-insufficient-funds', SETTLEMENT_NEEDS, (lab) =>
    borrowingUnfunded(lab, async (invoice) => {
      const answer = await perform(lab, 'settle', invoice.id);
      if (isSuccess(answer)) notApplicable('it is accepted; TREAS-01 judges that');
      expectRefusedForFunds(answer);
      for (const action of lifecycle.actions) {
        if (!lab.target.operations[action] || lifecycle.offered.APPROVED.includes(action)) continue;
        const worksElsewhere = await actionWorks(lab, action);
        await expectStateRefusal(lab, action, invoice, { conflict: true, worksElsewhere });
      }
      await expectUnmoved(lab, invoice, null, answer);
    }),
  ),
]);
