import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Invoice, Store } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import {
  changeReplay,
  changeReplayInState,
  changeReplayKey,
  currentInvoice,
  expireReplays,
  REPLAY_EXPIRY_MS,
} from '../support/replays.ts';

/** A creation returns links in addition to the invoice, and its replay returns a changed body. */
function withLinks(replayed: (body: { invoice: unknown }) => object): RuleChange {
  return (base) => {
    const wrapped = overrideRules(() => ({
      renderCreated: ({ rules }, invoice) => ({
        status: 201,
        body: { invoice: rules.renderInvoice(invoice), links: { self: `/api/v1/invoices/${invoice.id}` } },
      }),
    }))(base);
    return changeReplay('create', (response) => ({
      ...response,
      body: replayed(response.body as { invoice: unknown }),
    }))(wrapped);
  };
}

export const idempotencyCreationFaults: readonly Fault[] = [
  {
    id: 'idem-replay-200',
    requirement: 'IDEM-01',
    defect: 'A replayed creation returns 200, because nothing was created.',
    caughtBy: ['IDEM-01.status'],
    rules: changeReplay('create', (response) => ({ ...response, status: 200 })),
  },
  {
    id: 'idem-hash-of-text',
    requirement: 'IDEM-01',
    defect: 'A requestId is stored with the text of its body: the same body in another notation is a new request.',
    caughtBy: ['IDEM-01.all-fields'],
    alsoRun: ['IDEM-09.other-body', 'IDEM-09.other-currency', 'IDEM-02.unchanged'],
    rules: changeReplayKey('create', (requestId, { request }) => requestId && `${requestId} ${request.text}`),
  },
  {
    id: 'idem-replay-conflict',
    requirement: 'IDEM-01',
    defect: 'A repeated requestId is a unique-key violation: 409.',
    caughtBy: ['IDEM-01.status', 'IDEM-01.invoice', 'IDEM-01.uuid'],
    rules: changeReplay('create', () => ({ status: 409, body: { error: 'Duplicate requestId', code: 'REQ409' } })),
  },
  {
    id: 'idem-replay-fresh-timestamp',
    requirement: 'IDEM-01',
    defect: 'The replayed invoice is rendered again, with the time of the replay.',
    caughtBy: ['IDEM-01.invoice'],
    rules: changeReplay('create', (response) => ({
      ...response,
      body: { ...(response.body as object), createdAt: new Date(Date.now() + 1000).toISOString() },
    })),
  },
  {
    id: 'idem-replay-current-state',
    requirement: 'IDEM-01',
    defect: 'A replay looks up the invoice and returns its current state.',
    caughtBy: ['IDEM-01.after-transition'],
    rules: changeReplay('create', currentInvoice),
  },
  {
    id: 'idem-replay-after-dispute',
    requirement: 'IDEM-01',
    defect: 'A dispute updates the stored response of the creation, so a replay returns the current invoice.',
    caughtBy: ['IDEM-01.after-dispute'],
    rules: changeReplayInState('DISPUTED', 'create', currentInvoice),
  },
  {
    id: 'idem-by-currency',
    requirement: 'IDEM-09',
    defect: 'Creations of each currency have a table of their own, and so have their requestIds.',
    caughtBy: ['IDEM-09.other-currency'],
    rules: changeReplayKey('create', (requestId, { body }) => requestId && `${requestId} ${String(body.currency)}`),
  },
  {
    id: 'idem-replay-expires',
    requirement: 'IDEM-01',
    defect: 'The cache of requestIds expires after a moment, and a later replay creates a second invoice.',
    caughtBy: ['IDEM-01.late'],
    alsoRun: ['IDEM-01.status', 'HOOK-05.third-organization'],
    rules: expireReplays('create', REPLAY_EXPIRY_MS),
  },
  {
    id: 'idem-expires-with-draft',
    requirement: 'IDEM-01',
    defect: 'Deleting a draft also deletes the record of its requestId, and a replay creates a new invoice.',
    caughtBy: ['IDEM-01.after-delete'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (next !== 'DELETED') return;
        for (const [key, { answer: response }] of call.world.replays) {
          if ((response.body as { id?: string } | undefined)?.id === invoice.id) call.world.replays.delete(key);
        }
      },
    })),
  },
  {
    id: 'idem-replay-restores-draft',
    requirement: 'IDEM-01',
    defect: 'The replay stores the invoice again, even if the draft was deleted.',
    caughtBy: ['IDEM-01.after-delete'],
    rules: overrideRules((base) => {
      const deleted = new Map<string, Invoice>();
      return {
        changeInvoice: (call, invoice, next, input) => {
          base.changeInvoice(call, invoice, next, input);
          if (next === 'DELETED') deleted.set(invoice.id, { ...invoice, status: 'DRAFT' });
        },
        replay: async (call, key, perform) => {
          const response = await base.replay(call, key, perform);
          const back = call.route.name === 'create' && deleted.get((response.body as { id?: string }).id ?? '');
          if (back) call.world.invoices.set(back.id, back);
          return response;
        },
      };
    }),
  },
  {
    id: 'idem-upper-case-not-found',
    requirement: 'IDEM-01',
    defect: 'A requestId is stored in lower case and looked up unchanged: UUIDs in upper case are never found.',
    caughtBy: ['IDEM-01.uuid'],
    rules: changeReplayKey('create', (requestId) =>
      requestId && /[A-F]{2}/.test(requestId) && !/[a-z]/.test(requestId) ? undefined : requestId,
    ),
  },
  {
    id: 'idem-large-not-stored',
    requirement: 'IDEM-01',
    defect: 'From 10,000, an invoice goes through the review queue, which does not keep the requestId.',
    caughtBy: ['IDEM-01.amounts'],
    rules: changeReplayKey('create', (requestId, { body }) => (Number(body.amount) >= 10_000 ? undefined : requestId)),
  },
  {
    id: 'idem-replay-in-other-wrapper',
    requirement: 'IDEM-01',
    defect: 'A replay comes from another serializer, which wraps the invoice.',
    caughtBy: ['IDEM-01.invoice'],
    rules: changeReplay('create', (response) => ({ ...response, body: { invoice: response.body } })),
  },
  {
    id: 'idem-uuid-not-remembered',
    requirement: 'IDEM-01',
    defect: 'A requestId that is a UUID is taken for the trace id of the gateway and not stored.',
    caughtBy: ['IDEM-01.uuid'],
    rules: changeReplayKey('create', (requestId) =>
      /^[0-9a-f]{8}-([0-9a-f]{4}-){3}/.test(requestId ?? '') ? undefined : requestId,
    ),
  },
  {
    id: 'idem-long-not-stored',
    requirement: 'IDEM-01',
    defect: 'A requestId that exceeds its column is not stored, so it is never found.',
    caughtBy: ['IDEM-01.long-request-id'],
    rules: changeReplayKey('create', (requestId) => (requestId && requestId.length > 64 ? undefined : requestId)),
  },
  {
    id: 'idem-not-implemented',
    requirement: 'IDEM-01',
    defect: 'requestId is accepted and ignored.',
    caughtBy: ['IDEM-01.invoice'],
    rules: changeReplayKey('create', () => undefined),
  },
  {
    id: 'idem-key-with-body',
    requirement: 'IDEM-09',
    defect: 'The record is a hash of requestId and body: another amount creates another invoice.',
    caughtBy: ['IDEM-09.other-body'],
    rules: changeReplayKey('create', (requestId, { body }) =>
      requestId === undefined ? undefined : JSON.stringify(body),
    ),
  },
  {
    id: 'idem-replay-without-links',
    requirement: 'IDEM-01',
    defect: 'The original response contains links in addition to the invoice; the replay returns only the invoice.',
    caughtBy: ['IDEM-01.invoice'],
    rules: withLinks(({ invoice }) => ({ invoice })),
  },
  {
    id: 'idem-replay-with-empty-links',
    requirement: 'IDEM-10',
    defect: 'The original response contains links in addition to the invoice; those of the replay are empty.',
    caughtBy: ['IDEM-10.whole-body'],
    rules: withLinks(({ invoice }) => ({ invoice, links: {} })),
  },
  {
    id: 'idem-long-response-not-stored',
    requirement: 'IDEM-01',
    defect:
      'A response longer than a thousand characters does not fit its column and is not stored: a replay is carried out again.',
    caughtBy: ['IDEM-01.long-description'],
    rules: overrideRules((base) => {
      const lost = new Set<string>();
      return {
        replay: async (call, key, perform) => {
          if (key !== undefined && lost.has(key)) return perform();
          const response = await base.replay(call, key, perform);
          if (key !== undefined && JSON.stringify(response.body ?? null).length > 1000) lost.add(key);
          return response;
        },
      };
    }),
  },
  {
    id: 'idem-expires-when-cancelled',
    requirement: 'IDEM-01',
    defect: 'Cancelling an invoice clears its requestId: a replay creates a second invoice.',
    caughtBy: ['IDEM-01.after-cancel'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (next !== 'CANCELLED') return;
        for (const [key, { answer: response }] of call.world.replays) {
          const created = response.body as { id?: string } | undefined;
          if (created?.id === invoice.id && key.includes('"create"')) call.world.replays.delete(key);
        }
      },
    })),
  },
  {
    id: 'idem-settled-current-state',
    requirement: 'IDEM-01',
    defect: 'Settled invoices are replayed from the archive in their current state.',
    caughtBy: ['IDEM-01.after-settlement'],
    rules: changeReplayInState('SETTLED', 'create', currentInvoice),
  },
  {
    id: 'idem-success-after-rejection-not-stored',
    requirement: 'IDEM-01',
    defect: 'A requestId that was rejected once is not stored when a later request with it succeeds.',
    caughtBy: ['IDEM-01.after-rejection'],
    rules: overrideRules((base) => {
      const refused = new WeakMap<Store, Set<string>>();
      return {
        validateCreate: (call) => {
          try {
            return base.validateCreate(call);
          } catch (error) {
            const known = refused.get(call.store) ?? new Set();
            refused.set(call.store, known.add(String(call.body.requestId)));
            throw error;
          }
        },
        replayKey: (call, requestId, subject) =>
          requestId !== undefined && refused.get(call.store)?.has(requestId)
            ? undefined
            : base.replayKey(call, requestId, subject),
      };
    }),
  },
  {
    id: 'idem-replay-echoes-amount',
    requirement: 'IDEM-09',
    defect: 'A replay merges the stored invoice with the request: it shows the amount of the request.',
    caughtBy: ['IDEM-09.other-body'],
    rules: changeReplay('create', (response, { body }) => ({
      ...response,
      body: { ...(response.body as object), amount: body.amount },
    })),
  },
];
