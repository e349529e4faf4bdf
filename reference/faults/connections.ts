import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Call } from '../service/call.ts';
import type { CreateInput } from '../service/inputs.ts';
import { Refusal, refusals } from '../service/refusal.ts';
import type { Connection } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { codeWithStatus } from './support/response-filters.ts';

/** A connection that is not there. */
const madeUp = (...organizationIds: [string, string]): Connection => ({
  id: 'none',
  organizationIds,
  status: 'ACTIVE',
});

/** The connection of the two, whatever its status. */
const between = ({ world }: Call, { sellerId, buyerId }: CreateInput): Connection | undefined =>
  world.connections.find(
    ({ organizationIds }) => organizationIds.includes(sellerId) && organizationIds.includes(buyerId),
  );

/** Some creations pass over any connection there is, whatever its status. */
const whateverStatus = (when: (call: Call, input: CreateInput) => boolean): RuleChange =>
  replaced((honest) => ({
    connect: (call, input) => {
      const way = between(call, input);
      return way && when(call, input) ? way : honest.connect(call, input);
    },
  }));

/** What the connection refuses is written all the same, as whatever is made of it; null leaves nothing. */
const writtenAllTheSame = (
  made: (call: Call, input: CreateInput, refusal: unknown) => CreateInput | null,
): RuleChange =>
  replaced((honest) => ({
    connect: (call, input) => {
      try {
        return honest.connect(call, input);
      } catch (refusal) {
        const written = made(call, input, refusal);
        if (written) honest.issue(call, written, honest.number(call, madeUp(input.sellerId, input.buyerId)));
        throw refusal;
      }
    },
  }));

