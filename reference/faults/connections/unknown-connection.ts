import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { placeholderConnection, writeDespiteRejection } from '../support/connections.ts';

export const connectionsUnknownConnectionFaults: readonly Fault[] = [
  {
    id: 'conn-not-needed',
    requirement: 'CONN-01',
    defect:
      'An invoice to an organization without a connection is created: the connection is checked when the invoice is submitted.',
    caughtBy: ['CONN-01.unconnected'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) =>
        call.store.organizations.has(input.buyerId) &&
        !call.world.connections.some(({ organizationIds }) => organizationIds.includes(input.buyerId))
          ? placeholderConnection(input.sellerId, input.buyerId)
          : base.findConnection(call, input),
    })),
  },
  {
    id: 'conn-with-itself',
    requirement: 'CONN-01',
    defect: 'An organization counts as connected with itself, so that it can try invoices out.',
    caughtBy: ['CONN-01.seller-is-buyer'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) =>
        input.sellerId === input.buyerId
          ? placeholderConnection(input.sellerId, input.buyerId)
          : base.findConnection(call, input),
    })),
  },
  {
    id: 'conn-unknown-seller',
    requirement: 'CONN-01',
    defect: 'An unknown seller defaults to the caller.',
    caughtBy: ['CONN-01.unknown-seller'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) =>
        base.findConnection(
          call,
          call.store.organizations.has(input.sellerId) ? input : { ...input, sellerId: call.organizationId },
        ),
    })),
  },
  {
    id: 'conn-unknown-buyer',
    requirement: 'CONN-01',
    defect: 'An unknown buyer id is stored, because there is no foreign key.',
    caughtBy: ['CONN-01.unknown'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) =>
        call.store.organizations.has(input.buyerId)
          ? base.findConnection(call, input)
          : placeholderConnection(input.sellerId, input.buyerId),
    })),
  },
  {
    id: 'conn-unknown-buyer-400',
    requirement: 'CONN-01',
    defect: 'An unknown buyer id is a validation error: 400 INV002 instead of 404 CONN003.',
    caughtBy: ['CONN-01.unknown'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) => {
        if (!call.store.organizations.has(input.buyerId)) throw rejections.invalidInvoice('buyerId: unknown');
        return base.findConnection(call, input);
      },
    })),
  },
  {
    id: 'conn-unconnected-as-inactive',
    requirement: 'CONN-01',
    defect: 'A missing connection is reported as an inactive one.',
    caughtBy: ['CONN-01.unconnected', 'CONN-01.unknown'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) => {
        const { sellerId, buyerId } = input;
        const found = call.world.connections.some(
          ({ organizationIds }) => organizationIds.includes(sellerId) && organizationIds.includes(buyerId),
        );
        if (!found) throw rejections.connectionNotActive();
        return base.findConnection(call, input);
      },
    })),
  },
  {
    id: 'conn-unconnected-but-written',
    requirement: 'CONN-01',
    defect: 'The invoice is written before the connection is checked, and is not rolled back.',
    caughtBy: ['CONN-01.unconnected', 'CONN-02.suspended'],
    rules: writeDespiteRejection(({ organizationId }, input) => (organizationId === input.sellerId ? input : null)),
  },
  {
    id: 'conn-seller-not-checked',
    requirement: 'CONN-01',
    defect: 'sellerId is read from the body and not compared with the organization of the key.',
    caughtBy: ['CONN-01.foreign-seller'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) =>
        call.organizationId === input.sellerId || call.organizationId !== input.buyerId
          ? base.findConnection(call, input)
          : base.findConnection({ ...call, organizationId: input.sellerId }, input),
      issueInvoice: (call, input, number) => base.issueInvoice(call, input, number),
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        const party = call.world.connections.some(
          ({ organizationIds }) =>
            organizationIds.includes(call.organizationId) && organizationIds.includes(input.buyerId),
        );
        return party ? { ...input, sellerId: call.organizationId } : input;
      },
    })),
  },
  {
    id: 'conn-caller-not-checked',
    requirement: 'CONN-01',
    defect: 'The connection of seller and buyer is checked, but not the caller.',
    caughtBy: ['CONN-01.not-a-party'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) => base.findConnection({ ...call, organizationId: input.sellerId }, input),
    })),
  },
  {
    id: 'conn-caller-not-checked-on-retries',
    requirement: 'CONN-01',
    defect: 'A creation with a requestId is sent by the retry queue, which may create invoices for every organization.',
    caughtBy: ['CONN-01.not-a-party'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) =>
        base.findConnection(
          call.body.requestId === undefined ? call : { ...call, organizationId: input.sellerId },
          input,
        ),
    })),
  },
  {
    id: 'conn-suspended-shown-to-foreign',
    requirement: 'CONN-01',
    defect:
      'The status of a connection is checked before the caller: a caller outside the connection learns that it is suspended.',
    caughtBy: ['CONN-01.not-a-party'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) => {
        try {
          return base.findConnection(call, input);
        } catch (refusal) {
          // The seller would have received it.
          base.findConnection({ ...call, organizationId: input.sellerId }, input);
          throw refusal;
        }
      },
    })),
  },
];
