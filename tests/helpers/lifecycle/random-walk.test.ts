import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { walk } from '../../../helpers/lifecycle/random-walk.ts';
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
