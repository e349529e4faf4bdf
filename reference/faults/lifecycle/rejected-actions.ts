import { type InvoiceAction, lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { transitions } from '../../service/lifecycle.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice, InvoiceStatus } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { rejectedActions } from '../support/lifecycle.ts';

const CACHED_FOR_MS = 1500;

const LATE_MS = 150;

/** The index of the list receives an action before it is rejected. */
function indexedFirst(
  id: string,
  action: InvoiceAction,
  state: InvoiceStatus,
  sentence: string,
  indexed: (invoice: Invoice) => Invoice[],
): Fault {
  return {
    id,
    requirement: 'LIFE-02',
    defect: sentence,
    caughtBy: ['LIFE-02.unchanged-in-list'],
    alsoRun: [refusedId(state, action)],
    rules: overrideRules((base) => {
      const heard = new WeakSet<Invoice>();
      return {
        transition: (call, invoice, asked) => {
          if (asked === action && invoice.status === state) heard.add(invoice);
          return base.transition(call, invoice, asked);
        },
        visibleInvoices: (call) =>
          call.route.name === 'list'
            ? base.visibleInvoices(call).flatMap((invoice) => (heard.has(invoice) ? indexed(invoice) : [invoice]))
            : base.visibleInvoices(call),
      };
    }),
  };
}

const refusedId = (state: InvoiceStatus, action: InvoiceAction) =>
  `LIFE-02.${state.toLowerCase()}-${action}` as CheckId;

export const lifecycleRejectedActionsFaults: readonly Fault[] = [
  {
    id: 'life-everything-allowed',
    requirement: 'LIFE-02',
    defect: 'No action checks the state: every action is accepted in every state.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.cancelled-approve', 'LIFE-03.draft-settle'],
    rules: overrideRules(() => ({ transition: (_call, _invoice, action) => transitions[action].to })),
  },
  {
    id: 'life-every-rejection-acts',
    requirement: 'LIFE-02',
    defect: 'Every action is carried out before its state is checked, and then rejected.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.cancelled-approve'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (invoice.status === transitions[action].from) return base.transition(call, invoice, action);
        const { to } = transitions[action];
        if (to !== 'DELETED') base.changeInvoice(call, invoice, to, {});
        throw rejections.actionNotAllowed();
      },
    })),
  },
  /** "Allowed here": the state check of one action accepts one state too many. */
  ...rejectedActions.map(
    ({ state, action, requirement, check }): Fault => ({
      id: `life-${state.toLowerCase()}-${action}-allowed`,
      requirement,
      defect: `The server accepts ${action} in ${state}: its state check allows one state too many.`,
      caughtBy: [check],
      rules: overrideRules((base) => ({
        transition: (call, invoice, asked) =>
          asked === action && invoice.status === state ? transitions[action].to : base.transition(call, invoice, asked),
      })),
    }),
  ),
  /** "The rejection still writes": one cell of each action is rejected correctly and carried out nevertheless. */
  ...lifecycle.actions
    .map((action) => rejectedActions.filter((cell) => cell.action === action && cell.state !== 'SETTLED').at(-1))
    .filter((cell) => cell !== undefined)
    .map(
      ({ state, action, requirement, check }): Fault => ({
        id: `life-${state.toLowerCase()}-${action}-rejected-but-done`,
        requirement,
        defect: `${action} in the state ${state} is rejected after the row was written, because an await is missing.`,
        caughtBy: [check],
        rules: overrideRules((base) => ({
          transition: (call, invoice, asked) => {
            if (asked !== action || invoice.status !== state) return base.transition(call, invoice, asked);
            base.changeInvoice(call, invoice, state === 'APPROVED' ? 'SETTLED' : 'APPROVED', {});
            throw rejections.actionNotAllowed();
          },
        })),
      }),
    ),
  indexedFirst(
    'life-rejected-dispute-listed',
    'dispute',
    'APPROVED',
    'The list shows the effect of a rejected dispute.',
    (invoice) => [{ ...invoice, status: 'DISPUTED' }],
  ),
  indexedFirst(
    'life-rejected-deletion-unlists',
    'delete',
    'SETTLED',
    'A settled invoice disappears from the list after a rejected deletion.',
    () => [],
  ),
  {
    id: 'life-rejection-takes-effect-later',
    requirement: 'LIFE-02',
    defect: 'A rejected action was queued before it was judged, and takes effect a moment later.',
    caughtBy: ['LIFE-02.no-delayed-effect'],
    takesEffectLater: true,
    // The last check waits for late deliveries, so the effect has taken place by then.
    alsoRun: ['LIFE-02.submitted-submit', 'LIFE-02.submitted-delete', 'HOOK-05.third-organization'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        try {
          return base.transition(call, invoice, action);
        } catch (refusal) {
          if (invoice.status === 'SUBMITTED') {
            call.background.schedule(LATE_MS, () => base.changeInvoice(call, invoice, 'CANCELLED', {}));
          }
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'life-named-environment-allows-all',
    requirement: 'LIFE-02',
    defect: 'A request with X-Environment is taken for the dashboard, where support may change any state.',
    caughtBy: ['LIFE-02.disputed-approve'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && call.request.headers.has('X-Environment')) return 'APPROVED';
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-cancelled-submitted-with-request-id',
    requirement: 'LIFE-02',
    defect: 'A submission with a requestId goes through the replay store, which does not check the state.',
    caughtBy: ['LIFE-02.cancelled-submit'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'submit' && call.request.text.includes('"requestId"')) return 'SUBMITTED';
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-resolved-again-later',
    requirement: 'LIFE-02',
    defect: 'Resolve checks whether the invoice was ever disputed, not whether it is disputed now.',
    caughtBy: ['LIFE-02.random-sequence'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) =>
        action === 'resolve' && invoice.notes.length > 0 && invoice.status !== 'SETTLED'
          ? 'SUBMITTED'
          : base.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-rejected-with-400',
    requirement: 'LIFE-02',
    defect: 'An action in a wrong state is rejected as an invalid request: 400 INV002.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.approved-submit', 'LIFE-02.cancelled-resolve', 'LIFE-03.draft-settle'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (invoice.status !== transitions[action].from) throw rejections.invalidInvoice('not in this status');
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-rejected-with-own-code',
    requirement: 'LIFE-02',
    defect: 'The 412 of an action in a wrong state has the code of another module.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.approved-dispute', 'LIFE-02.disputed-submit', 'LIFE-03.draft-settle'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (invoice.status !== transitions[action].from) throw rejections.connectionNotActive();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-stale-row',
    requirement: 'LIFE-02',
    defect: 'The state check uses the row from before the last action, so each action works twice.',
    caughtBy: ['LIFE-02.submitted-submit', 'LIFE-02.approved-approve'],
    rules: overrideRules((base) => {
      const before = new Map<string, InvoiceStatus>();
      return {
        transition: (call, invoice, action) => {
          const repeated =
            before.get(invoice.id) === transitions[action].from && invoice.status === transitions[action].to;
          return repeated ? invoice.status : base.transition(call, invoice, action);
        },
        changeInvoice: (call, invoice, next, input) => {
          before.set(invoice.id, invoice.status);
          base.changeInvoice(call, invoice, next, input);
        },
      };
    }),
  },
  {
    id: 'life-rejection-touches-amount',
    requirement: 'LIFE-02',
    defect: 'A rejected resolve applies its adjustment before the state is checked.',
    caughtBy: ['LIFE-02.approved-resolve', 'LIFE-02.settled-resolve'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'resolve' && invoice.status !== 'DISPUTED') invoice.amount = '0.01';
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-state-from-cache',
    requirement: 'LIFE-02',
    defect: 'Reading an invoice caches it, and cancelling checks the cached state.',
    caughtBy: ['LIFE-02.just-read'],
    rules: overrideRules((base) => {
      const cache = new Map<string, { status: InvoiceStatus; at: number }>();
      return {
        renderRead: (call, invoice) => {
          cache.set(invoice.id, { status: invoice.status, at: performance.now() });
          return base.renderRead(call, invoice);
        },
        transition: (call, invoice, action) => {
          const cached = cache.get(invoice.id);
          const fresh = cached && performance.now() - cached.at < CACHED_FOR_MS;
          const stale = fresh && cached.status === 'SUBMITTED' && invoice.status === 'APPROVED';
          return action === 'cancel' && stale ? 'CANCELLED' : base.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-unpaid-can-be-disputed',
    requirement: 'LIFE-02',
    defect: 'A settlement without sufficient funds marks the invoice, and a marked invoice can be disputed.',
    caughtBy: ['LIFE-02.after-insufficient-funds'],
    rules: overrideRules((base) => {
      const marked = new Set<string>();
      return {
        settle: (call, invoice) => {
          try {
            base.settle(call, invoice);
          } catch (refusal) {
            marked.add(invoice.id);
            throw refusal;
          }
        },
        transition: (call, invoice, action) =>
          action === 'dispute' && invoice.status === 'APPROVED' && marked.has(invoice.id)
            ? 'DISPUTED'
            : base.transition(call, invoice, action),
      };
    }),
  },
];
