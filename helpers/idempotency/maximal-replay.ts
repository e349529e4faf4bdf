import { maximalRequest } from '../adaptation/maximal-request.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { bodyMark } from '../context/invoice-history.ts';
import { expectCreated } from '../fixtures/created-invoice.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';
import { expectOriginalResponse } from './replay.ts';
import { type RepeatedCreation, trackOtherInvoice } from './single-effect.ts';

/** Replays a creation that has all optional fields and headers, with and without the headers. Compares each response with the original. */
export async function repeatMaximalRequest(ctx: CheckContext): Promise<RepeatedCreation> {
  const { body: valid, headers } = await maximalRequest(ctx);
  // Not longer than other descriptions, because the contract sets no maximum length.
  const lettered = { ...valid, description: `Größe Ω ${bodyMark(valid)}` };
  const tried = await postInvoice(ctx, lettered, { headers });
  // The accepted characters of a description are judged by the CREATE checks.
  const body = isSuccess(tried) ? lettered : { ...valid, requestId: ctx.createRequestId() };
  const response = isSuccess(tried) ? tried : await postInvoice(ctx, body, { headers });
  await expectCreated(ctx, response, 'a creation with all optional fields and headers');
  const invoice = await resolveCreatedInvoice(ctx, body, response);
  const turned = Object.fromEntries(Object.entries(body).reverse());
  // Headers do not change the request. A server may reject another JSON serialization as a different body.
  const again = [
    await postInvoice(ctx, body, { headers }),
    await postInvoice(ctx, body),
    await postInvoice(ctx, turned),
    await postInvoice(ctx, JSON.stringify(body, null, 2)),
  ];
  for (const each of again) await trackOtherInvoice(ctx, body, invoice, each);
  const [named, plain, ...written] = again;
  for (const each of [named, plain, ...written.filter(isSuccess)])
    if (each) expectOriginalResponse(ctx, response, each);
  return { body, invoice, last: again.at(-1) ?? response };
}
