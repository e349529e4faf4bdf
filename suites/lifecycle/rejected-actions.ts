import { createResolvedInvoice } from '../../helpers/adaptation/invoice-variants.ts';
import { maximalRequest } from '../../helpers/adaptation/maximal-request.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase, FIRST_IN_LATE } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { LARGE_AMOUNT, MIN_AMOUNT, WHOLE_AMOUNT } from '../../helpers/data/amounts.ts';
import { requiredFieldsOnly } from '../../helpers/data/invoice-body.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { hasReached } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, type Invoice, ifReachable, needsToReach } from '../../helpers/invoices/invoices.ts';
import { expectSerializable } from '../../helpers/lifecycle/concurrent-actions.ts';
import { expectStateRejection } from '../../helpers/lifecycle/rejected-action.ts';
import { expectUnofferedRejected } from '../../helpers/lifecycle/sequences/full-lifecycle.ts';
import {
  type CombinedVariant,
  completedVariant,
  hasMovedAfterRead,
  STATES_TO_SETTLEMENT,
  UNPAID_STATES,
} from '../../helpers/lifecycle/sequences/variant-lifecycle.ts';
import { expectRejectedAfterReading, type MoveAction } from '../../helpers/lifecycle/stale-state-actions.ts';
import { filterTableCells, isRejectedInState, rejectedActionCheck } from '../../helpers/lifecycle/transition-checks.ts';
import {
  expectInvoiceUnchanged,
  expectListedUnchanged,
  expectNoLateChange,
} from '../../helpers/lifecycle/unchanged-invoices.ts';
import { expectNoFinding } from '../../helpers/lifecycle/walks/random-walk-search.ts';
import {
  borrowUncoveredInvoice,
  skipUnlessRejectedForFunds,
} from '../../helpers/treasury/insufficient-funds/uncovered-invoice.ts';
import { expectPaidOnce } from '../../helpers/treasury/settlements/concurrent-settlement.ts';
import { SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';
import { isSinglePayment } from '../../helpers/treasury/settlements/single-payment.ts';
import {
  type InvoiceAction,
  type InvoiceState,
  IRREVERSIBLE_ACTIONS,
  lifecycle,
} from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Like `expectUnofferedRejected` for several states. One invoice takes the whole path, because it remains as a leftover. */
async function expectRejectedAlongPath(
  ctx: CheckContext,
  actionPath: readonly InvoiceState[],
  make: (ctx: CheckContext) => Promise<Invoice>,
) {
  const [made] = await ifReachable(() => make(ctx));
  let tried = false;
  for (const state of made ? actionPath : []) {
    if (await expectUnofferedRejected(ctx, state, made as Invoice)) tried = true;
    else if (!hasReached(made?.state, state)) break;
  }
  return tried;
}

interface RejectedVariant {
  label: string;
  create: (ctx: CheckContext) => Promise<Invoice>;
  path: readonly InvoiceState[];
  /** Combined variants that include this one. */
  variants: readonly CombinedVariant[];
}

function rejectedVariantCheck(
  id: CheckId,
  { label, create, path, variants: among }: RejectedVariant,
  ...more: (readonly InvoiceState[])[]
): Check {
  return check(id, ['connection', ...needsToReach('SUBMITTED')], async (ctx) => {
    const seen = (await Promise.all(among.map((kinds) => completedVariant(ctx, kinds)))).every(Boolean);
    const ways = [...(seen ? [] : [path]), ...more];
    const tried = [seen, ...(await Promise.all(ways.map((each) => expectRejectedAlongPath(ctx, each, create))))];
    if (!tried.includes(true))
      notApplicable(`no invoice ${label} passes through the states in which the kit tries rejected actions`);
  });
}

/** Takes the transitions one after the other. Returns whether any action was tried. */
async function expectRejectedAfterReadings(ctx: CheckContext, moves: readonly MoveAction[]): Promise<boolean> {
  if (IRREVERSIBLE_ACTIONS.every((each) => moves.some((move) => move === each)) && (await hasMovedAfterRead(ctx)))
    return true;
  const moved: (Invoice | null)[] = [];
  for (const move of moves) moved.push(await expectRejectedAfterReading(ctx, move, moved.at(-1)));
  return moved.some(Boolean);
}

/** Sends conflicting actions concurrently. */
function concurrentActionsCheck(id: CheckId, state: InvoiceState, rivals: readonly InvoiceAction[]): Check {
  return check(id, ['connection', ...needsToReach(state), ...rivals], (ctx) => expectSerializable(ctx, state, rivals));
}

export const rejectedActionsChecks: readonly Check[] = [
  check('LIFE-02.random-sequence', ['connection', 'buyer', 'submission'], (ctx) =>
    expectNoFinding(ctx, ['accepted', 'unanswered', 'trace']),
  ),

  concurrentActionsCheck('LIFE-02.simultaneous', 'SUBMITTED', ['approve', 'dispute', 'cancel']),

  // Late: it settles invoices that other checks have left APPROVED.
  checkInPhase('late', 'LIFE-02.simultaneous-settle', ['connection', ...needsToReach('APPROVED'), 'settle'], (ctx) =>
    expectSerializable(ctx, 'APPROVED', ['settle']),
  ),

  concurrentActionsCheck('LIFE-02.simultaneous-resolve', 'DISPUTED', ['resolve']),

  concurrentActionsCheck('LIFE-02.simultaneous-draft', 'DRAFT', ['submit', 'delete']),

  ...filterTableCells(isRejectedInState).map(([state, action]) => rejectedActionCheck(state, action)),

  check('LIFE-02.just-read', ['connection', 'read', ...needsToReach('SUBMITTED')], async (ctx) => {
    const tried = await Promise.all(
      // An approved invoice is also settled, because it remains as a leftover.
      [['submit'], ['approve', 'settle'], ['cancel']].map((moves) =>
        expectRejectedAfterReadings(ctx, moves as MoveAction[]),
      ),
    );
    if (!tried.includes(true)) notApplicable('no invoice can be changed between two reads');
  }),

  checkInPhase('late', 'LIFE-02.no-delayed-effect', ['connection'], async (ctx) => {
    if ((await expectNoLateChange(ctx)) === 0) notApplicable('no action was rejected in this run');
    ctx.observe('spontaneous-change', 'not seen');
  }),

  checkInPhase('late', 'LIFE-02.unchanged-in-list', ['connection', 'read'], async (ctx) => {
    if ((await expectListedUnchanged(ctx)) === 0) notApplicable('no action was rejected in this run');
  }),

  rejectedVariantCheck('LIFE-02.required-only', {
    label: 'with only the required fields',
    create: (ctx) => createInvoice(ctx, { ...requiredFieldsOnly(ctx), amount: WHOLE_AMOUNT }),
    path: STATES_TO_SETTLEMENT,
    // The variant 'most' has a whole amount.
    variants: ['least', 'most'],
  }),

  rejectedVariantCheck(
    'LIFE-02.all-fields',
    {
      label: 'with all optional fields and headers',
      create: async (ctx) => createInvoice(ctx, (await maximalRequest(ctx)).body),
      path: STATES_TO_SETTLEMENT,
      variants: ['most'],
    },
    ['CANCELLED'],
  ),

  rejectedVariantCheck('LIFE-02.small', {
    label: `of ${MIN_AMOUNT}`,
    create: (ctx) => createInvoice(ctx, { amount: MIN_AMOUNT }),
    path: STATES_TO_SETTLEMENT,
    variants: ['least'],
  }),

  // The path has only unpaid states, because the funds may not cover a settlement.
  rejectedVariantCheck('LIFE-02.large', {
    label: `of ${LARGE_AMOUNT}`,
    create: (ctx) => createInvoice(ctx, { amount: LARGE_AMOUNT }),
    path: UNPAID_STATES,
    variants: ['large'],
  }),

  rejectedVariantCheck('LIFE-02.once-disputed', {
    label: 'that was disputed',
    create: createResolvedInvoice,
    path: STATES_TO_SETTLEMENT,
    variants: ['least'],
  }),

  // Late: it settles an invoice that another check has left APPROVED.
  checkInPhase(FIRST_IN_LATE, 'LIFE-02.paid-once', SETTLEMENT_NEEDS, async (ctx) => {
    if (!(await isSinglePayment(ctx))) await expectPaidOnce(ctx);
  }),

  checkInPhase(FIRST_IN_LATE, 'LIFE-02.after-insufficient-funds', SETTLEMENT_NEEDS, (ctx) =>
    borrowUncoveredInvoice(ctx, async (invoice) => {
      const response = await performAction(ctx, 'settle', invoice.id);
      if (isSuccess(response))
        notApplicable('the server accepts a settlement beyond the funds', { judgedBy: 'TREAS-01.settlement' });
      skipUnlessRejectedForFunds(response);
      for (const action of lifecycle.actions) {
        if (!ctx.target.operations[action] || lifecycle.offered.APPROVED.includes(action)) continue;
        const worksElsewhere = await runActionControl(ctx, action);
        await expectStateRejection(ctx, action, invoice, { conflict: true, worksElsewhere });
      }
      await expectInvoiceUnchanged(ctx, invoice, null, response);
    }),
  ),
];
