import type { Call } from '../call.ts';
import { addFunds } from '../honest/funds.ts';
import { toCents } from '../money.ts';
import { Refusal } from '../refusal.ts';
import type { Invoice } from '../store.ts';
import { replaced } from '../variations/replaced.ts';
import type { Fault } from './fault.ts';

/** Whatever the funds are. */
function settledUnfunded(
  { world }: Call,
  { amount, currency, buyerOrganizationId, sellerOrganizationId }: Invoice,
): void {
  addFunds(world, buyerOrganizationId, currency, -toCents(amount));
  addFunds(world, sellerOrganizationId, currency, toCents(amount));
}

const creates = ({ route }: Call) => route.name === 'create';

/** What is checked everywhere but on one of the paths that lead there. */
export const onePathFaults: readonly Fault[] = [
  {
    id: 'auth-prefix-not-compared',
    requirement: 'AUTH-02',
    sentence: 'Keys are looked up by what stands behind their prefix.',
    caughtBy: ['AUTH-02.other-prefix'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const headers = new Headers(request.headers);
        const rest = headers.get('X-API-Key')?.replace(/^svc_(sand|prod)_/, '');
        const known = [...service.store.keys.keys()].find((key) => key.replace(/^svc_(sand|prod)_/, '') === rest);
        if (rest && known) headers.set('X-API-Key', known);
        return honest.authenticate(service, { ...request, headers });
      },
    })),
  },
  {
    id: 'auth-wrong-secret-of-buyer',
    requirement: 'AUTH-03',
    sentence: 'The secret is compared for the keys that were migrated, and not for the first one of the table.',
    caughtBy: ['AUTH-03.wrong'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        const others = found && found.environment === 'PRODUCTION' && found.state === 'active';
        return others && request.headers.get('X-API-Secret') ? found : honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-dashboard-needs-no-secret',
    requirement: 'AUTH-03',
    sentence:
      'A request with X-Environment comes from the dashboard, whose session is trusted: the secret is not compared.',
    caughtBy: ['AUTH-03.wrong'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        return found?.state === 'active' && request.headers.has('X-Environment')
          ? found
          : honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'perm-requestid-skips-scope',
    requirement: 'PERM-01',
    sentence: 'A creation with a requestId goes through the replay store, which does not ask for the scope.',
    caughtBy: ['PERM-01.create'],
    rules: replaced((honest) => ({
      authorize: (call) => {
        if (!creates(call) || !call.request.text.includes('"requestId"')) honest.authorize(call);
      },
    })),
  },
  {
    id: 'create-requestid-skips-strictness',
    requirement: 'CREATE-01',
    sentence: 'A creation with a requestId is validated by an older schema, which strips undeclared fields.',
    caughtBy: ['CREATE-01.generated'],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        if (typeof call.body.requestId !== 'string') return honest.validateCreate(call);
        const names = ['sellerId', 'buyerId', 'amount', 'dueDate', 'currency', 'description', 'requestId'];
        const body = Object.fromEntries(names.flatMap((name) => (name in call.body ? [[name, call.body[name]]] : [])));
        return honest.validateCreate({ ...call, body });
      },
    })),
  },
  {
    id: 'conn-second-try-passes',
    requirement: 'CONN-02',
    sentence: 'A refused connection is put into the cache, and found there the next time.',
    caughtBy: ['CONN-02.suspended'],
    rules: replaced((honest) => {
      const refused = new Set<string>();
      return {
        connect: (call, input) => {
          try {
            return honest.connect(call, input);
          } catch (refusal) {
            const seen = refused.has(input.buyerId);
            refused.add(input.buyerId);
            if (!seen || !(refusal instanceof Refusal) || refusal.status !== 412) throw refusal;
            const both = [input.sellerId, input.buyerId];
            const found = call.world.connections.find(({ organizationIds }) =>
              both.every((id) => organizationIds.includes(id)),
            );
            if (!found) throw refusal;
            return found;
          }
        },
      };
    }),
  },
  {
    id: 'iso-deleted-submitted',
    requirement: 'ISO-05',
    sentence: 'Deleted drafts are only marked, and submitting one brings it back.',
    caughtBy: ['ISO-05.deleted'],
    rules: replaced((honest) => {
      const deleted = new Map<string, Invoice>();
      return {
        change: (call, invoice, next, input) => {
          if (next === 'DELETED') deleted.set(invoice.id, invoice);
          honest.change(call, invoice, next, input);
        },
        findInvoice: (call, id) => {
          const marked = deleted.get(id);
          if (!marked || call.route.name !== 'submit') return honest.findInvoice(call, id);
          deleted.delete(id);
          call.world.invoices.set(id, marked);
          return marked;
        },
      };
    }),
  },
  {
    id: 'lists-page-needs-limit',
    requirement: 'LIST-04',
    sentence: 'The offset is counted only where a limit is given: without one every page is the first.',
    caughtBy: ['LIST-04.page-alone'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) =>
        call.request.query.has('limit')
          ? honest.page(call, invoices, query)
          : { ...honest.page(call, invoices, { ...query, page: 0 }), page: query.page },
    })),
  },
  {
    id: 'lists-limit-needs-page',
    requirement: 'LIST-05',
    sentence: 'The limit is looked at only where a page is asked for.',
    caughtBy: ['LIST-05.limit-alone'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) =>
        call.request.query.has('page')
          ? honest.page(call, invoices, query)
          : { ...honest.page(call, invoices, { ...query, limit: 20 }), limit: query.limit },
    })),
  },
  {
    id: 'treas-settlement-unfunded',
    requirement: 'TREAS-01',
    sentence: 'Only withdrawals look at the funds; settlements overdraw them.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced(() => ({ settle: settledUnfunded })),
  },
  {
    id: 'treas-settlement-other-code',
    requirement: 'TREAS-01',
    sentence: 'A settlement without funds is reported with the code of the invoice states.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced((honest) => ({
      settle: (call, invoice) => {
        try {
          honest.settle(call, invoice);
        } catch {
          throw new Refusal(412, 'INV004', 'The invoice cannot be settled');
        }
      },
    })),
  },
  {
    id: 'idem-other-body-overwrites',
    requirement: 'IDEM-02',
    sentence:
      'A creation with a known requestId is an upsert: the original answer comes back, and the invoice is another.',
    caughtBy: ['IDEM-02.unchanged'],
    rules: replaced((honest) => {
      const made = new Map<string, Invoice>();
      return {
        issue: (call, input, invoiceNumber) => {
          const invoice = honest.issue(call, input, invoiceNumber);
          if (input.requestId) made.set(`${call.organizationId} ${input.requestId}`, invoice);
          return invoice;
        },
        replayKey: (call, requestId, subject) => {
          const invoice = creates(call) ? made.get(`${call.organizationId} ${requestId}`) : undefined;
          if (invoice && typeof call.body.amount === 'string') invoice.amount = call.body.amount;
          return honest.replayKey(call, requestId, subject);
        },
      };
    }),
  },
  {
    id: 'env-own-refused-by-settle',
    requirement: 'ENV-03',
    sentence: 'The settlement service knows X-Environment as a header of the dashboard, and refuses keys that send it.',
    caughtBy: ['ENV-03.every-operation'],
    rules: replaced((honest) => ({
      authorize: (call) => {
        honest.authorize(call);
        if (call.route.name === 'settle' && call.request.headers.has('X-Environment')) {
          throw new Refusal(403, 'GW403', 'Not for keys');
        }
      },
    })),
  },
];
