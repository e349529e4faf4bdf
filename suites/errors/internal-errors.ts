import { postInvoice, postWebhook } from '../../helpers/api/operations.ts';
import type { RequestOptions } from '../../helpers/api/requests.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { statusBelow, statusIsNot } from '../../helpers/assert/expectations.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { withRawValue } from '../../helpers/creation/field-checks.ts';
import {
  answeredOf,
  sendLargeCreations,
  sendLongHeaders,
  sendLongQueries,
} from '../../helpers/creation/large-requests.ts';
import { type InvoiceBody, unmarkedAmount, validBody } from '../../helpers/data/invoice-body.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { acceptedSubscriptionUrl, trySubscription } from '../../helpers/webhooks/subscriptions.ts';
import type { ObservationId } from '../../specs/generated/ids.ts';

/** Bodies that the contract does not cover, each with the observation that records the response. */
const UNUSUAL_BODIES: readonly [
  observed: ObservationId | null,
  what: string,
  of: (valid: InvoiceBody) => unknown,
  extra: RequestOptions,
][] = [
  ['content-type-handling', 'text/plain', (valid) => valid, { headers: [['Content-Type', 'text/plain']] }],
  ['content-type-handling', 'none', (valid) => valid, { omitContentType: true }],
  ['duplicate-member', 'currency twice', (valid) => JSON.stringify(valid).replace('{', '{"description":"first",'), {}],
  ['null-optional', 'description', (valid) => ({ ...valid, description: null }), {}],
  ['null-optional', 'currency', (valid) => ({ ...valid, currency: null }), {}],
  ['null-optional', 'requestId', (valid) => ({ ...valid, requestId: null }), {}],
  ['odd-characters', 'lone surrogate', withRawValue('description', '"\\ud83d conformance"'), {}],
  ['odd-characters', 'NUL', withRawValue('description', '"\\u0000 conformance"'), {}],
  [null, 'an amount of forty digits', (valid) => ({ ...valid, amount: `${'9'.repeat(40)}.00` }), {}],
  ['odd-characters', 'empty description', (valid) => ({ ...valid, description: '' }), {}],
];

export const internalErrorsChecks: readonly Check[] = [
  check('ERR-05.unusual-bodies', ['connection'], async (ctx) => {
    for (const [observed, what, of, extra] of UNUSUAL_BODIES) {
      const valid = { ...validBody(ctx), amount: unmarkedAmount(ctx) };
      const response = await postInvoice(ctx, of(valid), extra);
      if (observed) ctx.observe(observed, `${what}: ${response.status}`);
      if (isSuccess(response)) await resolveCreatedInvoice(ctx, valid, response);
      expectThat(
        ctx,
        response.status < 500,
        response,
        'an accepted or rejected creation, with a status below 500',
        `the server returned ${response.status} for the unusual body "${what}"`,
        statusBelow(500),
      );
    }
  }),

  check('ERR-05.subscription', ['seller'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    const requests = [
      ...[{ eventTypes: undefined }, { signingSecret: undefined }, { url: undefined }].map(
        (missing) => () => trySubscription(ctx, { url, ...missing }),
      ),
      () => postWebhook(ctx, null),
    ];
    for (const send of requests) {
      const response = await send();
      expectThat(
        ctx,
        response.status < 500,
        response,
        'an accepted or rejected subscription, with a status below 500',
        `the server returned ${response.status}`,
        statusBelow(500),
      );
    }
  }),

  check('ERR-05.large-requests', ['connection'], async (ctx) => {
    const sent = [...(await sendLargeCreations(ctx)), ...(await sendLongHeaders(ctx)), ...(await sendLongQueries(ctx))];
    for (const { what, response } of answeredOf(ctx, sent)) {
      const because = `the server returned ${response.status} to ${what}`;
      const isExpected = response.status !== 500;
      expectThat(ctx, isExpected, response, 'a status other than 500', because, statusIsNot(500));
    }
  }),
];
