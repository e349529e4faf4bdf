import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Call } from '../../service/call.ts';
import { type Action, transitions } from '../../service/lifecycle.ts';
import { toCents } from '../../service/money.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Invoice, InvoiceStatus, ServiceResponse } from '../../service/store.ts';

const CAP_CENTS = 100_000n;
const LOCKED_MS = 300;

const ACTIONS = Object.keys(transitions) as Action[];

const answering = (response: (record: Record<string, unknown>, action: Action) => ServiceResponse) =>
  overrideRules(() => ({
    renderChanged: ({ rules }, invoice, action) => response(rules.renderInvoice(invoice), action),
  }));

/**
 * Queues accepted actions and drops those that the state no longer offers when their turn comes. Only the first
 * accepted settlement books a payment.
 */
export const delayEffects = (milliseconds: number, only?: Action) =>
  overrideRules((base) => {
    const paid = new Set<string>();
    return {
      settle: (call, invoice) => {
        if (paid.has(invoice.id)) return;
        base.settle(call, invoice);
        paid.add(invoice.id);
      },
      applyEffect: (call, action, effect) =>
        only === undefined || action === only
          ? call.background.schedule(milliseconds, effect)
          : base.applyEffect(call, action, effect),
      changeInvoice: (call, invoice, next, input) => {
        const action = ACTIONS.find((each) => each === call.route.name);
        if (!action || invoice.status === transitions[action].from) base.changeInvoice(call, invoice, next, input);
      },
    };
  });

/** Whether the rejection depends on the caller, and not on the state or the invoice. */
function isWrongParty(refusal: unknown): boolean {
  return refusal instanceof RejectionError && refusal.code === rejections.wrongParty().code;
}

/** The wrong party is rejected with another status and another code. */
export const rejectWrongParty = (status: number, code: string) =>
  overrideRules((base) => ({
    checkParty: (call, invoice, action) => {
      try {
        base.checkParty(call, invoice, action);
      } catch (refusal) {
        if (!isWrongParty(refusal)) throw refusal;
        throw new RejectionError(status, code, 'This action belongs to the other party');
      }
    },
  }));

/** The server chooses the state to which an action leads. */
const leading = (action: Action, to: 'CANCELLED' | 'APPROVED' | 'DISPUTED') =>
  overrideRules((base) => ({
    transition: (call, invoice, asked) => {
      const next = base.transition(call, invoice, asked);
      return asked === action ? to : next;
    },
  }));

const refusing = (refusal: (action: Action, status: string) => RejectionError) =>
  overrideRules((base) => ({
    transition: (call, invoice, action) => {
      try {
        return base.transition(call, invoice, action);
      } catch {
        throw refusal(action, invoice.status);
      }
    },
  }));

const neverApproved = (action: Action, status: string) => action === 'settle' && status !== 'SETTLED';

function withActor(action: Action, actor: 'seller' | 'buyer' | undefined) {
  return (target: BoundTargetInput): BoundTargetInput => {
    const bound = target.operations?.[action];
    if (!bound) return target;
    const { actor: _, ...rest } = bound;
    return { ...target, operations: { ...target.operations, [action]: actor ? { ...rest, actor } : rest } };
  };
}

const byBuyer = (base: Parameters<NonNullable<Variation['rules']>>[0]) => ({
  ...base,
  checkParty: ((call, invoice, action) => {
    if (action !== 'cancel') return base.checkParty(call, invoice, action);
    if (call.organizationId !== invoice.buyerOrganizationId) throw rejections.wrongParty();
  }) satisfies typeof base.checkParty,
});

/** An invoice leaves a state after a while without a request. */
const movingOn = (from: InvoiceStatus, to: InvoiceStatus, milliseconds: number) =>
  overrideRules((base) => {
    const moveLater = ({ background }: Call, invoice: Invoice): void => {
      if (invoice.status !== from) return;
      background.schedule(milliseconds, () => {
        if (invoice.status === from) invoice.status = to;
      });
    };
    return {
      issueInvoice: (call, input, invoiceNumber) => {
        const invoice = base.issueInvoice(call, input, invoiceNumber);
        moveLater(call, invoice);
        return invoice;
      },
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        moveLater(call, invoice);
      },
    };
  });

