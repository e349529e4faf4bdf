import { expect, test } from 'vitest';
import { Blocked } from '../../../engine/model/outcomes.ts';
import { postInvoice, postInvoicesSimultaneously } from '../../../helpers/api/operations.ts';
import type { CheckContext } from '../../../helpers/context/check.ts';
import { isSentOnce } from '../../../helpers/context/invoice-history.ts';
import { type InvoiceBody, validBody } from '../../../helpers/data/invoice-body.ts';
import { scripted } from '../support/contexts.ts';

test.each([
  ['with a response was sent once', { status: 201 }, true],
  ['with a lost response may have been carried out twice', { status: 201, repeated: true }, false],
])('a creation %s', async (_, reply, once) => {
  const { ctx } = scripted(() => reply);
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const body = validBody(ctx);
  await postInvoice(ctx, body);
  expect(isSentOnce(ctx, body.description)).toBe(once);
});

test.each<[string, (ctx: CheckContext, body: InvoiceBody) => Promise<unknown>]>([
  ['alone', (ctx, body) => postInvoice(ctx, body)],
  ['at the same moment as others', (ctx, body) => postInvoicesSimultaneously(ctx, [body])],
])('a creation %s without a response may have been carried out twice, because it was repeated', async (_, create) => {
  const { ctx } = scripted(() => {
    throw new Blocked('limits.requestTimeoutMs of the target file', 'no response');
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const body = validBody(ctx);
  await expect(create(ctx, body)).rejects.toThrow('no response');
  expect(isSentOnce(ctx, body.description)).toBe(false);
});

test('of creations at the same moment, only the repeated one may have been carried out twice', async () => {
  const replies = [{ status: 201, repeated: true }];
  const { ctx } = scripted(() => replies.pop() ?? { status: 201 });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const bodies = [validBody(ctx), validBody(ctx)];
  await postInvoicesSimultaneously(ctx, bodies);
  expect(bodies.map(({ description }) => isSentOnce(ctx, description))).toEqual([false, true]);
});
