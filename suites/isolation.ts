import { oneOfEachKind } from '../helpers/adaptation/invoice-variants.ts';
import { environment, ownEnvironment } from '../helpers/api/environment-header.ts';
import { act, type ListQuery, list, NEWEST_FIRST, readInvoice, takesRequestId } from '../helpers/api/operations.ts';
import { accepted, isShown } from '../helpers/api/response-status.ts';
import { type Answer, type InvoiceRecord, invoiceIn, inWords, recordsIn } from '../helpers/api/responses.ts';
import { breach, expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { persistently } from '../helpers/assert/repeat-experiment.ts';
import { expectCalm } from '../helpers/assert/stable-total.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { actionWorks } from '../helpers/controls/controls.ts';
import { readsGoBack } from '../helpers/controls/stale-reads.ts';
import { expectNoAccess } from '../helpers/environments/inaccessible-invoice.ts';
import { expectDeployed, listProduction, productionInvoices } from '../helpers/environments/production.ts';
import { partyFor, perform } from '../helpers/invoices/acting-party.ts';
import { actingQuietly } from '../helpers/invoices/exclusively.ts';
import { lookSettled, lookUntil, newest } from '../helpers/invoices/find-invoice.ts';
import {
  freshInvoice,
  type Invoice,
  inEachState,
  operationsTo,
  reach,
  stateOffering,
  whereReachable,
} from '../helpers/invoices/invoices.ts';
import { asPage, deepPageOf, type Page, pageOf } from '../helpers/invoices/list-page.ts';
import { absentId } from '../helpers/invoices/nonexistent-id.ts';
import { isAnother } from '../helpers/invoices/same-invoice.ts';
import { expectUnmoved } from '../helpers/lifecycle/rejected-action.ts';
import { othersInvoices } from '../helpers/lists/foreign-invoices.ts';
import { oneOfEachState } from '../helpers/lists/invoice-of-each-state.ts';
import { aroundCreations } from '../helpers/lists/snapshot.ts';
import { mirroredBalance, mixedBalances, partysBalance } from '../helpers/treasury/balances/balance-mix-up.ts';
import { productionFunds } from '../helpers/treasury/balances/production-balance.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';
import type { ActorName } from '../specs/target.ts';

const NOT_YOURS = [404] as const;
const MOST_TRIED = 5;

/** An action by a third organization, in the state that offers it. */
function byOutsider(action: InvoiceAction): Check {
  const state = stateOffering(action);
  const needs = ['connection', 'outsider', ...operationsTo(state), action] as const;
  return check(`ISO-04.${action}` as CheckId, needs, async (lab) => {
    if (!(await actionWorks(lab, action))) notApplicable(`no invoice is ever ${state}`);
    const invoice = await reach(lab, state);
    const { record: before } = await lookSettled(lab, invoice);
    await expectUnmoved(lab, invoice, before, await expectNoAccess(lab, action, invoice.id, 'outsider'));
  });
}

/** The control: the same action on an existing invoice is accepted in this run. */
function onAbsent(action: InvoiceAction): Check {
  return check(
    `ISO-05.${action}` as CheckId,
    ['connection', ...operationsTo(stateOffering(action)), action],
    async (lab) => {
      if (!(await actionWorks(lab, action))) notApplicable(`no invoice is ever in the state that offers ${action}`);
      const answer = await act(lab, action, await absentId(lab), { as: lab.who(partyFor(lab, action)) });
      expectRefused(lab, answer, NOT_YOURS, 'INV001');
    },
  );
}

/** What is known of an invoice that the kit has made. */
function asKnown({ id, body: { amount, dueDate } }: Invoice): InvoiceRecord {
  return { id, amount, dueDate };
}

async function expectNoSight(lab: Lab, known: InvoiceRecord, as: ActorName): Promise<void> {
  // Asked again it is no less another's, nor where the environment of the key is named.
  for (const headers of [[], environment(as === 'production' ? 'PRODUCTION' : 'SANDBOX')]) {
    const answer = await readInvoice(lab, String(known.id), { as: lab.who(as), headers });
    // Whoever has an id of their own that is the same sees something else under it.
    if (accepted(answer) && isAnother(invoiceIn(answer), known)) continue;
    expectDeployed(answer);
    if (answer.status === 403) await expectMayRead(lab, as);
    expectRefused(lab, answer, NOT_YOURS, 'INV001');
  }
}

/** Throws Blocked where the key gets 403 for an id that never existed, too: it may not read at all. */
async function expectMayRead(lab: Lab, as: ActorName): Promise<void> {
  const never = await readInvoice(lab, await absentId(lab), { as: lab.who(as) });
  expectPermitted(never);
  lab.run.permissions.grant(never);
}

/** What is hidden is hidden in whichever state it is. */
function hiddenInEveryState(id: CheckId, from: 'production' | 'outsider'): Check {
  return checkIn('late', id, ['connection', 'read', from], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    await Promise.all(invoices.map((invoice) => expectNoSight(lab, asKnown(invoice), from)));
  });
}

