import type { CheckId } from '../../specs/generated/ids.ts';
import { type InvoiceAction, lifecycle } from '../../specs/lifecycle.ts';
import { replaced } from '../overrides/override-rules.ts';
import type { Call } from '../service/call.ts';
import { refusals } from '../service/refusal.ts';
import type { Invoice } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { withDeleted } from './support/keep-deleted.ts';

const HOUR_MS = 3_600_000;

const isRead = ({ request }: Call) => request.method === 'GET';
const elsewhere = ({ store, environment }: Call) => store.worlds[environment === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX'];

/** "One action forgets whose invoice it is": the owner of an id is looked up for every action but one. */
const foreignActions = lifecycle.actions.map(
  (action): Fault => ({
    id: `iso-${action}-of-anybody`,
    requirement: 'ISO-04',
    sentence: `${action} loads the invoice by its id alone, and asks neither whose it is nor who may.`,
    caughtBy: [`ISO-04.${action}` as CheckId],
    rules: replaced((honest) => ({
      findInvoice: (call, id) =>
        call.route.name === action
          ? (call.world.invoices.get(id) ?? honest.findInvoice(call, id))
          : honest.findInvoice(call, id),
      checkParty: (call, invoice, asked) => {
        const own = [invoice.sellerOrganizationId, invoice.buyerOrganizationId].includes(call.organizationId);
        if (asked !== action || own) honest.checkParty(call, invoice, asked);
      },
    })),
  }),
);

/** An action on an id that does not exist is refused in a way of its own. */
function absent(action: InvoiceAction, refusal: () => Error, how: string): Fault {
  return {
    id: `iso-${action}-absent`,
    requirement: 'ISO-05',
    sentence: `${action} of an id that does not exist ${how}.`,
    caughtBy: [`ISO-05.${action}` as CheckId],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        if (call.route.name === action && !call.world.invoices.has(id)) throw refusal();
        return honest.findInvoice(call, id);
      },
    })),
  };
}

const absentActions: readonly Fault[] = [
  absent('submit', refusals.noSuchRoute, 'is a 404 without the code of the module'),
  absent('delete', refusals.actionNotAllowed, 'is refused with 412: no row was in the right state'),
  absent('approve', refusals.actionNotAllowed, 'is refused with 412: no row was in the right state'),
  absent('dispute', () => refusals.invalidInvoice('unknown id'), 'is an invalid request'),
  absent('cancel', refusals.actionConflict, 'is a conflict'),
  absent('settle', refusals.notEnoughFunds, 'has no funds'),
  absent('resolve', () => new TypeError('invoice is undefined'), 'crashes'),
];

const inSomeStates: readonly Fault[] = [
  {
    id: 'iso-read-like',
    requirement: 'ISO-05',
    sentence: 'One invoice is read with LIKE: the beginning of an id finds it.',
    caughtBy: ['ISO-05.similar-ids'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const like = isRead(call) && honest.visible(call).find((invoice) => invoice.id.startsWith(id));
        return like || honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-by-pattern',
    requirement: 'ISO-05',
    sentence: 'One invoice is read with LIKE: a wildcard in its id finds it.',
    caughtBy: ['ISO-05.similar-ids'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const like = (each: string) =>
          each.length === id.length && [...id].every((one, at) => one === '_' || one === each[at]);
        const found = isRead(call) && id.includes('_') && honest.visible(call).find((invoice) => like(invoice.id));
        return found || honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-settled-for-production',
    requirement: 'ISO-01',
    sentence: 'Settled invoices are read from an archive that both environments share.',
    caughtBy: ['ISO-01.every-state'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const other = elsewhere(call).invoices.get(id);
        return isRead(call) && other?.status === 'SETTLED' ? other : honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-cancelled-for-anybody',
    requirement: 'ISO-04',
    sentence: 'Whoever knows the id may read what is cancelled: the archive asks for no organization.',
    caughtBy: ['ISO-04.every-state'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const found = call.world.invoices.get(id);
        return isRead(call) && found?.status === 'CANCELLED' ? found : honest.findInvoice(call, id);
      },
    })),
  },
];

