import { randomUUID } from 'node:crypto';
import { postInvoice } from '../../helpers/api/operations.ts';
import { bodyMember, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { expectBuyerRejected } from '../../helpers/creation/rejected-connection.ts';
import { expectCreationRejected } from '../../helpers/creation/rejected-creation.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

// No such connection, no permission to act for another, or an invalid body: which of them it is, is left open.
const FOREIGN_PARTY_STATUSES = [404, 403, 400, 409, 412];

/** Two organizations that no connection of the caller joins. */
function rejectedPartyCheck(
  id: CheckId,
  field: 'sellerId' | 'buyerId',
  party: (valid: InvoiceBody, lab: CheckContext) => string,
  needs: Check['needs'] = [],
): Check {
  return check(id, ['connection', ...needs], (lab) =>
    expectCreationRejected(lab, {
      spoil: (valid) => ({ ...valid, [field]: party(valid, lab) }),
      defect: field,
      statuses: FOREIGN_PARTY_STATUSES,
      whole: true,
    }),
  );
}

/** One after the other and nothing between: what is asked about the one connection is no answer for the other. */
async function expectConnectionsDistinguished(lab: CheckContext, suspended: string): Promise<void> {
  const refused = async () =>
    expectRejected(lab, await postInvoice(lab, { ...validBody(lab), buyerId: suspended }), [412], 'CONN010');
  for (let time = 0; time < 2; time += 1) {
    await refused();
    const body = validBody(lab);
    const answer = await postInvoice(lab, body);
    if (isSuccess(answer)) await resolveCreatedInvoice(lab, body, answer);
    const mistaken = bodyMember(answer, 'code') === 'CONN010';
    expectThat(lab, !mistaken, answer, 'the connection taken for active, as a moment before', describeResponse(answer));
  }
  await refused();
}

/** What somebody else's connection has come to is nobody else's business: to them it does not exist. */
async function expectConnectionNotDisclosed(lab: CheckContext): Promise<void> {
  const { suspended } = lab.target.counterparties;
  if (!suspended) return;
  const body = { ...validBody(lab), buyerId: suspended };
  const answer = await postInvoice(lab, body, { as: lab.credentials('outsider') });
  if (isSuccess(answer)) await resolveCreatedInvoice(lab, body, answer);
  expectRejected(lab, answer, FOREIGN_PARTY_STATUSES);
  const told = bodyMember(answer, 'code') === 'CONN010';
  const expected =
    'a refusal that tells nothing of a connection of others, as CONN003 (404) of one that is inaccessible';
  expectThat(lab, !told, answer, expected, describeResponse(answer));
}

export const activeConnectionChecks: readonly Check[] = [
  check('CONN-01.unconnected', ['connection', 'unconnected'], async (lab) => {
    await expectBuyerRejected(lab, String(lab.target.counterparties.unconnected), 404, 'CONN003');
  }),

  check('CONN-01.unknown', ['connection'], async (lab) => {
    await expectBuyerRejected(lab, randomUUID(), 404, 'CONN003');
  }),

  rejectedPartyCheck('CONN-01.foreign-seller', 'sellerId', (_, lab) => lab.organizationId('outsider'), ['outsider']),

  rejectedPartyCheck('CONN-01.unknown-seller', 'sellerId', () => randomUUID()),

  // A connection joins an organization to another one.
  rejectedPartyCheck('CONN-01.seller-is-buyer', 'buyerId', ({ sellerId }) => sellerId),

  check('CONN-01.not-a-party', ['connection', 'outsider'], async (lab) => {
    await expectCreationRejected(lab, {
      spoil: (valid) => valid,
      statuses: FOREIGN_PARTY_STATUSES,
      extra: { as: lab.credentials('outsider') },
      whole: true,
    });
    await expectConnectionNotDisclosed(lab);
    if (!lab.target.actors.buyer) return;
    // The contract does not say which role creates.
    const body = validBody(lab);
    const byBuyer = await postInvoice(lab, body, { as: lab.credentials('buyer') });
    lab.observe('connection-role', `the buyer creating in the seller's name: ${byBuyer.status}`);
    if (isSuccess(byBuyer)) await resolveCreatedInvoice(lab, body, byBuyer);
  }),

  check('CONN-02.suspended', ['connection', 'suspended'], async (lab) => {
    const buyerId = String(lab.target.counterparties.suspended);
    await expectBuyerRejected(lab, buyerId, 412, 'CONN010');
    await lab.run.invoiceLock.exclusiveSection(lab.execution.id, () => expectConnectionsDistinguished(lab, buyerId));
  }),
];
