import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../../engine/model/outcomes.ts';
import { probeActionEffect, skipUnlessImmediate } from '../../../helpers/adaptation/action-effect.ts';
import type { InvoiceState } from '../../../specs/contract/lifecycle.ts';
import { type Reply, scripted } from '../support/contexts.ts';

interface Manner {
  /** The response to the action under test. It receives the resulting state. */
  answer: (to: string | null) => Reply;
  /** The number of reads that still show the old state. */
  looksBehind?: number;
}

const LEADS: Partial<Record<string, InvoiceState | null>> = { submit: 'SUBMITTED', delete: null };

/** A service that creates drafts and performs `action` as given. */
function serviceIn({ answer: response, looksBehind = 0 }: Manner): (ask: ApiRequest) => Reply {
  const invoices = new Map<string, { state: InvoiceState | null; next?: InvoiceState | null; behind: number }>();
  return ({ operation, path }) => {
    if (operation === 'create') {
      const id = `inv-${invoices.size + 1}`;
      invoices.set(id, { state: 'DRAFT', behind: looksBehind });
      return { status: 201, json: { id, invoiceNumber: id, status: 'DRAFT', amount: '1.00', dueDate: '2027-01-31' } };
    }
    const id = path.split('/').at(-1) as string;
    const invoice = invoices.get(id);
    if (!invoice) return { status: 404 };
    if (operation !== 'read') {
      const next = LEADS[operation] ?? null;
      const answered = response(next);
      if (answered.status < 300) invoice.next = next;
      return answered;
    }
    if (invoice.next !== undefined && invoice.behind-- <= 0) invoice.state = invoice.next;
    if (invoice.state === null) return { status: 404 };
    return {
      status: 200,
      json: { id, invoiceNumber: id, status: invoice.state, amount: '1.00', dueDate: '2027-01-31' },
    };
  };
}

const silent: Manner['answer'] = () => ({ status: 204 });

test.each<[string, Manner, 'at once' | 'later' | 'queued' | 'untold']>([
  [
    'at once if the response shows the new state',
    { answer: (status) => ({ status: 200, json: { status } }), looksBehind: 2 },
    'at once',
  ],
  [
    'later if the response shows the old state',
    { answer: () => ({ status: 200, json: { status: 'DRAFT' } }) },
    'later',
  ],
  ['at once if only the next read shows it', { answer: silent }, 'at once'],
  ['later if the next read does not show it', { answer: silent, looksBehind: 1 }, 'later'],
  ['in a queue if the response is a 202', { answer: () => ({ status: 202 }) }, 'queued'],
  ['at an unknown time if a slow response shows no state', { answer: () => ({ status: 204, tookMs: 200 }) }, 'untold'],
  [
    'at once if a slow response shows the new state',
    { answer: (status) => ({ status: 200, json: { status }, tookMs: 200 }) },
    'at once',
  ],
])('an action takes effect %s', async (_, manner, shows) => {
  const { ctx } = scripted(serviceIn(manner), { limits: { settleWithinMs: 1_000 } });
  expect(await probeActionEffect(ctx, 'submit')).toMatchObject({ to: 'SUBMITTED', timing: shows });
});

test('a deleted draft is gone and needs no clean-up', async () => {
  const { ctx } = scripted(serviceIn({ answer: silent }));
  expect(await probeActionEffect(ctx, 'delete')).toMatchObject({ to: null, timing: 'at once' });
  expect(ctx.run.leftovers.entries()).toEqual([]);
});

test('the result of an action needs the clean-up', async () => {
  const { ctx } = scripted(serviceIn({ answer: silent }));
  await probeActionEffect(ctx, 'submit');
  expect(ctx.run.leftovers.entries()).toEqual([['inv-1', { what: 'invoice SUBMITTED', reason: expect.any(String) }]]);
});

test('an action that is rejected even alone does not affect the result', async () => {
  const { ctx } = scripted(serviceIn({ answer: () => ({ status: 412, json: { code: 'INV004' } }) }));
  await expect(probeActionEffect(ctx, 'submit')).rejects.toThrow(Blocked);
});

/** A service in which another user cancels the first invoices just before their submission. */
function whereCancelled(first: number): (ask: ApiRequest) => Reply {
  const honest = serviceIn({ answer: silent });
  const cancelled = new Set<string>();
  return (ask) => {
    const id = ask.path.split('/').at(-1) as string;
    if (ask.operation === 'submit' && Number(id.split('-')[1]) <= first) cancelled.add(id);
    if (!cancelled.has(id)) return honest(ask);
    if (ask.operation === 'submit') return { status: 412, json: { code: 'INV004' } };
    return { status: 200, json: { id, invoiceNumber: id, status: 'CANCELLED', amount: '1.00', dueDate: '2027-01-31' } };
  };
}

test('an action on an invoice that another check changed is retried in an exclusive section', async () => {
  const { ctx } = scripted(whereCancelled(1));
  expect(await probeActionEffect(ctx, 'submit')).toMatchObject({ to: 'SUBMITTED', timing: 'at once' });
});

test('a change in an exclusive section cannot be explained', async () => {
  const { ctx } = scripted(whereCancelled(2));
  await expect(probeActionEffect(ctx, 'submit')).rejects.toThrow(
    'became CANCELLED before the kit requested the submit action',
  );
});

test('one stale read of an action is enough', async () => {
  let creations = 0;
  const atOnce = serviceIn({ answer: silent });
  const late = serviceIn({ answer: silent, looksBehind: 1 });
  const reply = (ask: ApiRequest) => {
    if (ask.operation === 'create') creations += 1;
    return creations === 3 ? late(ask) : atOnce(ask);
  };
  const { ctx } = scripted(reply, { limits: { settleWithinMs: 1_000 } });
  const judged = skipUnlessImmediate(ctx, 'submit');
  await expect(judged).rejects.toThrow(NotApplicable);
  await expect(judged).rejects.toThrow('an accepted submit action does not take effect at once on this server');
});

test('only stale reads are reported as such', async () => {
  const { ctx } = scripted(serviceIn({ answer: () => ({ status: 204, tookMs: 200 }) }));
  await expect(skipUnlessImmediate(ctx, 'submit')).rejects.toThrow('the response does not show whether');
});

test('an action that every read shows is immediate', async () => {
  const { ctx } = scripted(serviceIn({ answer: silent }));
  await expect(skipUnlessImmediate(ctx, 'submit')).resolves.toBeUndefined();
});

test.each([true, false])('a stale read is not a resolution, for the state %s', async (tells) => {
  const past: (InvoiceState | null)[] = [];
  const leads: Record<string, InvoiceState> = { create: 'DRAFT', submit: 'SUBMITTED', dispute: 'DISPUTED' };
  let behind = 0;
  const { ctx } = scripted(
    ({ operation }) => {
      const shown = (status: unknown, answered = 200): Reply => ({
        status: answered,
        json: { id: 'inv-1', invoiceNumber: 'inv-1', status, amount: '1.00', dueDate: '2027-01-31' },
      });
      if (operation === 'read') return shown(behind-- > 0 ? past[0] : past.at(-1));
      if (operation === 'resolve') behind = 2;
      past.push(leads[operation] ?? 'SUBMITTED');
      return operation === 'resolve' && !tells
        ? { status: 204 }
        : shown(past.at(-1), operation === 'create' ? 201 : 200);
    },
    { limits: { settleWithinMs: 500 } },
  );
  expect(await probeActionEffect(ctx, 'resolve')).toMatchObject({ to: 'SUBMITTED' });
});
