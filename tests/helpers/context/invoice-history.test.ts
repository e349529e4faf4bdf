import { expect, test } from 'vitest';
import { postInvoice } from '../../../helpers/api/operations.ts';
import { isSentOnce } from '../../../helpers/context/invoice-history.ts';
import { validBody } from '../../../helpers/data/invoice-body.ts';
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