/** It is hidden whatever it is: an invoice that is unlike most others is no less another's. */
function hiddenOfEveryKind(id: CheckId, from: 'production' | 'outsider'): Check {
  return checkIn('late', id, ['connection', 'read', from], async (lab) => {
    const { kinds } = await oneOfEachKind(lab);
    if (kinds.length === 0) notApplicable('no invoice can be had that is unlike the others');
    await Promise.all(kinds.map(({ invoice }) => expectNoSight(lab, asKnown(invoice), from)));
  });
}

/** What production counts. Throws NotApplicable where its key may not list. */
async function productionPage(lab: Lab): Promise<Page> {
  const answer = await listProduction(lab, { page: 0, limit: 1 });
  expectPermitted(answer);
  return asPage(answer);
}

/** Throws a Breach where the production total is another one than before, and does not change all the time. */
async function expectSameTotal(lab: Lab, before: Page, what: string): Promise<void> {
  const after = await productionPage(lab);
  if (after.total === before.total) return;
  await expectCalm(lab, async () => (await productionPage(lab)).total);
  const because = `it is ${after.total} after ${what} (${inWords(after.answer)})`;
  throw breach(lab, after.answer, `the production total ${before.total}, as before`, because, [before.answer]);
}

/** The newest and the oldest pages: what belongs elsewhere may be as old as production is. */
async function endsOfList(lab: Lab): Promise<Answer[]> {
  const first = await pageOf(lab, NEWEST_FIRST);
  const others = [...new Set([1, first.totalPages - 2, first.totalPages - 1])].filter(
    (page) => page > 0 && page < first.totalPages,
  );
  const rest = await Promise.all(others.map((page) => deepPageOf(lab, { ...NEWEST_FIRST, page })));
  return [first, ...rest].flatMap((seen) => (seen ? [seen.answer] : []));
}

/** What people sort by beside the time of creation. */
const OTHER_FIELDS = ['dueDate', 'amount', 'status', 'currency', 'invoiceNumber'] as const;

/** Ways to ask for a list: each may be a statement of its own at the server. */
const OTHER_ORDERS = [
  { page: 0, limit: 100 },
  { page: 0, limit: 100, sortBy: 'dueDate', sortOrder: 'desc' },
  { page: 0, limit: 100, sortBy: 'amount', sortOrder: 'desc' },
] as const;

/** Lists in other orders, and those of the other sandbox keys. */
async function otherViews(lab: Lab): Promise<Answer[]> {
  const names = lab.known('buyer', 'readOnly');
  return await Promise.all([
    ...OTHER_ORDERS.map((query) => list(lab, query)),
    list(lab, NEWEST_FIRST, { headers: ownEnvironment }),
    // What is not declared may be refused; it is no way into the other environment.
    list(lab, { ...NEWEST_FIRST, environment: 'PRODUCTION' } as ListQuery),
    ...names.map((name) => list(lab, NEWEST_FIRST, { as: lab.who(name) })),
  ]);
}

