import { randomUUID } from 'node:crypto';
import { postInvoice } from '../../helpers/api/operations.ts';
import { bodyMember, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { expectRefused, expectThat } from '../../helpers/assert/expect.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { expectNoConnection } from '../../helpers/creation/rejected-connection.ts';
import { expectCreationRefused } from '../../helpers/creation/rejected-creation.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { invoiceOf } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

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

/** One after the other and nothing between: what is asked about the one connection is no answer for the other. */
async function expectApart(lab: Lab, suspended: string): Promise<void> {
  const refused = async () =>
    expectRefused(lab, await postInvoice(lab, { ...validBody(lab), buyerId: suspended }), [412], 'CONN010');
  for (let time = 0; time < 2; time += 1) {
    await refused();
    const body = validBody(lab);
    const answer = await postInvoice(lab, body);
    if (isSuccess(answer)) await invoiceOf(lab, body, answer);
    const mistaken = bodyMember(answer, 'code') === 'CONN010';
    expectThat(lab, !mistaken, answer, 'the connection taken for active, as a moment before', describeResponse(answer));
  }
  await refused();
}

/** What somebody else's connection has come to is nobody else's business: to them it does not exist. */
async function expectNothingTold(lab: Lab): Promise<void> {
  const { suspended } = lab.target.counterparties;
  if (!suspended) return;
  const body = { ...validBody(lab), buyerId: suspended };
  const answer = await postInvoice(lab, body, { as: lab.who('outsider') });
  if (isSuccess(answer)) await invoiceOf(lab, body, answer);
  expectRefused(lab, answer, NOT_THEIRS);
  const told = bodyMember(answer, 'code') === 'CONN010';
  const expected =
    'a refusal that tells nothing of a connection of others, as CONN003 (404) of one that is inaccessible';
  expectThat(lab, !told, answer, expected, describeResponse(answer));
}

export const activeConnectionChecks: readonly Check[] = [
  check('CONN-01.unconnected', ['connection', 'unconnected'], async (lab) => {
    await expectNoConnection(lab, String(lab.target.counterparties.unconnected), 404, 'CONN003');
  }),

  check('CONN-01.unknown', ['connection'], async (lab) => {
    await expectNoConnection(lab, randomUUID(), 404, 'CONN003');
  }),

  refusedParty('CONN-01.foreign-seller', 'sellerId', (_, lab) => lab.organization('outsider'), ['outsider']),

  refusedParty('CONN-01.unknown-seller', 'sellerId', () => randomUUID()),

  // A connection joins an organization to another one.
  refusedParty('CONN-01.seller-is-buyer', 'buyerId', ({ sellerId }) => sellerId),

  check('CONN-01.not-a-party', ['connection', 'outsider'], async (lab) => {
    await expectCreationRefused(lab, {
      spoil: (valid) => valid,
      statuses: NOT_THEIRS,
      extra: { as: lab.who('outsider') },
      whole: true,
    });
    await expectNothingTold(lab);
    if (!lab.target.actors.buyer) return;
    // The contract does not say which role creates.
    const body = validBody(lab);
    const byBuyer = await postInvoice(lab, body, { as: lab.who('buyer') });
    lab.observe('connection-role', `the buyer creating in the seller's name: ${byBuyer.status}`);
    if (isSuccess(byBuyer)) await invoiceOf(lab, body, byBuyer);
  }),

  check('CONN-02.suspended', ['connection', 'suspended'], async (lab) => {
    const buyerId = String(lab.target.counterparties.suspended);
    await expectNoConnection(lab, buyerId, 412, 'CONN010');
    await lab.run.invoices.quiet(lab.asking.id, () => expectApart(lab, buyerId));
  }),
];
