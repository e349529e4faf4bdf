import { setTimeout as pause } from 'node:timers/promises';
import type { CheckId } from '../../specs/generated/ids.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Call } from '../service/call.ts';
import type { ActionInput } from '../service/inputs.ts';
import { transitions } from '../service/lifecycle.ts';
import { DEFAULT_CURRENCY } from '../service/money.ts';
import { refusals } from '../service/refusal.ts';
import type { Invoice, Status } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { withDeleted } from './support/keep-deleted.ts';

/** The cells of the table in which an action is not offered, and the check that owns each. */
const refusing = lifecycle.states.flatMap((state) =>
  lifecycle.actions
    .filter((action) => !lifecycle.offered[state].includes(action))
    .map((action) => {
      const requirement = action === 'settle' && state !== 'SETTLED' ? 'LIFE-03' : 'LIFE-02';
      return { state, action, requirement, check: `${requirement}.${state.toLowerCase()}-${action}` as CheckId };
    }),
);

/** "Allowed here": the state check of one action knows one state too many. */
const allowedHere = refusing.map(
  ({ state, action, requirement, check }): Fault => ({
    id: `life-${state.toLowerCase()}-${action}-allowed`,
    requirement,
    sentence: `${action} of a ${state} invoice is accepted: its state check names one state too many.`,
    caughtBy: [check],
    rules: replaced((honest) => ({
      transition: (call, invoice, asked) =>
        asked === action && invoice.status === state ? transitions[action].to : honest.transition(call, invoice, asked),
    })),
  }),
);

/** "The refusal still writes": one cell of each action is refused as it must be, and carried out all the same. */
const stillWritten = lifecycle.actions
  .map((action) => refusing.filter((cell) => cell.action === action && cell.state !== 'SETTLED').at(-1))
  .filter((cell) => cell !== undefined)
  .map(
    ({ state, action, requirement, check }): Fault => ({
      id: `life-${state.toLowerCase()}-${action}-refused-but-done`,
      requirement,
      sentence: `${action} of a ${state} invoice is refused after the row was written: an await is missing.`,
      caughtBy: [check],
      rules: replaced((honest) => ({
        transition: (call, invoice, asked) => {
          if (asked !== action || invoice.status !== state) return honest.transition(call, invoice, asked);
          honest.change(call, invoice, state === 'APPROVED' ? 'SETTLED' : 'APPROVED', {});
          throw refusals.actionNotAllowed();
        },
      })),
    }),
  );

const offered = lifecycle.states.flatMap((state) => lifecycle.offered[state].map((action) => ({ state, action })));