const deletedTwice: Fault = {
  id: 'iso-delete-absent-is-done',
  requirement: 'ISO-05',
  sentence: 'Deleting what does not exist is done already, and answered with 204.',
  caughtBy: ['ISO-05.delete'],
  routes: (honest) =>
    honest.map((route) =>
      route.name === 'delete'
        ? {
            ...route,
            perform: (call) =>
              call.world.invoices.has(call.request.params.id ?? '') ? route.perform(call) : { status: 204 },
          }
        : route,
    ),
};

/** Deleted drafts are only marked, and such a submission brings one back. */
const broughtBack = (by: (call: Call) => boolean) =>
  withDeleted((honest, deleted) => ({
    findInvoice: (call, id) => {
      const marked = deleted.get(id);
      if (!marked || call.route.name !== 'submit' || !by(call)) return honest.findInvoice(call, id);
      deleted.delete(id);
      call.world.invoices.set(id, marked);
      return marked;
    },
  }));

const sights: readonly Fault[] = [
  {
    id: 'iso-production-reads-sandbox',
    requirement: 'ISO-01',
    sentence: 'One invoice is read from either environment: ids are unique across both.',
    caughtBy: ['ISO-01.read', 'ISO-02.read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) =>
        isRead(call) && elsewhere(call).invoices.has(id)
          ? honest.findInvoice({ ...call, world: elsewhere(call) }, id)
          : honest.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-sandbox-reads-production',
    requirement: 'ISO-02',
    sentence: 'A cache of single invoices is keyed without the environment: a sandbox key reads a production invoice.',
    caughtBy: ['ISO-02.read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) =>
        isRead(call) && call.environment === 'SANDBOX' && elsewhere(call).invoices.has(id)
          ? honest.findInvoice({ ...call, world: elsewhere(call) }, id)
          : honest.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-production-lists-sandbox',
    requirement: 'ISO-01',
    sentence: 'The production list shows the sandbox invoices, too, marked in the dashboard only.',
    caughtBy: ['ISO-01.list', 'ISO-03.totals'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.environment === 'PRODUCTION'
          ? [...honest.visible({ ...call, world: elsewhere(call) }), ...honest.visible(call)]
          : honest.visible(call),
    })),
  },
  {
    id: 'iso-sandbox-lists-production',
    requirement: 'ISO-02',
    sentence: 'The sandbox was filled with a copy of production, and the copy is kept up to date.',
    caughtBy: ['ISO-02.list'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.environment === 'SANDBOX'
          ? [...honest.visible({ ...call, world: elsewhere(call) }), ...honest.visible(call)]
          : honest.visible(call),
    })),
  },
  {
    id: 'iso-totals-of-both',
    requirement: 'ISO-03',
    sentence: 'The total is counted over both environments; the records are not.',
    caughtBy: ['ISO-03.totals'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const other = honest.visible({ ...call, world: elsewhere(call) }).length;
        const total = invoices.length + (call.environment === 'PRODUCTION' ? other : 0);
        return { ...honest.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
      },
    })),
  },
  {
    id: 'iso-copied-to-production',
    requirement: 'ISO-03',
    sentence: 'What is to be created once only is stored in either environment, so that it is found in both.',
    caughtBy: ['ISO-03.totals'],
    rules: replaced((honest) => ({
      issue: (call, input, invoiceNumber) => {
        if (call.body.requestId !== undefined) honest.issue({ ...call, world: elsewhere(call) }, input, invoiceNumber);
        return honest.issue(call, input, invoiceNumber);
      },
    })),
  },
  {
    id: 'iso-read-of-anybody',
    requirement: 'ISO-04',
    sentence: 'One invoice is read by its id alone.',
    caughtBy: ['ISO-04.read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) =>
        (isRead(call) ? call.world.invoices.get(id) : undefined) ?? honest.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-archive-of-anybody',
    requirement: 'ISO-04',
    sentence: 'What is older than an hour is read from the archive, which knows no owners.',
    caughtBy: ['ISO-04.listed-by-others'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const found = isRead(call) ? call.world.invoices.get(id) : undefined;
        const archived = found && call.rules.now().getTime() - Date.parse(found.createdAt) > HOUR_MS;
        return archived ? found : honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-in-capitals',
    requirement: 'ISO-04',
    sentence: 'An id in capitals is looked up again in small letters, and nobody asks again whose it is.',
    caughtBy: ['ISO-04.read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) =>
        (id === id.toLowerCase() ? undefined : call.world.invoices.get(id.toLowerCase())) ??
        honest.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-environment-by-query',
    requirement: 'ISO-02',
    sentence: 'The list of the dashboard takes its environment from the query, and an API key may use it.',
    caughtBy: ['ISO-02.list'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.request.query.get('environment') === 'PRODUCTION'
          ? honest.visible({ ...call, world: call.store.worlds.PRODUCTION })
          : honest.visible(call),
    })),
  },
  {
    id: 'iso-read-403',
    requirement: 'ISO-04',
    sentence: 'An invoice of another organization is forbidden, 403, which tells that it exists.',
    caughtBy: ['ISO-04.read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const own = [...call.world.invoices.values()].find((each) => each.id === id);
        const party = own && [own.sellerOrganizationId, own.buyerOrganizationId].includes(call.organizationId);
        if (own && !party && isRead(call)) throw refusals.wrongParty();
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-settled-told-to-anybody',
    requirement: 'ISO-04',
    sentence: 'Whoever approves a SETTLED invoice is told that it is, before anybody asks whose it is.',
    caughtBy: ['ISO-04.wrong-state'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const settled = call.world.invoices.get(id)?.status === 'SETTLED';
        if (settled && call.route.name === 'approve') throw refusals.actionNotAllowed();
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-oldest-first-of-both',
    requirement: 'ISO-01',
    sentence:
      'In ascending order the list is read from the archive, in which there is one table for both environments.',
    caughtBy: ['ISO-01.list'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) => {
        const archived = query.sortOrder === 'asc' && call.environment === 'PRODUCTION';
        const more = archived ? honest.visible({ ...call, world: elsewhere(call) }) : [];
        return [...honest.sort(call, invoices, query), ...more];
      },
    })),
  },
  {
    id: 'iso-state-before-owner',
    requirement: 'ISO-04',
    sentence: 'The state is judged before the owner: a stranger learns the state of an invoice from the refusal.',
    caughtBy: ['ISO-04.wrong-state'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const invoice = call.world.invoices.get(id);
        const action = lifecycle.actions.find((each) => each === call.route.name);
        if (invoice && action && !lifecycle.offered[invoice.status].includes(action)) throw refusals.actionNotAllowed();
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-absent-null',
    requirement: 'ISO-05',
    sentence: 'Reading an id that does not exist answers 200 with null.',
    caughtBy: ['ISO-05.read'],
    routes: (honest) =>
      honest.map((route) =>
        route.name === 'read'
          ? {
              ...route,
              perform: (call) =>
                call.world.invoices.has(call.request.params.id ?? '')
                  ? route.perform(call)
                  : { status: 200, body: null },
            }
          : route,
      ),
  },
  {
    id: 'iso-unusual-id-crashes',
    requirement: 'ISO-05',
    sentence: 'An id that is no UUID makes the database throw: 500.',
    caughtBy: ['ISO-05.unusual-form', 'ERR-05.no-internal-error'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError('invalid input syntax for type uuid');
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-odd-id-breaks-actions',
    requirement: 'ISO-05',
    sentence: 'An action looks its invoice up by a UUID: any other id breaks the query, 500.',
    caughtBy: ['ISO-05.unusual-form'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        if (call.route.name !== 'read' && id === 'no-such-form') throw new TypeError('Invalid UUID string');
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-deleted-submitted',
    requirement: 'ISO-05',
    sentence: 'Deleted drafts are only marked, and submitting one brings it back.',
    caughtBy: ['ISO-05.deleted'],
    rules: broughtBack(() => true),
  },
  {
    id: 'iso-deleted-submitted-with-request-id',
    requirement: 'ISO-05',
    sentence: 'A submission that can be replayed finds its invoice by another query, which knows no mark of deletion.',
    caughtBy: ['ISO-05.deleted'],
    rules: broughtBack((call) => call.body.requestId !== undefined),
  },
  {
    id: 'iso-deleted-read-by-buyer',
    requirement: 'ISO-05',
    sentence: 'A deleted draft is gone for its seller, and can be read by its buyer.',
    caughtBy: ['ISO-05.deleted'],
    rules: withDeleted((honest, deleted) => ({
      findInvoice: (call, id) => {
        const gone = deleted.get(id);
        return gone?.buyerOrganizationId === call.organizationId ? gone : honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-buyer-reads-production',
    requirement: 'ISO-02',
    sentence: 'What an organization has bought is looked up in both environments.',
    caughtBy: ['ISO-02.read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const other = elsewhere(call).invoices.get(id);
        const theirs = call.environment === 'SANDBOX' && other?.buyerOrganizationId === call.organizationId;
        return isRead(call) && theirs ? other : honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-due-dates-of-both',
    requirement: 'ISO-02',
    sentence: 'Sorting by due date comes from a view that knows no environments.',
    caughtBy: ['ISO-02.list'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) => {
        const mine = ({ sellerOrganizationId: seller, buyerOrganizationId: buyer }: Invoice) =>
          [seller, buyer].includes(call.organizationId);
        const both = call.environment === 'SANDBOX' && query.sortBy === 'dueDate';
        const more = both ? [...elsewhere(call).invoices.values()].filter(mine) : [];
        return honest.sort(call, [...invoices, ...more], query);
      },
    })),
  },
  {
    id: 'iso-production-lists-sandbox-by-default',
    requirement: 'ISO-01',
    sentence: 'Without an order the list comes from a cache of the newest, which both environments share.',
    caughtBy: ['ISO-01.list'],
    rules: replaced((honest) => ({
      visible: (call) => {
        const shared = call.environment === 'PRODUCTION' && !call.request.query.has('sortBy');
        return shared
          ? [...honest.visible(call), ...elsewhere(call).invoices.values()].reverse()
          : honest.visible(call);
      },
    })),
  },
  {
    id: 'iso-production-lists-sandbox-by-status',
    requirement: 'ISO-01',
    sentence:
      'The order of states comes from a table that is joined, and with it comes what is in the other environment.',
    caughtBy: ['ISO-01.list'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.environment === 'PRODUCTION' && call.request.query.get('sortBy') === 'status'
          ? [...honest.visible({ ...call, world: elsewhere(call) }), ...honest.visible(call)]
          : honest.visible(call),
    })),
  },
  {
    id: 'iso-production-named-lists-sandbox',
    requirement: 'ISO-01',
    sentence: 'Who names PRODUCTION is taken to the whole of the data, of which the dashboard shows a part.',
    caughtBy: ['ISO-01.list'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.environment === 'PRODUCTION' && call.request.headers.has('X-Environment')
          ? [...honest.visible({ ...call, world: elsewhere(call) }), ...honest.visible(call)]
          : honest.visible(call),
    })),
  },
  {
    id: 'iso-read-by-number',
    requirement: 'ISO-04',
    sentence: 'Support reads invoices by their number; nobody asks whose they are.',
    caughtBy: ['ISO-04.read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const named = [...call.world.invoices.values()].find(({ invoiceNumber }) => invoiceNumber === id);
        return isRead(call) && named ? named : honest.findInvoice(call, id);
      },
    })),
  },
];

export const isolationFaults: readonly Fault[] = [
  ...sights,
  ...foreignActions,
  ...inSomeStates,
  ...absentActions,
  deletedTwice,
];
