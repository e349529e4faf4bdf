import { onceDisputed } from '../helpers/adaptation/invoice-variants.ts';
import { dressed } from '../helpers/adaptation/maximal-request.ts';
import { performable } from '../helpers/adaptation/performable-actions.ts';
import { blamesNotTheState, expectFunds } from '../helpers/api/error-codes.ts';
import { type ActExtra, act, binding, list, takesBody, takesRequestId } from '../helpers/api/operations.ts';
import { accepted, isShown } from '../helpers/api/response-status.ts';
import { type Answer, type InvoiceRecord, invoiceIn, inWords } from '../helpers/api/responses.ts';
import { breach, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { endsWell } from '../helpers/context/combined-experiment.ts';
import { IRREVOCABLE } from '../helpers/context/leftover-reason.ts';
import { actionWorks } from '../helpers/controls/controls.ts';
import { expectOffered, expectStaysByItself } from '../helpers/controls/spontaneous-change.ts';
import { LARGE_SUM, LEAST_SUM, LITTLE_SUM, SMALL_SUMS, WHOLE_SUM } from '../helpers/data/amounts.ts';
import { undressed, validBody } from '../helpers/data/invoice-body.ts';
import { borrowing } from '../helpers/fixtures/borrowed-invoices.ts';
import { createdOf, otherCurrency } from '../helpers/fixtures/created-invoice.ts';
import { trialPassed } from '../helpers/fixtures/trial-invoice.ts';
import { partyFor, perform } from '../helpers/invoices/acting-party.ts';
import { hasLeft, lookSettled, lookUntil, recent } from '../helpers/invoices/find-invoice.ts';
import {
  bring,
  freshInvoice,
  type Invoice,
  isState,
  keepTrack,
  operationsTo,
  reach,
  refusedCheck,
  settlesUnapproved,
  stateOffering,
  whereReachable,
} from '../helpers/invoices/invoices.ts';
import { expectNotLate } from '../helpers/invoices/late-effect.ts';
import { type JustRead, offeredAfterReading, refusedAfterReading } from '../helpers/lifecycle/action-after-read.ts';
import { expectOthersLeftAlone } from '../helpers/lifecycle/bystander-invoice.ts';
import { expectOneOrder } from '../helpers/lifecycle/concurrent-actions.ts';
import { expectStillApproved, expectStillEnded, noteReached } from '../helpers/lifecycle/final-states.ts';
import { expectAllTheWay, expectNothingClaimed, refusedTo } from '../helpers/lifecycle/full-lifecycle.ts';
import { expectOfferedAfterRefusals } from '../helpers/lifecycle/offered-after-rejections.ts';
import { expectNothingFound } from '../helpers/lifecycle/random-walk-search.ts';
import {
  expectListedUnmoved,
  expectStateRefusal,
  expectStillUnmoved,
  expectUnmoved,
} from '../helpers/lifecycle/rejected-action.ts';
import {
  ALL_THE_WAY,
  type ManyKinds,
  UNPAID,
  wentAllTheWay,
  wentJustRead,
} from '../helpers/lifecycle/variant-lifecycle.ts';
import { oneOfEachState } from '../helpers/lists/invoice-of-each-state.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../specs/lifecycle.ts';

function offered(state: InvoiceState, action: InvoiceAction): Check {
  const id = `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
  return check(id, ['connection', ...operationsTo(state), action], async (lab) => {
    const identified = action === 'submit' && takesRequestId(lab, action);
    const extras = [{}, ...(identified ? [{ requestId: lab.requestId() }] : [])];
    await Promise.all(extras.map((extra) => expectCarriedOut(lab, state, action, extra)));
  });
}

async function performed(lab: Lab, state: InvoiceState, action: InvoiceAction, extra: Omit<ActExtra, 'as'> = {}) {
  const invoice = await reach(lab, state);
  return { invoice, answer: await perform(lab, action, invoice.id, extra) };
}

/** The action is accepted in the state that offers it, and what the answer to it says of the invoice comes true. */
async function expectCarriedOut(
  lab: Lab,
  state: InvoiceState,
  action: InvoiceAction,
  extra: Omit<ActExtra, 'as'>,
): Promise<void> {
  const trial = await trialPassed(lab, action);
  const { invoice, answer } = trial ?? (await performed(lab, state, action, extra));
  expectFunds(answer);
  const how = extra.requestId === undefined ? '' : ', with a requestId';
  await expectOffered(lab, invoice, answer, `${action} of a ${state} invoice${how}`);
  lab.observe(
    'action-answer',
    `${action}: ${answer.status}${answer.text === '' ? ' without body' : invoiceIn(answer) ? ' with the invoice' : ''}`,
  );
  lab.observe('action-delay', `${action}: ${toldOf(answer, state)}`);
  if (trial) return;
  // Notes alone may leave an invoice DISPUTED, and a deleted draft may be kept; after any other action its state is over.
  const open = action === 'resolve' || action === 'delete';
  const { held, record, answer: seen } = await lookUntil(lab, invoice.id, (found) => found?.status !== state);
  if (!held && !open) return await expectNothingClaimed(lab, invoice, answer, seen);
  if (!record) lab.run.removed(invoice.id);
  else keepTrack(lab, { id: invoice.id, state: record.status as InvoiceState });
  if (action === 'resolve' || action === 'delete') {
    lab.observe(action === 'resolve' ? 'resolve-result' : 'delete-result', record ? String(record.status) : 'gone');
  }
}

/** Whether an action is done when it is answered, in the words of the answer: how soon it shows is a matter of the moment. */
function toldOf(answer: Answer, before: InvoiceState): string {
  const told = invoiceIn(answer)?.status;
  if (answer.status === 202) return 'accepted for later';
  if (told === before) return `answered as ${before} still`;
  return isState(told) ? `answered as ${told}` : 'answered without its state';
}

interface Undeclared {
  action: InvoiceAction;
  invoice: Invoice;
  before: InvoiceRecord | null;
  answer: Answer;
  /** It was refused, and the invoice seen to be as before. */
  unmoved: boolean;
}

/** Every action, where its state offers it, with a field in its body of which nothing is known. */
async function withUndeclaredField(lab: Lab): Promise<readonly Undeclared[]> {
  const tried = performable(lab).filter((action) => takesBody(binding(lab, action)));
  const all = await Promise.all(
    tried.map(async (action) => {
      if (!(await actionWorks(lab, action))) return [];
      const tried: Undeclared[] = [];
      await borrowing(lab, stateOffering(action), async (invoice) => {
        const { record: before } = await lookSettled(lab, invoice);
        const as = lab.who(partyFor(lab, action));
        const answer = await act(lab, action, invoice.id, { as, more: { conformanceProbe: 'undeclared' } });
        const unmoved = isRefused(answer) && (await endsWell(() => expectUnmoved(lab, invoice, before, answer)));
        // Whoever is lent it next is to find it as it was.
        invoice.isUnderWay = !unmoved;
        tried.push({ action, invoice, before, answer, unmoved });
      });
      return tried;
    }),
  );
  return all.flat();
}

const isRefused = ({ status }: Answer) => status >= 400 && status < 500;

async function undeclaredOnActions(lab: Lab): Promise<readonly Undeclared[]> {
  const tried = await lab.run.once('undeclared fields of actions', () => withUndeclaredField(lab));
  lab.shares(tried.map(({ answer }) => answer));
  return tried;
}

function refused(state: InvoiceState, action: InvoiceAction): Check {
  const needs = ['connection', ...operationsTo(state), action] as const;
  return check(refusedCheck(state, action), needs, (lab) =>
    borrowing(lab, state, async (invoice) => {
      const worksElsewhere = await actionWorks(lab, action);
      const { record: before } = await lookSettled(lab, invoice);
      await expectStateRefusal(lab, action, invoice, {
        conflict: !settlesUnapproved(state, action),
        worksElsewhere,
      });
      await expectUnmoved(lab, invoice, before);
    }),
  );
}

function outcome(action: Exclude<InvoiceAction, 'resolve' | 'delete'>): Check {
  const from = stateOffering(action);
  const to = lifecycle.leadsTo[action];
  return check(`LIFE-04.${action}`, ['connection', ...operationsTo(from), action], async (lab) => {
    const trial = to && (await trialPassed(lab, action));
    if (trial) return noteReached(lab, { ...trial.invoice, state: to });
    const { invoice, answer } = await performed(lab, from, action);
    if (!accepted(answer)) notApplicable(`${action} was not accepted; LIFE-01 judges that`);
    const { held, record, answer: seen } = await lookUntil(lab, invoice.id, (found) => found?.status === to);
    // What the answer itself shows was so, whatever has become of it since; what has ended there is looked at once more.
    if (to && invoiceIn(answer)?.status === to) noteReached(lab, { ...invoice, state: to });
    if (!held && to && invoiceIn(answer)?.status === to && record?.status !== from) {
      await expectStaysByItself(lab, [to], lab.target.limits.settleWithinMs);
    }
    if (!held && record?.status === from) await expectNotLate(lab, { id: invoice.id, from, answer });
    if (!held)
      throw breach(
        lab,
        seen,
        `status ${to} after an accepted ${action}`,
        `it is ${String(record?.status ?? 'gone')}; if this service has another request for it, correct operations.${action}`,
        [answer],
      );
    const ended = { ...invoice, state: to as InvoiceState };
    keepTrack(lab, ended);
    if (invoiceIn(answer)?.status !== to) noteReached(lab, ended);
  });
}

const cells = lifecycle.states.flatMap((state) =>
  lifecycle.actions.map((action) =>
    lifecycle.offered[state].includes(action) ? offered(state, action) : refused(state, action),
  ),
);

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

/** What somebody may have a mind to forbid once the other party has seen the invoice. */
const UNSEEN_ONLY: readonly InvoiceAction[] = ['delete', 'dispute', 'cancel'];

/** Whether anything was tried, one move after the other. */
async function refusedAfterReadings(lab: Lab, moves: readonly JustRead[]): Promise<boolean> {
  if (IRREVOCABLE.every((each) => moves.some((move) => move === each)) && (await wentJustRead(lab))) return true;
  const moved: (Invoice | null)[] = [];
  for (const move of moves) moved.push(await refusedAfterReading(lab, move, moved.at(-1)));
  return moved.some(Boolean);
}

async function expectDeleted(lab: Lab, invoice: Invoice, what: string): Promise<void> {
  if (invoice.state !== 'DRAFT' || !(await actionWorks(lab, 'delete'))) return;
  const answer = await perform(lab, 'delete', invoice.id);
  if (blamesNotTheState(answer)) return;
  await expectOffered(lab, invoice, answer, `the deletion of ${what}`);
  lab.run.removed(invoice.id);
}

/** An invoice of its kind goes each way that there is. Throws NotApplicable where it cannot go the last one. */
async function expectEveryWay(
  lab: Lab,
  what: string,
  make: () => Promise<Invoice>,
  among: ManyKinds,
  last: InvoiceState = 'SETTLED',
): Promise<void> {
  const { operations } = lab.target;
  for (const end of ['CANCELLED', 'DISPUTED'] as const) {
    if (!operationsTo(end).every((action) => operations[action])) continue;
    await whereReachable(async () => expectAllTheWay(lab, await make(), what, end));
  }
  if (operations.delete) await whereReachable(async () => expectDeleted(lab, await make(), what));
  if (!(await wentAllTheWay(lab, among))) await expectAllTheWay(lab, await make(), what, last);
}

/** Of the first of these sums that an invoice may have here. */
function ofOtherSum(id: CheckId, sums: readonly string[], among: ManyKinds, last: InvoiceState): Check {
  return check(id, ['connection', ...operationsTo(last)], async (lab) => {
    for (const amount of sums) {
      let first = await createdOf(lab, { ...validBody(lab), amount });
      if (!first) continue;
      const make = async () => {
        const made = first ?? (await freshInvoice(lab, { amount }));
        first = null;
        return made;
      };
      return await expectEveryWay(lab, `an invoice of ${amount}`, make, among, last);
    }
    notApplicable(`no invoice of ${sums.join(' or ')} is accepted`);
  });
}

/** Rival actions at the same moment, 20 of them. */
function race(id: CheckId, state: InvoiceState, rivals: readonly InvoiceAction[]): Check {
  return check(id, ['connection', ...operationsTo(state), ...rivals], (lab) => expectOneOrder(lab, state, rivals));
}

export const lifecycleSuite: readonly Check[] = [
  check('LIFE-03.small', ['connection', ...operationsTo('SUBMITTED'), 'settle'], async (lab) => {
    const worksElsewhere = await actionWorks(lab, 'settle');
    const tried = SMALL_SUMS.map(async (amount) => {
      const created = await createdOf(lab, { ...validBody(lab), amount });
      if (!created) return [];
      const invoice = await bring(lab, created, 'SUBMITTED');
      const { record: before } = await lookSettled(lab, invoice);
      await expectStateRefusal(lab, 'settle', invoice, { conflict: false, worksElsewhere });
      await expectUnmoved(lab, invoice, before);
      return [amount];
    });
    if ((await Promise.all(tried)).flat().length === 0)
      notApplicable(`no invoice of ${SMALL_SUMS.join(' or ')} is accepted`);
  }),

  // The longest chains first.
  check('LIFE-01.walk', ['connection', 'buyer', 'submit'], (lab) => expectNothingFound(lab, ['refused'])),
  check('LIFE-02.walk', ['connection', 'buyer', 'submit'], (lab) => expectNothingFound(lab, ['accepted', 'trace'])),
  check('LIFE-10.walk', ['connection', 'buyer', 'submit'], (lab) => expectNothingFound(lab, ['other invoice'])),
  check('LIFE-10.beside', ['connection'], async (lab) => {
    if ((await expectOthersLeftAlone(lab)) === 0) notApplicable('no action could be performed beside another invoice');
  }),
  race('LIFE-02.simultaneous', 'SUBMITTED', ['approve', 'dispute', 'cancel']),
  // What others have left approved by then is settled.
  checkIn('late', 'LIFE-02.simultaneous-settle', ['connection', ...operationsTo('APPROVED'), 'settle'], (lab) =>
    expectOneOrder(lab, 'APPROVED', ['settle']),
  ),
  race('LIFE-02.simultaneous-resolve', 'DISPUTED', ['resolve']),
  race('LIFE-02.simultaneous-draft', 'DRAFT', ['submit', 'delete']),
  ...cells,
  check('LIFE-01.just-read', ['connection', 'read'], async (lab) => {
    const tried = await Promise.all(UNSEEN_ONLY.map((action) => offeredAfterReading(lab, action)));
    if (!tried.includes(true)) notApplicable('no action can be performed right after a look');
  }),
  check('LIFE-01.after-refusals', ['connection'], async (lab) => {
    if ((await expectOfferedAfterRefusals(lab)) === 0)
      notApplicable('no action can be tried after others were refused');
  }),
  check('LIFE-02.just-read', ['connection', 'read', ...operationsTo('SUBMITTED')], async (lab) => {
    const tried = await Promise.all(
      // What is approved stays behind: it is settled, too.
      [['submit'], ['approve', 'settle'], ['cancel']].map((moves) => refusedAfterReadings(lab, moves as JustRead[])),
    );
    if (!tried.includes(true)) notApplicable('no invoice can be moved on between two looks');
  }),
  checkIn('late', 'LIFE-02.no-late-effect', ['connection'], async (lab) => {
    if ((await expectStillUnmoved(lab)) === 0) notApplicable('no action was refused in this run');
    lab.observe('moves-by-itself', 'not seen');
  }),
  checkIn('late', 'LIFE-02.unmoved-in-list', ['connection', 'read'], async (lab) => {
    if ((await expectListedUnmoved(lab)) === 0) notApplicable('no action was refused in this run');
  }),
  outcome('submit'),
  outcome('approve'),
  outcome('dispute'),
  outcome('cancel'),
  outcome('settle'),

  check('LIFE-04.delete', ['connection', 'delete'], async (lab) => {
    const invoice = await reach(lab, 'DRAFT');
    const answer = await perform(lab, 'delete', invoice.id);
    if (!accepted(answer)) notApplicable('delete was not accepted; LIFE-01 judges that');
    const { held, record, answer: seen } = await lookUntil(lab, invoice.id, hasLeft('DRAFT', true));
    if (!held) await expectNotLate(lab, { id: invoice.id, from: 'DRAFT', answer });
    if (!held) throw breach(lab, seen, 'no DRAFT any more after an accepted delete', 'it is still a DRAFT', [answer]);
    if (!record) lab.run.removed(invoice.id);
    else keepTrack(lab, { id: invoice.id, state: record.status as InvoiceState });
  }),

  check('LIFE-04.delete-listed', ['connection', 'delete', 'read'], async (lab) => {
    const invoice = await reach(lab, 'DRAFT');
    // What is not to be seen yet would pass for deleted.
    await lookSettled(lab, invoice);
    const deleted = await perform(lab, 'delete', invoice.id);
    if (!accepted(deleted)) notApplicable('delete was not accepted; LIFE-01 judges that');
    const { record } = await lookUntil(lab, invoice.id, hasLeft('DRAFT', true));
    if (record) return notApplicable(`a deleted draft is kept as ${String(record.status)}`);
    lab.run.removed(invoice.id);
    const shows = ({ records }: { records: InvoiceRecord[] }) => records.some(({ id }) => String(id) === invoice.id);
    // Whether the buyer's key may list is not shown.
    const buyers = lab.target.actors.buyer && (await list(lab, { page: 0, limit: 1 }, { as: lab.who('buyer') }));
    for (const name of buyers && isShown(buyers) ? (['seller', 'buyer'] as const) : (['seller'] as const)) {
      const seen = await pollUntil(
        lab,
        // Others push it off the first page sooner or later, which is no way of being deleted.
        recent(lab, name),
        (each) => !shows(each),
      );
      const because = `the list of the ${name} shows it`;
      if (shows(seen))
        throw breach(lab, seen.answer, `no invoice ${invoice.id}, which was deleted`, because, [deleted]);
    }
  }),

  check('LIFE-01.other-currency', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const currency = await otherCurrency(lab);
    if (!currency) return notApplicable('this server accepts no common currency but its usual one');
    const seen = (await dressed(lab)).body.currency === currency && (await wentAllTheWay(lab, 'most'));
    if (!seen) await expectAllTheWay(lab, await freshInvoice(lab, { currency }), `an invoice in ${currency}`);
    // Whoever judges records sees another way of it, too.
    await whereReachable(async () => lookSettled(lab, await reach(lab, 'DISPUTED', { currency })));
  }),

  check('LIFE-01.least', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    await expectEveryWay(
      lab,
      'an invoice with the required fields alone',
      () => freshInvoice(lab, undressed(lab)),
      'least',
    );
  }),

  check('LIFE-01.dressed', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const make = async () => freshInvoice(lab, (await dressed(lab)).body);
    await expectEveryWay(lab, 'an invoice with all that may go with it', make, 'most');
  }),

  refusedAs('LIFE-02.least', {
    what: 'with the required fields alone',
    make: (lab) => freshInvoice(lab, { ...undressed(lab), amount: WHOLE_SUM }),
    way: ALL_THE_WAY,
    // The second one is without cents.
    among: ['least', 'most'],
  }),
  refusedAs(
    'LIFE-02.dressed',
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

  ofOtherSum('LIFE-01.small', ['0.90', LITTLE_SUM], 'least', 'SETTLED'),
  // Whether there are funds to pay it is another matter.
  ofOtherSum('LIFE-01.large', [LARGE_SUM], 'large', 'APPROVED'),

  checkIn('late', 'LIFE-12.final', ['connection'], async (lab) => {
    if ((await expectStillEnded(lab)) === 0) notApplicable('no invoice was ever seen SETTLED or CANCELLED');
  }),

  checkIn('late', 'LIFE-04.approved-lasts', ['connection'], async (lab) => {
    if ((await expectStillApproved(lab)) === 0) notApplicable('no invoice was ever seen APPROVED');
  }),

  check('LIFE-11.undeclared', ['connection'], async (lab) => {
    const refused = (await undeclaredOnActions(lab)).filter(({ answer }) => isRefused(answer));
    if (refused.length === 0) notApplicable('no action is refused for a field that is not declared');
    for (const { invoice, before, answer, unmoved } of refused)
      if (!unmoved) await expectUnmoved(lab, invoice, before, answer);
  }),

  check('LIFE-13.undeclared', ['connection'], async (lab) => {
    // Where nothing is declared at all, a body may be nothing that anybody looks at.
    const { operations } = lab.target;
    const declares = ({ action }: Undeclared) => operations[action]?.body !== undefined;
    const tried = (await undeclaredOnActions(lab)).filter(declares);
    if (tried.length === 0) notApplicable('no action with a body of its own can be performed');
    for (const { answer } of tried) expectThat(lab, !accepted(answer), answer, 'a refusal with 400', inWords(answer));
  }),

  checkIn('late', 'REC-10.amount', ['connection'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    for (const { id, state, body, created } of invoices) {
      const { record, answer } = await lookSettled(lab, { id, state });
      const kept = record?.amount === body.amount && record.dueDate === body.dueDate;
      const because = `the ${state} invoice has ${String(record?.amount)}, due ${String(record?.dueDate)}`;
      expectThat(lab, kept, answer, `amount ${body.amount} and dueDate ${body.dueDate}, as created`, because);
      // Whether it is returned at all is not shown, nor whether everywhere.
      const [then, now] = [invoiceIn(created)?.description, record?.description];
      const same = typeof then !== 'string' || typeof now !== 'string' || then === now;
      const text = `the ${state} invoice has the description ${JSON.stringify(now)}`;
      expectThat(lab, same, answer, `description ${JSON.stringify(then)}, as created`, text);
    }
  }),
];
