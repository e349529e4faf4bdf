import { randomUUID } from 'node:crypto';
import { accepted } from '../helpers/accepted.ts';
import { type Check, check } from '../helpers/check.ts';
import { expectNoConnection } from '../helpers/connections.ts';
import { type InvoiceBody, validBody } from '../helpers/invoice-body.ts';
import { invoiceOf } from '../helpers/invoices.ts';
import type { Lab } from '../helpers/lab.ts';
import { postInvoice } from '../helpers/operations.ts';
import { expectCreationRefused } from '../helpers/refused-creation.ts';
import type { CheckId } from '../specs/generated/ids.ts';

// No such connection, no permission to act for another, or an invalid body: which of them it is, is left open.
const NOT_THEIRS = [404, 403, 400, 409, 412];

/** Two organizations that no connection of the caller joins. */
function refusedParty(
  id: CheckId,
  field: 'sellerId' | 'buyerId',
  party: (valid: InvoiceBody, lab: Lab) => string,
  needs: Check['needs'] = [],
): Check {
  return check(id, ['connection', ...needs], (lab) =>
    expectCreationRefused(lab, {
      spoil: (valid) => ({ ...valid, [field]: party(valid, lab) }),
      defect: field,
      statuses: NOT_THEIRS,
      whole: true,
    }),
  );
}

export const connections: readonly Check[] = [
  check('CONN-01.unconnected', ['connection', 'unconnected'], async (lab) => {
    await expectNoConnection(lab, String(lab.target.counterparties.unconnected), 404, 'CONN003');
  }),

  check('CONN-01.unknown', ['connection'], async (lab) => {
    await expectNoConnection(lab, randomUUID(), 404, 'CONN003');
  }),

  check('CONN-02.suspended', ['connection', 'suspended'], async (lab) => {
    await expectNoConnection(lab, String(lab.target.counterparties.suspended), 412, 'CONN010');
  }),

  refusedParty('CONN-01.foreign-seller', 'sellerId', (_, lab) => lab.organization('outsider'), ['outsider']),
  refusedParty('CONN-01.unknown-seller', 'sellerId', () => randomUUID()),
  // A connection joins an organization to another one.
  refusedParty('CONN-01.oneself', 'buyerId', ({ sellerId }) => sellerId),

  check('CONN-01.not-a-party', ['connection', 'outsider'], async (lab) => {
    await expectCreationRefused(lab, {
      spoil: (valid) => valid,
      statuses: NOT_THEIRS,
      extra: { as: lab.who('outsider') },
      whole: true,
    });
    if (!lab.target.actors.buyer) return;
    // The contract does not say which role creates.
    const body = validBody(lab);
    const byBuyer = await postInvoice(lab, body, { as: lab.who('buyer') });
    lab.observe('connection-role', `the buyer creating in the seller's name: ${byBuyer.status}`);
    if (accepted(byBuyer)) await invoiceOf(lab, body, byBuyer);
  }),
];
