import { randomUUID } from 'node:crypto';
import { postInvoice } from '../../helpers/api/operations.ts';
import { bodyMember, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { expectBuyerRejected } from '../../helpers/creation/rejected-connection.ts';
import { expectCreationRejected } from '../../helpers/creation/rejected-creation.ts';
import { type InvoiceBody, validBody } from '../../helpers/data/invoice-body.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

// The contract leaves open whether this is a missing connection, a missing permission or an invalid body.
const FOREIGN_PARTY_STATUSES = [404, 403, 400, 409, 412];

/** A creation is rejected when no connection of the caller joins the two organizations. */
function rejectedPartyCheck(
  id: CheckId,
  field: 'sellerId' | 'buyerId',
  party: (valid: InvoiceBody, ctx: CheckContext) => string,
  needs: Check['needs'] = [],
): Check {
  return check(id, ['connection', ...needs], (ctx) =>
    expectCreationRejected(ctx, {
      addDefect: (valid) => ({ ...valid, [field]: party(valid, ctx) }),
      defect: field,
      statuses: FOREIGN_PARTY_STATUSES,
      whole: true,
    }),
  );
}

/** Alternates between the suspended and the active connection. A server must not reuse the result of one for the other. */
async function expectConnectionsDistinguished(ctx: CheckContext, suspended: string): Promise<void> {
  const rejected = async () =>
    expectRejected(ctx, await postInvoice(ctx, { ...validBody(ctx), buyerId: suspended }), [412], 'CONN010');
  for (let time = 0; time < 2; time += 1) {
    await rejected();
    const body = validBody(ctx);
    const response = await postInvoice(ctx, body);
    if (isSuccess(response)) await resolveCreatedInvoice(ctx, body, response);
    const mistaken = bodyMember(response, 'code') === 'CONN010';
    expectThat(ctx, !mistaken, response, 'no CONN010: the connection is active', describeResponse(response));
  }
  await rejected();
}

/** The state of a foreign connection must not be disclosed: to the outsider it does not exist. */
async function expectConnectionNotDisclosed(ctx: CheckContext): Promise<void> {
  const { suspended } = ctx.target.counterparties;
  if (!suspended) return;
  const body = { ...validBody(ctx), buyerId: suspended };
  const response = await postInvoice(ctx, body, { as: ctx.credentials('outsider') });
  if (isSuccess(response)) await resolveCreatedInvoice(ctx, body, response);
  expectRejected(ctx, response, FOREIGN_PARTY_STATUSES);
  const shown = bodyMember(response, 'code') === 'CONN010';
  const expected =
    'a rejection that discloses nothing about a foreign connection, such as CONN003 (404) for an inaccessible one';
  expectThat(ctx, !shown, response, expected, describeResponse(response));
}

export const activeConnectionChecks: readonly Check[] = [
  check('CONN-01.unconnected', ['connection', 'unconnected'], async (ctx) => {
    await expectBuyerRejected(ctx, String(ctx.target.counterparties.unconnected), 404, 'CONN003');
  }),

  check('CONN-01.unknown', ['connection'], async (ctx) => {
    await expectBuyerRejected(ctx, randomUUID(), 404, 'CONN003');
  }),

  rejectedPartyCheck('CONN-01.foreign-seller', 'sellerId', (_, ctx) => ctx.organizationId('outsider'), ['outsider']),

  rejectedPartyCheck('CONN-01.unknown-seller', 'sellerId', () => randomUUID()),

  // A connection joins two different organizations.
  rejectedPartyCheck('CONN-01.seller-is-buyer', 'buyerId', ({ sellerId }) => sellerId),

  check('CONN-01.not-a-party', ['connection', 'outsider'], async (ctx) => {
    await expectCreationRejected(ctx, {
      addDefect: (valid) => valid,
      statuses: FOREIGN_PARTY_STATUSES,
      extra: { as: ctx.credentials('outsider') },
      whole: true,
    });
    await expectConnectionNotDisclosed(ctx);
    if (!ctx.target.actors.buyer) return;
    // The contract does not say which party creates.
    const body = validBody(ctx);
    const byBuyer = await postInvoice(ctx, body, { as: ctx.credentials('buyer') });
    ctx.observe('connection-role', `the buyer creating in the seller's name: ${byBuyer.status}`);
    if (isSuccess(byBuyer)) await resolveCreatedInvoice(ctx, body, byBuyer);
  }),

  check('CONN-02.suspended', ['connection', 'suspended'], async (ctx) => {
    const buyerId = String(ctx.target.counterparties.suspended);
    await expectBuyerRejected(ctx, buyerId, 412, 'CONN010');
    await ctx.run.invoiceLock.exclusive(ctx.lockOwner, () => expectConnectionsDistinguished(ctx, buyerId));
  }),
];
