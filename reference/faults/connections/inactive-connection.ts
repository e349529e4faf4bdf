import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { CreateInput } from '../../service/inputs.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Connection } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { writeDespiteRejection } from '../support/connections.ts';

/** The connection of the two, whatever its status. */
const between = ({ world: environment }: Call, { sellerId, buyerId }: CreateInput): Connection | undefined =>
  environment.connections.find(
    ({ organizationIds }) => organizationIds.includes(sellerId) && organizationIds.includes(buyerId),
  );

/** Some creations pass over any connection there is, whatever its status. */
const whateverStatus = (when: (call: Call, input: CreateInput) => boolean): RuleChange =>
  overrideRules((base) => ({
    findConnection: (call, input) => {
      const way = between(call, input);
      return way && when(call, input) ? way : base.findConnection(call, input);
    },
  }));

export const connectionsInactiveConnectionFaults: readonly Fault[] = [
  {
    id: 'conn-second-try-let-through',
    requirement: 'CONN-02',
    defect:
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
    defect:
      'The status of a connection is cached under the id as it is written; the connection is found in any spelling.',
    caughtBy: ['CONN-02.suspended'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) => {
        const spelt = String(call.body.buyerId);
        const buyerId = spelt.toLowerCase();
        const found = call.world.connections.find(
          ({ organizationIds }) => organizationIds.includes(input.sellerId) && organizationIds.includes(buyerId),
        );
        return found && buyerId !== spelt ? found : base.findConnection(call, input);
      },
    })),
  },
  {
    id: 'conn-suspended-from-dashboard',
    requirement: 'CONN-02',
    defect:
      'A request with X-Environment comes from the dashboard, which offers active connections only: it is not asked again.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((call) => call.request.headers.has('X-Environment')),
  },
  {
    id: 'conn-suspended-for-pennies',
    requirement: 'CONN-02',
    defect: 'Below one a sum is a test of the line, and those are not stopped with the rest.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((call) => Number(call.body.amount) < 1),
  },
  {
    id: 'conn-refusal-kept',
    requirement: 'CONN-02',
    defect:
      'That a connection is suspended is kept by the seller, and the next creation is refused for it, whoever it is for.',
    caughtBy: ['CONN-02.suspended'],
    rules: overrideRules((base) => {
      const kept = new Set<string>();
      return {
        findConnection: (call, input) => {
          if (kept.delete(input.sellerId)) throw rejections.connectionNotActive();
          try {
            return base.findConnection(call, input);
          } catch (refusal) {
            if (refusal instanceof RejectionError && refusal.status === 412) kept.add(input.sellerId);
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'conn-consent-kept',
    requirement: 'CONN-02',
    defect: 'That a connection is active is kept by the seller for the next creation, whoever it is for.',
    caughtBy: ['CONN-02.suspended'],
    rules: overrideRules((base) => {
      const kept = new Set<string>();
      return {
        findConnection: (call, input) => {
          try {
            const connection = base.findConnection(call, input);
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
    defect: 'Without a description another way leads to the table, which does not pass by the connections.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { description }) => description === undefined),
  },
  {
    id: 'conn-suspended-leaves-draft',
    requirement: 'CONN-02',
    defect: 'What cannot be created over a suspended connection leaves an empty draft, to be filled in later.',
    caughtBy: ['CONN-02.suspended'],
    rules: writeDespiteRejection((_, input, refusal) =>
      refusal instanceof RejectionError && refusal.status === 412
        ? { ...input, amount: '1.00', description: undefined }
        : null,
    ),
  },
  {
    id: 'conn-suspended-allowed',
    requirement: 'CONN-02',
    defect: 'Any connection will do; its status is only shown in the dashboard.',
    caughtBy: ['CONN-02.suspended'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) =>
        call.world.connections.find(
          ({ organizationIds, status }) =>
            status !== 'ACTIVE' && organizationIds.includes(input.sellerId) && organizationIds.includes(input.buyerId),
        ) ?? base.findConnection(call, input),
    })),
  },
  {
    id: 'conn-suspended-allowed-for-little',
    requirement: 'CONN-02',
    defect: 'Below ten, nobody looks at the status of a connection.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { amount }) => Number(amount) < 10),
  },
  {
    id: 'conn-suspended-allowed-for-much',
    requirement: 'CONN-02',
    defect: 'From ten thousand on another service creates, which does not know what became of a connection.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { amount }) => Number(amount) >= 10_000),
  },
  {
    id: 'conn-suspended-as-absent',
    requirement: 'CONN-02',
    defect: 'Only active connections are looked for: a suspended one is reported as absent.',
    caughtBy: ['CONN-02.suspended'],
    rules: overrideRules((base) => ({
      findConnection: (call, input) => {
        try {
          return base.findConnection(call, input);
        } catch {
          throw rejections.connectionNotFound();
        }
      },
    })),
  },
  {
    id: 'conn-second-try-passes',
    requirement: 'CONN-02',
    defect: 'A refused connection is put into the cache, and found there the next time.',
    caughtBy: ['CONN-02.suspended'],
    rules: overrideRules((base) => {
      const refused = new Set<string>();
      return {
        findConnection: (call, input) => {
          try {
            return base.findConnection(call, input);
          } catch (refusal) {
            const seen = refused.has(input.buyerId);
            refused.add(input.buyerId);
            if (!seen || !(refusal instanceof RejectionError) || refusal.status !== 412) throw refusal;
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
