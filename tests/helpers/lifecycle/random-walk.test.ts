import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { NotApplicable } from '../../../engine/model/outcomes.ts';
import { walk } from '../../../helpers/lifecycle/random-walk.ts';
import { skipUnlessControlLeads } from '../../../helpers/lifecycle/random-walk-search.ts';
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
