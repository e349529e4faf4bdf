import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { NoResponse, NotApplicable } from '../../../engine/model/outcomes.ts';
import { walk } from '../../../helpers/lifecycle/walks/random-walk.ts';
import { confirmFinding, skipUnlessControlLeads } from '../../../helpers/lifecycle/walks/random-walk-search.ts';
import type { Finding } from '../../../helpers/lifecycle/walks/walk-invoice.ts';
import { scripted } from '../support/contexts.ts';

const onwards = { invoice: 0, onwards: true, pick: 0 };

/** A service that submits every invoice after the first but rejects the request. The control is accepted. */
function service(repeated: boolean) {
  const states = new Map<string, string>();
  let submitted = 0;
  const { ctx } = scripted(({ operation, path, body }: ApiRequest) => {
    if (operation === 'create') {
      const id = `i${states.size}`;
      states.set(id, 'DRAFT');
      return { status: 201, json: { id, status: 'DRAFT', ...(body as object) } };
    }
    if (operation === 'list')
      return { status: 200, json: { items: [...states].map(([id, status]) => ({ id, status })) } };
    const id = path.split('/').at(-1) ?? '';
    if (operation === 'submit') {
      submitted += 1;
      states.set(id, 'SUBMITTED');
      if (submitted > 1) return { status: 412, json: { error: 'not a draft', code: 'INV004' }, repeated };
    }
    return { status: 200, json: { id, status: states.get(id) } };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return ctx;
}

test('an action whose first response was lost may be rejected because it was carried out', async () => {
  expect(await walk(service(true), [onwards])).toBeNull();
});

test('an action that was requested once is not both carried out and rejected', async () => {
  expect(await walk(service(false), [onwards])).toMatchObject({ kind: 'other invoice' });
});

const OFFERED_IN: Record<string, string> = {
  submit: 'DRAFT',
  dispute: 'SUBMITTED',
  approve: 'SUBMITTED',
  resolve: 'DISPUTED',
  settle: 'APPROVED',
  cancel: 'SUBMITTED',
};
const LEADS_TO: Record<string, string> = {
  submit: 'SUBMITTED',
  dispute: 'DISPUTED',
  approve: 'APPROVED',
  resolve: 'SUBMITTED',
  settle: 'SETTLED',
  cancel: 'CANCELLED',
};

/** A service with the usual lifecycle, but a resolution by the buyer leads to another state. */
function serviceByParty(resolvedByBuyer: string) {
  const states = new Map<string, string>();
  const { ctx } = scripted(({ operation, path, body, actor }: ApiRequest) => {
    if (operation === 'create') {
      const id = `i${states.size}`;
      states.set(id, 'DRAFT');
      return { status: 201, json: { id, status: 'DRAFT', ...(body as object) } };
    }
    if (operation === 'list')
      return { status: 200, json: { items: [...states].map(([id, status]) => ({ id, status })) } };
    const id = path.split('/').at(-1) ?? '';
    const from = OFFERED_IN[operation];
    if (from === undefined) return { status: 200, json: { id, status: states.get(id) } };
    if (states.get(id) !== from) return { status: 412, json: { error: 'not offered', code: 'INV004' } };
    const isByBuyer = operation === 'resolve' && actor === 'buyer';
    states.set(id, isByBuyer ? resolvedByBuyer : (LEADS_TO[operation] as string));
    return { status: 200, json: { id, status: states.get(id) } };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return ctx;
}

test('an action that the state does not offer and that gets no response is a finding of its own', async () => {
  const lost = scripted(({ operation, path, body }: ApiRequest) => {
    if (operation === 'create') return { status: 201, json: { id: 'i1', status: 'DRAFT', ...(body as object) } };
    if (operation === 'resolve') throw new NoResponse('x9', `POST ${path}`, 'the connection closed');
    if (operation in OFFERED_IN) return { status: 412, json: { error: 'not offered', code: 'INV004' } };
    return { status: 200, json: { id: 'i1', status: 'DRAFT', items: [{ id: 'i1', status: 'DRAFT' }] } };
  });
  Object.assign(lost.ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const found = await walk(lost.ctx, [{ invoice: 0, onwards: false, pick: 0 }]);
  expect(found).toMatchObject({ kind: 'unanswered' });
  expect(found?.because).toMatch(/^the connection closed; actions of the sequence: sent to invoice A in DRAFT/);
});

test('a resolution may lead to another state if the other party resolves', async () => {
  const rejected = { invoice: 0, onwards: false, pick: 0 };
  const resolvedByOther = { ...onwards, byOther: true };
  expect(await walk(serviceByParty('APPROVED'), [rejected, onwards, onwards, resolvedByOther])).toBeNull();
});

test('a control repeats the actions as the parties of the walk', async () => {
  const ctx = serviceByParty('APPROVED');
  const actions = [
    { action: 'submit', by: 'seller' },
    { action: 'dispute', by: 'buyer' },
  ] as const;
  const resolved = (by: 'seller' | 'buyer') => ({
    actions: [...actions, { action: 'resolve', by } as const],
    to: null,
  });
  await expect(skipUnlessControlLeads(ctx, resolved('seller'))).resolves.toBeUndefined();
  await expect(skipUnlessControlLeads(ctx, resolved('buyer'))).rejects.toBeInstanceOf(NotApplicable);
});

/** A service that approves each submitted invoice after a time, or before its next read if an action was rejected before. */
function approvingService(afterMs: number) {
  const invoices = new Map<string, { status: string; submittedAt: number; rejected: boolean }>();
  const read = (id: string) => {
    const invoice = invoices.get(id);
    if (!invoice) return null;
    const isDue = invoice.rejected || performance.now() - invoice.submittedAt > afterMs;
    if (invoice.status === 'SUBMITTED' && isDue) invoice.status = 'APPROVED';
    return { id, invoiceNumber: `INV-${id}`, status: invoice.status };
  };
  const { ctx } = scripted(({ operation, path, body }: ApiRequest) => {
    if (operation === 'list') return { status: 200, json: { items: [...invoices.keys()].map(read) } };
    if (operation === 'create') {
      const id = `i${invoices.size}`;
      invoices.set(id, { status: 'DRAFT', submittedAt: 0, rejected: false });
      return { status: 201, json: { ...(body as object), ...read(id) } };
    }
    const id = path.split('/').at(-1) ?? '';
    const invoice = invoices.get(id);
    const from = OFFERED_IN[operation];
    if (!invoice || from === undefined) return { status: invoice ? 200 : 404, json: read(id) };
    if (invoice.status !== from) {
      invoice.rejected = true;
      return { status: 412, json: { error: 'not offered', code: 'INV004' } };
    }
    Object.assign(invoice, { status: LEADS_TO[operation], submittedAt: performance.now() });
    return { status: 200, json: { id, status: invoice.status } };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return ctx;
}

test('an invoice that leaves its new state spontaneously does not show a remembered action', async () => {
  const rejected = { invoice: 0, onwards: false, pick: 0 };
  const ctx = approvingService(50);
  const finding = await walk(ctx, [rejected, onwards]);
  expect(finding?.because).toContain('which the server rejected earlier');
  await expect(confirmFinding(ctx, finding as Finding)).rejects.toThrow(NotApplicable);
});

test('an invoice that keeps its new state shows a remembered action', async () => {
  const rejected = { invoice: 0, onwards: false, pick: 0 };
  const ctx = approvingService(60_000);
  const finding = await walk(ctx, [rejected, onwards]);
  await expect(confirmFinding(ctx, finding as Finding)).resolves.toBe(finding);
});