/** An invoice is locked for a moment after its creation and after each change. The lock is checked before or after its state. */
const lockingChanged = (order: 'before the state' | 'after the state') =>
  overrideRules((base) => {
    const changed = new Map<string, number>();
    const rejectIfLocked = ({ id }: Invoice): void => {
      const ago = performance.now() - (changed.get(id) ?? Number.NEGATIVE_INFINITY);
      if (ago < LOCKED_MS) throw new RejectionError(409, 'LOCK001', 'The invoice is being processed');
    };
    return {
      transition: (call, invoice, action) => {
        if (order === 'before the state') rejectIfLocked(invoice);
        const next = base.transition(call, invoice, action);
        rejectIfLocked(invoice);
        return next;
      },
      issueInvoice: (call, input, invoiceNumber) => {
        const invoice = base.issueInvoice(call, input, invoiceNumber);
        changed.set(invoice.id, performance.now());
        return invoice;
      },
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        changed.set(invoice.id, performance.now());
      },
    };
  });

export const actionVariations: readonly Variation[] = [
  {
    id: 'payments-capped',
    openPoint: 'OP-112',
    choice: 'a payment of more than 1000.00 gets 412 with a code of its own before the funds are checked',
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        if (toCents(invoice.amount) > CAP_CENTS)
          throw new RejectionError(412, 'PAY009', 'Payments of this size are made by phone');
        base.settle(call, invoice);
      },
    })),
  },
  {
    id: 'changes-lock',
    openPoint: 'OP-112',
    choice: 'an invoice that was just changed is locked: 409 with a code of its own',
    rules: lockingChanged('after the state'),
  },
  {
    id: 'changes-lock-first',
    openPoint: 'OP-112',
    choice: 'an invoice that was just changed is locked, and the lock is checked before the state',
    rules: lockingChanged('before the state'),
  },
  {
    id: 'disputed-once',
    openPoint: 'OP-112',
    choice: 'an invoice may be disputed once, and the second dispute gets 412 with a code of its own',
    rules: overrideRules((base) => {
      const disputed = new Set<string>();
      return {
        transition: (call, invoice, action) => {
          const next = base.transition(call, invoice, action);
          if (action === 'dispute' && disputed.has(invoice.id)) {
            throw new RejectionError(412, 'DISP003', 'The invoice has been disputed before');
          }
          return next;
        },
        changeInvoice: (call, invoice, next, input) => {
          base.changeInvoice(call, invoice, next, input);
          if (next === 'DISPUTED') disputed.add(invoice.id);
        },
      };
    }),
  },
  {
    id: 'newest-draft-deleted-only',
    openPoint: 'OP-112',
    choice: 'only the newest invoice of a seller may be deleted, and others get 412 with a code of its own',
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        const next = base.transition(call, invoice, action);
        const isOfSeller = (each: Invoice) => each.sellerOrganizationId === invoice.sellerOrganizationId;
        const newest = [...call.world.invoices.values()].findLast(isOfSeller);
        if (next === 'DELETED' && newest !== invoice)
          throw new RejectionError(412, 'NUM004', 'Only the newest draft may be deleted, because numbers have no gaps');
        return next;
      },
    })),
  },
  {
    id: 'approved-paid-automatically',
    openPoint: 'OP-61',
    choice: 'an approved invoice is paid by direct debit soon',
    rules: movingOn('APPROVED', 'SETTLED', 700),
  },
  {
    id: 'disputed-cancelled-automatically',
    openPoint: 'OP-61',
    choice: 'an unresolved dispute is cancelled',
    rules: movingOn('DISPUTED', 'CANCELLED', 60),
  },
  {
    id: 'submitted-approved-automatically',
    openPoint: 'OP-61',
    choice: 'small amounts are approved by a rule of the buyer',
    rules: movingOn('SUBMITTED', 'APPROVED', 250),
  },
  {
    id: 'draft-expires',
    openPoint: 'OP-61',
    choice: 'a draft that is not submitted is cancelled',
    rules: movingOn('DRAFT', 'CANCELLED', 400),
  },
  {
    id: 'actions-204',
    openPoint: 'OP-49',
    choice: '204',
    rules: answering(() => ({ status: 204 })),
  },
  {
    id: 'actions-303',
    openPoint: 'OP-49',
    choice: '303 to the invoice',
    rules: answering(({ id }) => ({ status: 303, headers: { location: `/api/v1/invoices/${String(id)}` } })),
  },
  {
    id: 'actions-202-ticket',
    openPoint: 'OP-49',
    choice: '202 with a ticket',
    rules: answering(({ id }) => ({ status: 202, body: { accepted: true, ticket: `t-${String(id)}` } })),
  },
  {
    id: 'actions-id-and-status',
    openPoint: 'OP-49',
    choice: '200 with id and status',
    rules: answering(({ id, status }) => ({ status: 200, body: { id, status } })),
  },
  {
    id: 'actions-in-data',
    openPoint: 'OP-49',
    choice: '200 with the invoice in data',
    rules: answering((data) => ({ status: 200, body: { data } })),
  },
  {
    id: 'actions-asynchronous',
    openPoint: 'OP-51',
    choice: 'after 60 ms',
    rules: delayEffects(60),
  },
  {
    id: 'actions-delayed',
    openPoint: 'OP-51',
    choice: 'after a third of a second',
    rules: delayEffects(330),
  },
  {
    id: 'settlement-later',
    openPoint: 'OP-52',
    choice: 'after the response',
    rules: delayEffects(400, 'settle'),
  },
  {
    id: 'delete-cancels',
    openPoint: 'OP-53',
    choice: 'it is CANCELLED',
    rules: leading('delete', 'CANCELLED'),
  },
  {
    id: 'delete-200',
    openPoint: 'OP-50',
    choice: '200 with the deleted invoice',
    rules: answering((invoice) => ({ status: 200, body: invoice })),
  },
  {
    id: 'resolve-approves',
    openPoint: 'OP-54',
    choice: 'APPROVED',
    rules: leading('resolve', 'APPROVED'),
  },
  {
    id: 'resolve-keeps-disputed',
    openPoint: 'OP-54',
    choice: 'DISPUTED until both agree',
    rules: leading('resolve', 'DISPUTED'),
  },
  {
    id: 'rejections-412',
    openPoint: 'OP-55',
    choice: 'none, 412 for all',
    rules: refusing(() => rejections.actionNotAllowed()),
  },
  {
    id: 'rejections-409',
    openPoint: 'OP-55',
    choice: 'all except settling an invoice that was not approved',
    rules: refusing((action, status) =>
      neverApproved(action, status) ? rejections.actionNotAllowed() : rejections.actionConflict(),
    ),
  },
  {
    id: 'rejections-409-inv004',
    openPoint: 'OP-56',
    choice: 'INV004',
    rules: refusing((action, status) =>
      neverApproved(action, status)
        ? rejections.actionNotAllowed()
        : new RejectionError(409, 'INV004', 'The action conflicts with the status of the invoice'),
    ),
  },
  {
    id: 'either-party-acts',
    openPoint: 'OP-57',
    choice: 'either party',
    rules: overrideRules(() => ({ checkParty: () => undefined })),
  },
  {
    id: 'buyer-cancels',
    openPoint: 'OP-57',
    choice: 'the buyer cancels, and the target file says so',
    rules: byBuyer,
    target: withActor('cancel', 'buyer'),
  },
  {
    id: 'buyer-cancels-undeclared',
    openPoint: 'OP-57',
    choice: 'the buyer cancels, and the target file does not say so',
    rules: byBuyer,
    target: withActor('cancel', undefined),
  },
  {
    id: 'wrong-party-412',
    openPoint: 'OP-58',
    choice: '412 with a code of its own',
    rules: rejectWrongParty(412, 'FLOW002'),
  },
  {
    id: 'state-before-party',
    openPoint: 'OP-59',
    choice: 'the state',
    rules: overrideRules((base) => ({
      checkParty: (call, invoice, action) => {
        base.transition(call, invoice, action);
        base.checkParty(call, invoice, action);
      },
    })),
  },
  {
    id: 'created-submitted',
    openPoint: 'OP-60',
    choice: 'SUBMITTED',
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => {
        const invoice = base.issueInvoice(call, input, number);
        invoice.status = 'SUBMITTED';
        return invoice;
      },
    })),
  },
  {
    id: 'created-submitted-without-drafts',
    openPoint: 'OP-60',
    choice: 'SUBMITTED without submit or delete',
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => {
        const invoice = base.issueInvoice(call, input, number);
        invoice.status = 'SUBMITTED';
        return invoice;
      },
    })),
    routes: (base) => base.filter(({ name }) => name !== 'submit' && name !== 'delete'),
    target: (target) => {
      const { submit: _, delete: __, ...operations } = target.operations ?? {};
      return { ...target, operations };
    },
  },
];