export const isolation: readonly Check[] = [
  check('ISO-01.read', ['connection', 'production', 'read'], async (lab) => {
    await expectNoSight(lab, asKnown(await freshInvoice(lab)), 'production');
  }),

  check('ISO-01.list', ['connection', 'production'], async (lab) => {
    const invoice = await freshInvoice(lab);
    const { records } = await newest(lab);
    // What was there before may be in both, from the same fixtures.
    const own = new Set(lab.run.leftovers().map(([id]) => id));
    const made = [...records.filter(({ id }) => own.has(String(id))), asKnown(invoice)];
    const sandbox = new Map(made.map((record) => [String(record.id), record]));
    const views: [query: ListQuery, headers?: [string, string][]][] = [
      [NEWEST_FIRST],
      [NEWEST_FIRST, environment('PRODUCTION')],
      [{ ...NEWEST_FIRST, page: 1 }],
      // Of the second page, a part that holds some of the newest hundred.
      [{ ...NEWEST_FIRST, page: 1, limit: 40 }],
      [{ page: 0, limit: 100 }],
      ...OTHER_FIELDS.map((sortBy): [ListQuery] => [{ page: 0, limit: 100, sortBy, sortOrder: 'desc' }]),
    ];
    const oldestFirst = { page: 0, limit: 100, sortBy: 'createdAt', sortOrder: 'asc' };
    // The newest are on the last page, or on the one before when the last page has just begun.
    const { totalPages } = asPage(await listProduction(lab, oldestFirst));
    for (const page of [totalPages - 1, totalPages - 2]) if (page >= 0) views.push([{ ...oldestFirst, page }]);
    for (const answer of await Promise.all(views.map((view) => listProduction(lab, ...view)))) {
      const shown = recordsIn(answer).find((record) => {
        const known = sandbox.get(String(record.id));
        return known !== undefined && !isAnother(record, known);
      });
      const because = `it shows the sandbox invoice ${String(shown?.id)}`;
      expectThat(lab, !shown, answer, 'no sandbox invoice in the production list', because);
    }
  }),

  hiddenInEveryState('ISO-01.every-state', 'production'),
  hiddenOfEveryKind('ISO-01.every-kind', 'production'),

  check('ISO-02.read', ['seller', 'production', 'read'], async (lab) => {
    const invoices = await productionInvoices(lab);
    if (invoices.length === 0) notApplicable('production holds no invoice that a sandbox key could try to read');
    for (const known of invoices.slice(0, MOST_TRIED)) await expectNoSight(lab, known, 'seller');
    // Every key of the sandbox is one, whosever it is.
    const [one] = invoices;
    const others = lab.known('buyer', 'readOnly', 'outsider');
    for (const name of others) {
      // Which keys may read at all is not shown; what one is told for an id that never existed says whether this one may.
      const never = await readInvoice(lab, await absentId(lab), { as: lab.who(name) });
      if (one && never.status !== 403) await expectNoSight(lab, one, name);
    }
  }),

  // Late, where there are so many invoices that the newest and the oldest stand on pages of their own.
  checkIn('late', 'ISO-02.list', ['seller', 'production'], async (lab) => {
    const production = new Map((await productionInvoices(lab)).map((known) => [known.id, known]));
    if (production.size === 0) notApplicable('production holds no invoice that could show up');
    for (const answer of [...(await endsOfList(lab)), ...(await otherViews(lab))]) {
      const shown = recordsIn(answer).find((record) => {
        const known = production.get(record.id);
        return known && !isAnother(record, known);
      });
      const because = `it shows the production invoice ${String(shown?.id)}`;
      expectThat(lab, !shown, answer, 'no production invoice in the sandbox list', because);
    }
  }),

  check('ISO-02.balance', ['seller', 'production', 'treasuryBalance'], async (lab) => {
    const mirrored = await mirroredBalance(lab, productionFunds, 'balances of both environments');
    if (mirrored) {
      const because = 'it is that of the sandbox, also after a withdrawal there';
      throw breach(lab, mirrored.other, 'a balance of its own for each environment', because, [mirrored.sandbox]);
    }
    const mixed = await mixedBalances(lab);
    if (!mixed) return;
    const because = 'it is that of whichever environment has asked for its own a moment before';
    throw breach(lab, mixed.sandbox, 'a balance of its own for each environment', because, [mixed.other]);
  }),

  check('ISO-07.balance', ['connection', 'seller', 'buyer', 'treasuryBalance', 'treasuryWithdraw'], async (lab) => {
    const mirrored = await mirroredBalance(lab, partysBalance, 'balances of both parties', 1);
    if (!mirrored) return;
    const because = 'it is that of the other party, also after a withdrawal of theirs';
    throw breach(lab, mirrored.other, 'a balance of its own for each organization', because, [mirrored.sandbox]);
  }),

  checkIn('late', 'ISO-03.totals', ['connection', 'production'], (lab) =>
    aroundCreations(lab, {
      before: () => productionPage(lab),
      after: (made, before) => expectSameTotal(lab, before, `${made.length} sandbox creations`),
    }),
  ),

  check('ISO-03.every-state', ['connection', 'production'], async (lab) => {
    const before = await productionPage(lab);
    await inEachState(lab);
    if ((await productionPage(lab)).total === before.total) return;
    await actingQuietly(lab, () =>
      persistently(lab, async () => {
        const earlier = await productionPage(lab);
        const states = (await inEachState(lab)).map(({ state }) => state);
        await expectSameTotal(lab, earlier, `sandbox invoices came to be ${states.join(', ')}`);
      }),
    );
  }),

  check('ISO-04.read', ['connection', 'outsider', 'read'], async (lab) => {
    const invoice = await freshInvoice(lab);
    const seen = await pollUntil(lab, () => readInvoice(lab, invoice.id), accepted);
    expectThat(
      lab,
      accepted(seen),
      seen,
      'the same read accepted for the organization that owns the invoice',
      `answered with ${seen.status}`,
    );
    await expectNoSight(lab, asKnown(invoice), 'outsider');
    // In another spelling it is another id, or the same invoice: neither is theirs.
    for (const spelt of [invoice.id.toUpperCase(), `${invoice.id} `].filter((each) => each !== invoice.id)) {
      const answer = await readInvoice(lab, spelt, { as: lab.who('outsider') });
      const leaked = accepted(answer) && invoiceIn(answer)?.id === invoice.id;
      expectThat(lab, !leaked, answer, `no invoice ${invoice.id} for another organization`, 'it is shown');
    }
    const number = invoiceIn(seen)?.invoiceNumber;
    if (typeof number !== 'string' || number === '' || number === invoice.id) return;
    // Where numbers are a way to an invoice, it is shut for others as well; one of their own may bear the same.
    const byNumber = await readInvoice(lab, number, { as: lab.who('outsider') });
    const leaked = accepted(byNumber) && invoiceIn(byNumber)?.id === invoice.id;
    expectThat(lab, !leaked, byNumber, `no invoice ${invoice.id} for another organization`, 'its number shows it');
  }),

  hiddenInEveryState('ISO-04.every-state', 'outsider'),
  hiddenOfEveryKind('ISO-04.every-kind', 'outsider'),

  checkIn('late', 'ISO-04.act-on-every-kind', ['connection', 'outsider'], async (lab) => {
    const { kinds } = await oneOfEachKind(lab);
    const tried = await Promise.all(
      kinds.map(async ({ invoice }) => {
        const { record: before } = await lookSettled(lab, invoice);
        const offered = lifecycle.offered[invoice.state].filter((action) => lab.target.operations[action]);
        for (const action of offered) await expectNoAccess(lab, action, invoice.id, 'outsider');
        await expectUnmoved(lab, invoice, before);
        return offered.length;
      }),
    );
    if (tried.every((count) => count === 0)) notApplicable('no action is bound that these invoices offer');
  }),

  check('ISO-04.known-others', ['seller', 'read'], async (lab) => {
    const invoices = await othersInvoices(lab);
    if (invoices.length === 0)
      notApplicable('no other key of the sandbox lists an invoice of which the seller is no party');
    for (const known of invoices) await expectNoSight(lab, known, 'seller');
    const [one] = invoices;
    const shares = lab.run.plan.organizations.readOnly === lab.organization('seller');
    if (one && shares) await expectNoSight(lab, one, 'readOnly');
  }),

  check('ISO-04.wrong-state', ['connection', 'outsider'], async (lab) => {
    const { operations } = lab.target;
    const tried = await Promise.all(
      (await inEachState(lab)).map(async (invoice) => {
        const { record: before } = await lookSettled(lab, invoice);
        const notOffered = lifecycle.actions.filter(
          (action) => operations[action] && !lifecycle.offered[invoice.state].includes(action),
        );
        for (const action of notOffered) await expectNoAccess(lab, action, invoice.id, 'outsider');
        await expectUnmoved(lab, invoice, before);
        return notOffered.length;
      }),
    );
    if (tried.every((count) => count === 0)) notApplicable('no action is bound that these invoices do not offer');
  }),

  ...lifecycle.actions.map(byOutsider),

  check('ISO-05.read', ['seller', 'read'], async (lab) => {
    const answer = await readInvoice(lab, await absentId(lab));
    expectRefused(lab, answer, NOT_YOURS, 'INV001');
  }),

  check('ISO-05.unusual-form', ['seller', 'read', 'boundOperations'], async (lab) => {
    for (const id of ['no-such-form', '0', '-1', 'null', "o'brien", `x${'0'.repeat(200)}`]) {
      const answer = await readInvoice(lab, id);
      lab.observe('malformed-id', answer.status);
      // Whose ids count from nothing has an invoice of that id.
      if (isShown(answer) && invoiceIn(answer)?.id === id) continue;
      // Whether such an id is an invalid request or one that does not exist is left open.
      expectRefused(lab, answer, [404, 400], answer.status === 404 ? 'INV001' : undefined);
    }
    for (const action of lifecycle.actions.filter((each) => lab.target.operations[each])) {
      const answer = await act(lab, action, 'no-such-form', { as: lab.who(partyFor(lab, action)) });
      // Which key may do what is not shown.
      if (answer.status === 403) continue;
      expectRefused(lab, answer, [404, 400], answer.status === 404 ? 'INV001' : undefined);
    }
  }),

  check('ISO-05.deleted', ['connection', 'delete', 'read'], async (lab) => {
    const invoice = await reach(lab, 'DRAFT');
    // What is not to be seen yet would pass for deleted.
    await lookSettled(lab, invoice);
    const deleted = await perform(lab, 'delete', invoice.id);
    if (!accepted(deleted)) notApplicable('delete is refused; LIFE-01 judges that');
    const { record } = await lookUntil(lab, invoice.id, (found) => found === null);
    if (record) return notApplicable(`a deleted draft is kept as ${String(record.status)}`);
    lab.run.removed(invoice.id);
    for (const name of lab.known('buyer', 'readOnly')) {
      const read = () => readInvoice(lab, invoice.id, { as: lab.who(name) });
      const answer = await pollUntil(lab, read, (seen) => !accepted(seen));
      const because = `the ${name} still reads it`;
      expectThat(lab, !accepted(answer), answer, `404 INV001: the seller has deleted invoice ${invoice.id}`, because);
    }
    for (const action of lifecycle.actions.filter((each) => lab.target.operations[each])) {
      // Whose it is to ask for it is learned where it is offered; whether it is accepted there is judged elsewhere.
      await whereReachable(() => actionWorks(lab, action));
      const as = lab.who(partyFor(lab, action));
      const identified = action === 'submit' && takesRequestId(lab, action);
      for (const extra of [{ as }, ...(identified ? [{ as, requestId: lab.requestId() }] : [])]) {
        const answer = await act(lab, action, invoice.id, extra);
        // Which key may do what is not shown.
        if (answer.status === 403) continue;
        if (accepted(answer) && (await readsGoBack(lab)))
          notApplicable('looks do not tell whether a draft is gone yet');
        // That it is gone is a state, too.
        expectRefused(lab, answer, [404, 409, 412], answer.status === 404 ? 'INV001' : undefined);
      }
    }
  }),

  check('ISO-05.alike', ['connection', 'read'], async (lab) => {
    const { id } = await freshInvoice(lab);
    const begins = [id.slice(0, -1), id.slice(0, Math.ceil(id.length / 2)), id.split(/[^0-9a-z]/i, 1)[0] ?? id];
    // What lacks the last segment of a path is the path of something else.
    const least = id.lastIndexOf('/') + 1;
    const begun = begins.filter((each) => each.length > least && each !== id);
    // What databases take for any letter, and people do not.
    const wild = ['%', '_', '*'].map((any) => `${id.slice(0, -1)}${any}`);
    for (const asked of [...begun, `${id}0`, `${id}x`, ...wild]) {
      const answer = await readInvoice(lab, asked);
      // Such an id may be somebody's: then it is that one which comes.
      const found = invoiceIn(answer)?.id;
      const because = `it shows invoice ${String(found)}`;
      expectThat(lab, !accepted(answer) || found === asked, answer, `invoice ${asked}, or 404 INV001`, because);
    }
  }),

  ...lifecycle.actions.map(onAbsent),
];