function offeredCheck({ state, action }: (typeof offered)[number]): CheckId {
  return `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
}

/** An offered action is refused. */
const notOffered = offered.map(
  ({ state, action }): Fault => ({
    id: `life-${state.toLowerCase()}-${action}-refused`,
    requirement: 'LIFE-01',
    sentence: `${action} of a ${state} invoice is refused with 412: the table of the state machine lacks the cell.`,
    caughtBy: [offeredCheck({ state, action })],
    rules: replaced((honest) => ({
      transition: (call, invoice, asked) => {
        if (asked === action && invoice.status === state) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, asked);
      },
    })),
  }),
);

const wrongResults: readonly [action: InvoiceAction, to: Status, sentence: string][] = [
  ['submit', 'APPROVED', 'A submitted invoice of a small sum is approved at once.'],
  ['approve', 'SETTLED', 'Approval settles as well, in one go.'],
  ['dispute', 'CANCELLED', 'A disputed invoice is cancelled.'],
  ['cancel', 'DRAFT', 'A cancelled invoice becomes a draft again.'],
  ['settle', 'CANCELLED', 'A settled invoice is closed as CANCELLED.'],
];

/** An accepted action leads elsewhere, or nowhere. */
const outcomes = wrongResults.flatMap(([action, to, sentence]): Fault[] => [
  {
    id: `life-${action}-leads-to-${to.toLowerCase()}`,
    requirement: 'LIFE-04',
    sentence,
    caughtBy: [`LIFE-04.${action}` as CheckId],
    rules: replaced((honest) => ({
      transition: (call, invoice, asked) => {
        const next = honest.transition(call, invoice, asked);
        return asked === action ? to : next;
      },
    })),
  },
  {
    id: `life-${action}-has-no-effect`,
    requirement: 'LIFE-04',
    sentence: `${action} is answered as done, and the update runs against the replica, which drops it.`,
    caughtBy: [`LIFE-04.${action}` as CheckId, ...offered.filter((each) => each.action === action).map(offeredCheck)],
    rules: replaced((honest) => ({
      land: (call, asked, effect) => (asked === action ? undefined : honest.land(call, asked, effect)),
      renderChanged: (call, invoice, asked) =>
        honest.renderChanged(
          call,
          asked === action ? { ...invoice, status: transitions[action].to as Status } : invoice,
          asked,
        ),
    })),
  },
]);

/** Performed first, and refused when what is left of the body is looked at. */
const refusedTooLate: Fault = {
  id: 'life-refused-and-carried-out',
  requirement: 'LIFE-11',
  sentence: 'Undeclared fields of an action are found when its answer is written: it is refused, and carried out.',
  caughtBy: ['LIFE-11.undeclared'],
  rules: replaced((honest) => {
    const known = ['requestId', 'reason', 'note', 'adjustment'];
    const declared = ({ body }: Call) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name)));
    return {
      validateAction: (call, action) => honest.validateAction({ ...call, body: declared(call) }, action),
      renderChanged: (call, invoice, action) => {
        honest.validateAction(call, action);
        return honest.renderChanged(call, invoice, action);
      },
    };
  }),
};

/** The answer to an action tells the state that it leads to, and sometimes nothing is stored. */
const toldNotStored = (
  action: 'submit' | 'settle',
  lost: (invoice: Invoice, input: ActionInput) => boolean,
): RuleChange =>
  replaced((honest) => ({
    change: (call, invoice, next, input) => {
      if (call.route.name !== action || !lost(invoice, input)) honest.change(call, invoice, next, input);
    },
    renderChanged: (call, invoice, performed) => {
      const told = performed === action ? { ...invoice, status: lifecycle.leadsTo[action] as Status } : invoice;
      return honest.renderChanged(call, told, performed);
    },
  }));

/** One action of all takes whatever it is given. */
const lenient: Fault = {
  id: 'life-dispute-takes-undeclared',
  requirement: 'LIFE-13',
  sentence: 'Of the body of a dispute the reason is read, and the rest is not looked at.',
  caughtBy: ['LIFE-13.undeclared'],
  rules: replaced((honest) => ({
    validateAction: (call, action) =>
      honest.validateAction(action === 'dispute' ? { ...call, body: { reason: call.body.reason } } : call, action),
  })),
};

const CACHED_FOR_MS = 1500;

/** What an action is judged by is not what is so. */
const remembered: readonly Fault[] = [
  {
    id: 'life-state-from-cache',
    requirement: 'LIFE-02',
    sentence: 'Who has read an invoice has put it into a cache, and cancelling looks at the state that is in there.',
    caughtBy: ['LIFE-02.just-read'],
    rules: replaced((honest) => {
      const cache = new Map<string, { status: Status; at: number }>();
      return {
        renderRead: (call, invoice) => {
          cache.set(invoice.id, { status: invoice.status, at: performance.now() });
          return honest.renderRead(call, invoice);
        },
        transition: (call, invoice, action) => {
          const cached = cache.get(invoice.id);
          const fresh = cached && performance.now() - cached.at < CACHED_FOR_MS;
          const stale = fresh && cached.status === 'SUBMITTED' && invoice.status === 'APPROVED';
          return action === 'cancel' && stale ? 'CANCELLED' : honest.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-refusal-locks',
    requirement: 'LIFE-01',
    sentence:
      'A settlement locks its invoice, and leaves the lock behind where it is refused: nothing cancels it any more.',
    caughtBy: ['LIFE-01.after-rejections'],
    rules: replaced((honest) => {
      const locked = new Set<string>();
      return {
        transition: (call, invoice, action) => {
          if (action === 'settle' && invoice.status !== 'APPROVED') locked.add(invoice.id);
          if (action === 'cancel' && locked.has(invoice.id)) throw refusals.actionNotAllowed();
          return honest.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-viewed-not-cancelled',
    requirement: 'LIFE-01',
    sentence: 'Once its buyer has seen it, an invoice is not cancelled any more, and the refusal blames the state.',
    caughtBy: ['LIFE-01.just-read'],
    rules: replaced((honest) => {
      const viewed = new Set<string>();
      return {
        renderRead: (call, invoice) => {
          if (call.organizationId === invoice.buyerOrganizationId) viewed.add(invoice.id);
          return honest.renderRead(call, invoice);
        },
        transition: (call, invoice, action) => {
          if (action === 'cancel' && viewed.has(invoice.id)) throw refusals.actionNotAllowed();
          return honest.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-unpaid-can-be-disputed',
    requirement: 'LIFE-02',
    sentence: 'A settlement that lacked funds marks the invoice, and what is marked can be disputed once more.',
    caughtBy: ['LIFE-02.after-insufficient-funds'],
    rules: replaced((honest) => {
      const marked = new Set<string>();
      return {
        settle: (call, invoice) => {
          try {
            honest.settle(call, invoice);
          } catch (refusal) {
            marked.add(invoice.id);
            throw refusal;
          }
        },
        transition: (call, invoice, action) =>
          action === 'dispute' && invoice.status === 'APPROVED' && marked.has(invoice.id)
            ? 'DISPUTED'
            : honest.transition(call, invoice, action),
      };
    }),
  },
];

const LAPSES_AFTER_MS = 700;

/** What was done a moment ago is undone. */
const lapse = (state: Status, back: Status): RuleChange =>
  replaced((honest) => ({
    change: (call, invoice, next, input) => {
      honest.change(call, invoice, next, input);
      const undo = () => {
        if (invoice.status === state) invoice.status = back;
      };
      if (next === state) setTimeout(undo, LAPSES_AFTER_MS).unref();
    },
  }));

const lapsing: readonly Fault[] = [
  {
    id: 'life-settled-lapses',
    requirement: 'LIFE-12',
    sentence: 'A job that looks for payments puts what was settled a moment ago back to APPROVED.',
    caughtBy: ['LIFE-12.final'],
    rules: lapse('SETTLED', 'APPROVED'),
  },
  {
    id: 'life-approved-lapses',
    requirement: 'LIFE-04',
    sentence: 'A worker that had loaded the invoice before its approval writes it back as it was.',
    caughtBy: ['LIFE-04.approval-not-reverted'],
    rules: lapse('APPROVED', 'SUBMITTED'),
  },
];

const lost: readonly Fault[] = [
  {
    id: 'life-identified-submission-not-stored',
    requirement: 'LIFE-01',
    sentence:
      'With a requestId the answer is stored for replays, and the invoice is not: it is told SUBMITTED and stays a DRAFT.',
    caughtBy: ['LIFE-01.draft-submit'],
    rules: toldNotStored('submit', (_, { requestId }) => requestId !== undefined),
  },
  {
    id: 'life-large-not-approved',
    requirement: 'LIFE-01',
    sentence:
      'From a hundred thousand on a column overflows, and the approval says that it is not to be had in this state.',
    caughtBy: ['LIFE-01.large'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && Number(invoice.amount) >= 100_000) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-large-not-cancelled',
    requirement: 'LIFE-01',
    sentence: 'What is worth a hundred thousand is not cancelled, and the refusal blames the state.',
    caughtBy: ['LIFE-01.large'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'cancel' && Number(invoice.amount) >= 100_000) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-identified-not-deleted',
    requirement: 'LIFE-01',
    sentence:
      'Who was created with a requestId has a row that points to it, and is not deleted: the refusal blames the state.',
    caughtBy: ['LIFE-01.all-fields'],
    rules: replaced((honest) => {
      const identified = new Set<string>();
      return {
        issue: (call, input, invoiceNumber) => {
          const invoice = honest.issue(call, input, invoiceNumber);
          if (input.requestId) identified.add(invoice.id);
          return invoice;
        },
        transition: (call, invoice, action) => {
          if (action === 'delete' && identified.has(invoice.id)) throw refusals.actionNotAllowed();
          return honest.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-other-currency-cancelled-late',
    requirement: 'LIFE-02',
    sentence: 'What is in another currency than the usual one can be cancelled until it is paid.',
    caughtBy: ['LIFE-02.all-fields'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) =>
        action === 'cancel' && invoice.status === 'APPROVED' && invoice.currency !== DEFAULT_CURRENCY
          ? 'CANCELLED'
          : honest.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-other-currency-settled-after-all',
    requirement: 'LIFE-02',
    sentence: 'What is in another currency is paid by a job that asks for its conversion only: a cancelled one, too.',
    caughtBy: ['LIFE-02.all-fields'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) =>
        action === 'settle' && invoice.status === 'CANCELLED' && invoice.currency !== DEFAULT_CURRENCY
          ? 'SETTLED'
          : honest.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-undescribed-cancelled-late',
    requirement: 'LIFE-02',
    sentence: 'An invoice nobody has described counts as unfinished, and can be cancelled after its approval.',
    caughtBy: ['LIFE-02.required-only'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) =>
        action === 'cancel' && invoice.status === 'APPROVED' && !invoice.description
          ? 'CANCELLED'
          : honest.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-whole-approved-again',
    requirement: 'LIFE-02',
    sentence: 'What is paid is told by the cents that are left to pay: a whole sum that is paid can be approved again.',
    caughtBy: ['LIFE-02.required-only'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) =>
        action === 'approve' && invoice.status === 'SETTLED' && invoice.amount.endsWith('.00')
          ? 'APPROVED'
          : honest.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-small-not-disputed',
    requirement: 'LIFE-01',
    sentence: 'Below ten nothing can be disputed, and the refusal blames the state.',
    caughtBy: ['LIFE-01.small'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'dispute' && Number(invoice.amount) < 10) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-cents-not-settled',
    requirement: 'LIFE-01',
    sentence: 'What is less than one of its currency is not worth a payment, and the refusal blames the state.',
    caughtBy: ['LIFE-01.small'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && Number(invoice.amount) < 1) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-undescribed-not-settled',
    requirement: 'LIFE-01',
    sentence:
      'The update of a settlement joins the descriptions: without one it finds no row, and is told all the same.',
    caughtBy: ['LIFE-01.required-only'],
    rules: toldNotStored('settle', ({ description }) => !description),
  },
];

const LATE_MS = 150;
/** As short as a look into a database near by: no lock is needed to get away with it when requests arrive one by one. */
const RACE_MS = 2;
const readEarly = new WeakMap<Call, Status>();

/** The row is read before an await and written after it, by the actions given. */
function unlocked(id: string, actions: readonly InvoiceAction[], check: CheckId, inserts = true): Fault {
  return {
    id,
    requirement: 'LIFE-02',
    sentence: `The row is read, awaited, judged and written: ${actions.join(', ')} at the same moment are all accepted.`,
    caughtBy: [check],
    routes: (honest) =>
      honest.map((route) => ({
        ...route,
        perform: async (call) => {
          const invoice = call.world.invoices.get(call.request.params.id ?? '');
          if (!invoice || !actions.some((action) => action === route.name)) return route.perform(call);
          const { status } = invoice;
          await pause(RACE_MS);
          // A deleted row is written back: the update inserts what it does not find.
          if (inserts) call.world.invoices.set(invoice.id, invoice);
          readEarly.set(call, status);
          return route.perform(call);
        },
      })),
    rules: replaced((honest) => ({
      transition: (call, invoice, action) =>
        honest.transition(call, { ...invoice, status: readEarly.get(call) ?? invoice.status }, action),
    })),
  };
}

/** A deleted draft stays in the list of one of its parties. */
const stillListed = (party: 'sellerOrganizationId' | 'buyerOrganizationId'): RuleChange =>
  withDeleted((honest, ghosts) => ({
    visible: (call) => [
      ...honest.visible(call),
      ...[...ghosts.values()].filter((ghost) => ghost[party] === call.organizationId),
    ],
  }));

/** The index of the list hears of an action before it is refused. */
function indexedFirst(
  id: string,
  action: InvoiceAction,
  state: Status,
  sentence: string,
  indexed: (invoice: Invoice) => Invoice[],
): Fault {
  return {
    id,
    requirement: 'LIFE-02',
    sentence,
    caughtBy: ['LIFE-02.unchanged-in-list'],
    alongside: [refusedId(state, action)],
    rules: replaced((honest) => {
      const heard = new WeakSet<Invoice>();
      return {
        transition: (call, invoice, asked) => {
          if (asked === action && invoice.status === state) heard.add(invoice);
          return honest.transition(call, invoice, asked);
        },
        visible: (call) =>
          call.route.name === 'list'
            ? honest.visible(call).flatMap((invoice) => (heard.has(invoice) ? indexed(invoice) : [invoice]))
            : honest.visible(call),
      };
    }),
  };
}

const refusedId = (state: Status, action: InvoiceAction) => `LIFE-02.${state.toLowerCase()}-${action}` as CheckId;

/** "Its update looks for the creditor, the amount and the due date, which looked unique." */
const takingTheLike = lifecycle.actions.map(
  (action): Fault => ({
    id: `life-${action}-takes-the-like`,
    requirement: 'LIFE-10',
    sentence: `The update of ${action} looks for the creditor, the amount and the due date of an invoice, which seemed unique.`,
    caughtBy: ['LIFE-10.similar-invoice'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        const { status, amount, dueDate } = invoice;
        honest.change(call, invoice, next, input);
        if (call.route.name !== action) return;
        for (const other of [...call.world.invoices.values()]) {
          const alike = other.status === status && other.amount === amount && other.dueDate === dueDate;
          if (alike && other !== invoice) honest.change(call, other, next, {});
        }
      },
    })),
  }),
);

/** The update of a dispute forgets whom it is about. */
const disputingAll: RuleChange = replaced((honest) => ({
  change: (call, invoice, next, input) => {
    honest.change(call, invoice, next, input);
    if (next !== 'DISPUTED') return;
    for (const other of call.world.invoices.values()) {
      const alike = other.sellerOrganizationId === invoice.sellerOrganizationId && other.status === 'SUBMITTED';
      if (alike) honest.change(call, other, next, {});
    }
  },
}));

const takingAll: readonly Fault[] = [
  {
    id: 'life-dispute-takes-all',
    requirement: 'LIFE-10',
    sentence: 'The update of a dispute lacks the id in its condition: it disputes all that the creditor has submitted.',
    caughtBy: ['LIFE-10.random-sequence', 'LIFE-10.similar-invoice'],
    namedOnly: true,
    rules: disputingAll,
  },
  {
    id: 'life-dispute-takes-all-from-the-start',
    requirement: 'LIFE-10',
    sentence:
      'As the one before, where all invoices are SUBMITTED when they are created: nothing stays long enough to be tried.',
    caughtBy: ['LIFE-10.similar-invoice'],
    wholeRun: true,
    rules: (honest) => {
      const rules = disputingAll(honest);
      return {
        ...rules,
        issue: (call, input, number) => Object.assign(rules.issue(call, input, number), { status: 'SUBMITTED' }),
      };
    },
  },
];

const others: readonly Fault[] = [
  indexedFirst(
    'life-refused-dispute-listed',
    'dispute',
    'APPROVED',
    'The list shows a dispute that was refused.',
    (invoice) => [{ ...invoice, status: 'DISPUTED' }],
  ),
  indexedFirst(
    'life-refused-deletion-unlists',
    'delete',
    'SETTLED',
    'A settled invoice of which the deletion was refused is in the list no more.',
    () => [],
  ),
  {
    id: 'life-delete-keeps-draft',
    requirement: 'LIFE-04',
    sentence: 'Delete marks the draft in a column that nothing reads: it stays a DRAFT.',
    caughtBy: ['LIFE-04.delete'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) =>
        next === 'DELETED' ? undefined : honest.change(call, invoice, next, input),
    })),
  },
  {
    id: 'life-deleted-still-listed',
    requirement: 'LIFE-04',
    sentence: 'A deleted draft is gone for reading and stays in the list, which comes from a search index.',
    caughtBy: ['LIFE-04.delete-listed'],
    rules: stillListed('sellerOrganizationId'),
  },
  {
    id: 'life-refusal-lands-late',
    requirement: 'LIFE-02',
    sentence: 'A refused action was put into the queue before it was judged, and takes effect some moments later.',
    caughtBy: ['LIFE-02.no-delayed-effect'],
    // The last of them listens for stragglers: until then the effect has landed.
    alongside: ['LIFE-02.submitted-submit', 'LIFE-02.submitted-delete', 'HOOK-05.third-organization'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        try {
          return honest.transition(call, invoice, action);
        } catch (refusal) {
          if (invoice.status === 'SUBMITTED') {
            call.background.later(LATE_MS, () => honest.change(call, invoice, 'CANCELLED', {}));
          }
          throw refusal;
        }
      },
    })),
  },
  unlocked('life-rivals-all-win', ['approve', 'dispute', 'cancel'], 'LIFE-02.simultaneous'),
  unlocked('life-settled-twice', ['settle'], 'LIFE-02.simultaneous-settle'),
  unlocked('life-resolved-twice', ['resolve'], 'LIFE-02.simultaneous-resolve'),
  {
    id: 'life-payment-before-lock',
    requirement: 'LIFE-02',
    sentence: 'A settlement books the payment before it waits for the row: those refused then have paid as well.',
    caughtBy: ['LIFE-02.paid-once'],
    routes: (honest) => {
      const underWay = new Set<string>();
      return honest.map((route) => ({
        ...route,
        perform: async (call) => {
          const invoice = call.world.invoices.get(call.request.params.id ?? '');
          if (!invoice || route.name !== 'settle') return route.perform(call);
          if (underWay.has(invoice.id)) {
            call.rules.settle(call, invoice);
            throw refusals.actionConflict();
          }
          underWay.add(invoice.id);
          await pause(RACE_MS);
          underWay.delete(invoice.id);
          return route.perform(call);
        },
      }));
    },
  },
  {
    id: 'life-payment-before-state',
    requirement: 'LIFE-03',
    sentence: 'A settlement books the payment, and then asks for the state: what is refused is paid all the same.',
    caughtBy: ['LIFE-03.no-payment'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status === 'SUBMITTED') honest.settle(call, invoice);
        return honest.transition(call, invoice, action);
      },
    })),
  },
  unlocked('life-submitted-and-deleted', ['submit', 'delete'], 'LIFE-02.simultaneous-draft'),
  unlocked('life-submitted-twice', ['submit'], 'LIFE-02.simultaneous-draft', false),
  {
    id: 'life-small-needs-no-approval',
    requirement: 'LIFE-03',
    sentence: 'Up to ten of whatever it is, nobody has to approve an invoice before it is paid.',
    caughtBy: ['LIFE-03.small'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) =>
        action === 'settle' && invoice.status === 'SUBMITTED' && Number(invoice.amount) <= 10
          ? 'SETTLED'
          : honest.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-disputed-once-never-cancelled',
    requirement: 'LIFE-01',
    sentence: 'What was disputed once is kept for the auditors: it cannot be cancelled any more.',
    caughtBy: ['LIFE-01.random-sequence'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'cancel' && invoice.notes.length > 0) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-named-environment-may-all',
    requirement: 'LIFE-02',
    sentence: 'A request with X-Environment comes from the dashboard, where support may correct any state.',
    caughtBy: ['LIFE-02.disputed-approve'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && call.request.headers.has('X-Environment')) return 'APPROVED';
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-cancelled-submitted-with-request-id',
    requirement: 'LIFE-02',
    sentence: 'A submission with a requestId goes through the replay store, which does not ask for the state.',
    caughtBy: ['LIFE-02.cancelled-submit'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'submit' && call.request.text.includes('"requestId"')) return 'SUBMITTED';
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-disputed-once-never-approved',
    requirement: 'LIFE-01',
    sentence: 'The mark of a dispute is never taken off: an invoice that was resolved cannot be approved any more.',
    caughtBy: ['LIFE-01.random-sequence'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && invoice.notes.length > 0) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-disputed-twice-never-approved',
    requirement: 'LIFE-01',
    sentence: 'Whoever has disputed an invoice twice is asked for no approval of it any more.',
    caughtBy: ['LIFE-01.random-sequence'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && invoice.notes.length > 1) throw refusals.actionNotAllowed();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-resolved-again-later',
    requirement: 'LIFE-02',
    sentence: 'Resolve asks whether there ever was a dispute, not whether there is one.',
    caughtBy: ['LIFE-02.random-sequence'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) =>
        action === 'resolve' && invoice.notes.length > 0 && invoice.status !== 'SETTLED'
          ? 'SUBMITTED'
          : honest.transition(call, invoice, action),
    })),
  },
  {
    id: 'life-conflict-without-exception',
    requirement: 'LIFE-03',
    sentence: 'Settling what was never approved is refused with 409, as every other action out of its state.',
    caughtBy: [
      'LIFE-03.draft-settle',
      'LIFE-03.submitted-settle',
      'LIFE-03.disputed-settle',
      'LIFE-03.cancelled-settle',
    ],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status !== 'APPROVED') throw refusals.actionConflict();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-refused-with-400',
    requirement: 'LIFE-02',
    sentence: 'An action out of its state is an invalid request to this server: 400 INV002.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.approved-submit', 'LIFE-02.cancelled-resolve', 'LIFE-03.draft-settle'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (invoice.status !== transitions[action].from) throw refusals.invalidInvoice('not in this status');
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-refused-with-own-code',
    requirement: 'LIFE-02',
    sentence: 'The 412 of an action out of its state carries the code of another module.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.approved-dispute', 'LIFE-02.disputed-submit', 'LIFE-03.draft-settle'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (invoice.status !== transitions[action].from) throw refusals.connectionNotActive();
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-stale-row',
    requirement: 'LIFE-02',
    sentence: 'The state check looks at the row as it was before the last action, so that each action works twice.',
    caughtBy: ['LIFE-02.submitted-submit', 'LIFE-02.approved-approve'],
    rules: replaced((honest) => {
      const before = new Map<string, Status>();
      return {
        transition: (call, invoice, action) => {
          const repeated =
            before.get(invoice.id) === transitions[action].from && invoice.status === transitions[action].to;
          return repeated ? invoice.status : honest.transition(call, invoice, action);
        },
        change: (call, invoice, next, input) => {
          before.set(invoice.id, invoice.status);
          honest.change(call, invoice, next, input);
        },
      };
    }),
  },
  {
    id: 'life-refusal-touches-amount',
    requirement: 'LIFE-02',
    sentence: 'A refused resolve has already applied its adjustment when the state is checked.',
    caughtBy: ['LIFE-02.approved-resolve', 'LIFE-02.settled-resolve'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'resolve' && invoice.status !== 'DISPUTED') invoice.amount = '0.01';
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-amount-gross-when-approved',
    requirement: 'REC-10',
    sentence: 'Approval books a fee into the amount of the invoice.',
    caughtBy: ['REC-10.amount'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        honest.change(call, invoice, next, input);
        if (next === 'APPROVED') invoice.amount = `${Number.parseInt(invoice.amount, 10) + 1}.00`;
      },
    })),
  },
  {
    id: 'life-other-currency-crashes',
    requirement: 'LIFE-01',
    sentence: 'Settlements look up the account of the currency, and there is one for the home currency only.',
    caughtBy: ['LIFE-01.other-currency'],
    rules: replaced((honest) => ({
      settle: (call, invoice) => {
        if (invoice.currency !== DEFAULT_CURRENCY) throw new TypeError('account is undefined');
        honest.settle(call, invoice);
      },
    })),
  },
  {
    id: 'life-deleted-listed-for-buyer',
    requirement: 'LIFE-04',
    sentence: "A deleted draft leaves the seller's list, and stays in the one of its buyer.",
    caughtBy: ['LIFE-04.delete-listed'],
    rules: stillListed('buyerOrganizationId'),
  },
];

export const lifecycleFaults: readonly Fault[] = [
  ...allowedHere,
  ...stillWritten,
  ...notOffered,
  ...outcomes,
  ...takingTheLike,
  ...takingAll,
  ...others,
  refusedTooLate,
  lenient,
  ...lapsing,
  ...remembered,
  ...lost,
];

/** How many cells of the table refuse; the tests count the faults against it. */
export const refusingCells: readonly { state: InvoiceState; action: InvoiceAction }[] = refusing;
