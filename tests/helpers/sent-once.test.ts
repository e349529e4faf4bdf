import { expect, test } from 'vitest';
import { validBody } from '../../helpers/invoice-body.ts';
import { postInvoice } from '../../helpers/operations.ts';
import { isSentOnce } from '../../helpers/sent-once.ts';
import { scripted } from './labs.ts';

test.each([
  ['that is answered is sent once', { status: 201 }, true],
  ['of which an earlier attempt may have made an invoice is not', { status: 201, repeated: true }, false],
])('a creation %s', async (_, reply, once) => {
  const { lab } = scripted(() => reply);
  Object.assign(lab.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const body = validBody(lab);
  await postInvoice(lab, body);
  expect(isSentOnce(lab, body.description)).toBe(once);
});