export const connectionFaults: readonly Fault[] = [
  {
    id: 'conn-not-needed',
    requirement: 'CONN-01',
    sentence:
      'An invoice to an organization without connection is created: the connection is looked at when it is sent.',
    caughtBy: ['CONN-01.unconnected'],
    rules: replaced((honest) => ({
      connect: (call, input) =>
        call.store.organizations.has(input.buyerId) &&
        !call.world.connections.some(({ organizationIds }) => organizationIds.includes(input.buyerId))
          ? madeUp(input.sellerId, input.buyerId)
          : honest.connect(call, input),
    })),
  },
  {
    id: 'conn-second-try-let-through',
    requirement: 'CONN-02',
    sentence:
      'The requestId is stored before the connection is looked at, and who comes again with it was looked at already.',
    caughtBy: ['CONN-02.suspended'],
    rules: (() => {
      const seen = new Set<string>();
      return whateverStatus((_, { requestId }) => {
        if (!requestId) return false;
        const known = seen.has(requestId);
        seen.add(requestId);
        return known;
      });
    })(),
  },
  {
    id: 'conn-status-by-spelling',
    requirement: 'CONN-02',
    sentence:
      'The status of a connection is cached under the id as it is written; the connection is found in any spelling.',
    caughtBy: ['CONN-02.suspended'],
    rules: replaced((honest) => ({
      connect: (call, input) => {
        const spelt = String(call.body.buyerId);
        const buyerId = spelt.toLowerCase();
        const found = call.world.connections.find(
          ({ organizationIds }) => organizationIds.includes(input.sellerId) && organizationIds.includes(buyerId),
        );
        return found && buyerId !== spelt ? found : honest.connect(call, input);
      },
    })),
  },
  {
    id: 'conn-with-oneself',
    requirement: 'CONN-01',
    sentence: 'An organization is taken to be connected with itself, so that it can try invoices out.',
    caughtBy: ['CONN-01.seller-is-buyer'],
    rules: replaced((honest) => ({
      connect: (call, input) =>
        input.sellerId === input.buyerId ? madeUp(input.sellerId, input.buyerId) : honest.connect(call, input),
    })),
  },
  {
    id: 'conn-unknown-seller',
    requirement: 'CONN-01',
    sentence: 'A seller that nobody knows is taken for the caller.',
    caughtBy: ['CONN-01.unknown-seller'],
    rules: replaced((honest) => ({
      connect: (call, input) =>
        honest.connect(
          call,
          call.store.organizations.has(input.sellerId) ? input : { ...input, sellerId: call.organizationId },
        ),
    })),
  },
  {
    id: 'conn-suspended-from-dashboard',
    requirement: 'CONN-02',
    sentence:
      'A request with X-Environment comes from the dashboard, which offers active connections only: it is not asked again.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((call) => call.request.headers.has('X-Environment')),
  },
  {
    id: 'conn-suspended-for-pennies',
    requirement: 'CONN-02',
    sentence: 'Below one a sum is a test of the line, and those are not stopped with the rest.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((call) => Number(call.body.amount) < 1),
  },
  {
    id: 'conn-unknown-buyer',
    requirement: 'CONN-01',
    sentence: 'A buyer id that nobody has is stored: there is no foreign key.',
    caughtBy: ['CONN-01.unknown'],
    rules: replaced((honest) => ({
      connect: (call, input) =>
        call.store.organizations.has(input.buyerId)
          ? honest.connect(call, input)
          : madeUp(input.sellerId, input.buyerId),
    })),
  },
  {
    id: 'conn-unknown-buyer-400',
    requirement: 'CONN-01',
    sentence: 'A buyer id that nobody has is a validation error: 400 INV002 instead of 404 CONN003.',
    caughtBy: ['CONN-01.unknown'],
    rules: replaced((honest) => ({
      connect: (call, input) => {
        if (!call.store.organizations.has(input.buyerId)) throw refusals.invalidInvoice('buyerId: unknown');
        return honest.connect(call, input);
      },
    })),
  },
  {
    id: 'conn-unconnected-as-inactive',
    requirement: 'CONN-01',
    sentence: 'No connection at all is reported as one that is not active.',
    caughtBy: ['CONN-01.unconnected', 'CONN-01.unknown'],
    rules: replaced((honest) => ({
      connect: (call, input) => {
        const { sellerId, buyerId } = input;
        const found = call.world.connections.some(
          ({ organizationIds }) => organizationIds.includes(sellerId) && organizationIds.includes(buyerId),
        );
        if (!found) throw refusals.connectionNotActive();
        return honest.connect(call, input);
      },
    })),
  },
  {
    id: 'conn-unconnected-but-written',
    requirement: 'CONN-01',
    sentence: 'The invoice is written, then the connection refuses it: nobody rolls back.',
    caughtBy: ['CONN-01.unconnected', 'CONN-02.suspended'],
    rules: writtenAllTheSame(({ organizationId }, input) => (organizationId === input.sellerId ? input : null)),
  },
  {
    id: 'conn-seller-not-checked',
    requirement: 'CONN-01',
    sentence: 'sellerId is taken from the body and not compared with the organization of the key.',
    caughtBy: ['CONN-01.foreign-seller'],
    rules: replaced((honest) => ({
      connect: (call, input) =>
        call.organizationId === input.sellerId || call.organizationId !== input.buyerId
          ? honest.connect(call, input)
          : honest.connect({ ...call, organizationId: input.sellerId }, input),
      issue: (call, input, number) => honest.issue(call, input, number),
      validateCreate: (call) => {
        const input = honest.validateCreate(call);
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
    sentence: 'The connection of seller and buyer is looked at, but not who asks.',
    caughtBy: ['CONN-01.not-a-party'],
    rules: replaced((honest) => ({
      connect: (call, input) => honest.connect({ ...call, organizationId: input.sellerId }, input),
    })),
  },
  {
    id: 'conn-caller-not-checked-on-retries',
    requirement: 'CONN-01',
    sentence: 'A creation with a requestId comes from the queue of retries, which works for everybody.',
    caughtBy: ['CONN-01.not-a-party'],
    rules: replaced((honest) => ({
      connect: (call, input) =>
        honest.connect(call.body.requestId === undefined ? call : { ...call, organizationId: input.sellerId }, input),
    })),
  },
  {
    id: 'conn-suspended-told-to-strangers',
    requirement: 'CONN-01',
    sentence: 'The status of a connection is looked at before who asks: strangers are told that it is suspended.',
    caughtBy: ['CONN-01.not-a-party'],
    rules: replaced((honest) => ({
      connect: (call, input) => {
        try {
          return honest.connect(call, input);
        } catch (refusal) {
          // The seller would have got it.
          honest.connect({ ...call, organizationId: input.sellerId }, input);
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'conn-refusal-kept',
    requirement: 'CONN-02',
    sentence:
      'That a connection is suspended is kept by the seller, and the next creation is refused for it, whoever it is for.',
    caughtBy: ['CONN-02.suspended'],
    rules: replaced((honest) => {
      const kept = new Set<string>();
      return {
        connect: (call, input) => {
          if (kept.delete(input.sellerId)) throw refusals.connectionNotActive();
          try {
            return honest.connect(call, input);
          } catch (refusal) {
            if (refusal instanceof Refusal && refusal.status === 412) kept.add(input.sellerId);
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'conn-consent-kept',
    requirement: 'CONN-02',
    sentence: 'That a connection is active is kept by the seller for the next creation, whoever it is for.',
    caughtBy: ['CONN-02.suspended'],
    rules: replaced((honest) => {
      const kept = new Set<string>();
      return {
        connect: (call, input) => {
          try {
            const connection = honest.connect(call, input);
            kept.add(input.sellerId);
            return connection;
          } catch (refusal) {
            const suspended = between(call, input);
            if (suspended && kept.delete(input.sellerId)) return suspended;
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'conn-suspended-without-description',
    requirement: 'CONN-02',
    sentence: 'Without a description another way leads to the table, which does not pass by the connections.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { description }) => description === undefined),
  },
  {
    id: 'conn-suspended-leaves-draft',
    requirement: 'CONN-02',
    sentence: 'What cannot be created over a suspended connection leaves an empty draft, to be filled in later.',
    caughtBy: ['CONN-02.suspended'],
    rules: writtenAllTheSame((_, input, refusal) =>
      refusal instanceof Refusal && refusal.status === 412
        ? { ...input, amount: '1.00', description: undefined }
        : null,
    ),
  },
  {
    id: 'conn-suspended-allowed',
    requirement: 'CONN-02',
    sentence: 'Any connection will do; its status is only shown in the dashboard.',
    caughtBy: ['CONN-02.suspended'],
    rules: replaced((honest) => ({
      connect: (call, input) =>
        call.world.connections.find(
          ({ organizationIds, status }) =>
            status !== 'ACTIVE' && organizationIds.includes(input.sellerId) && organizationIds.includes(input.buyerId),
        ) ?? honest.connect(call, input),
    })),
  },
  {
    id: 'conn-suspended-allowed-for-little',
    requirement: 'CONN-02',
    sentence: 'Below ten, nobody looks at the status of a connection.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { amount }) => Number(amount) < 10),
  },
  {
    id: 'conn-suspended-allowed-for-much',
    requirement: 'CONN-02',
    sentence: 'From ten thousand on another service creates, which does not know what became of a connection.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { amount }) => Number(amount) >= 10_000),
  },
  {
    id: 'conn-suspended-as-absent',
    requirement: 'CONN-02',
    sentence: 'Only active connections are looked for: a suspended one is reported as absent.',
    caughtBy: ['CONN-02.suspended'],
    rules: replaced((honest) => ({
      connect: (call, input) => {
        try {
          return honest.connect(call, input);
        } catch {
          throw refusals.connectionNotFound();
        }
      },
    })),
  },
  {
    id: 'conn-code-412-for-absent',
    requirement: 'ERR-06',
    sentence: 'CONN003 comes with 412.',
    caughtBy: ['ERR-06.conn003'],
    alongside: ['CONN-01.unknown'],
    rewrite: codeWithStatus('CONN003', 412),
  },
  {
    id: 'conn-code-409-for-suspended',
    requirement: 'ERR-06',
    sentence: 'CONN010 comes with 409.',
    caughtBy: ['ERR-06.conn010'],
    alongside: ['CONN-02.suspended'],
    rewrite: codeWithStatus('CONN010', 409),
  },
  {
    id: 'conn-second-try-passes',
    requirement: 'CONN-02',
    sentence: 'A refused connection is put into the cache, and found there the next time.',
    caughtBy: ['CONN-02.suspended'],
    rules: replaced((honest) => {
      const refused = new Set<string>();
      return {
        connect: (call, input) => {
          try {
            return honest.connect(call, input);
          } catch (refusal) {
            const seen = refused.has(input.buyerId);
            refused.add(input.buyerId);
            if (!seen || !(refusal instanceof Refusal) || refusal.status !== 412) throw refusal;
            const both = [input.sellerId, input.buyerId];
            const found = call.world.connections.find(({ organizationIds }) =>
              both.every((id) => organizationIds.includes(id)),
            );
            if (!found) throw refusal;
            return found;
          }
        },
      };
    }),
  },
];
