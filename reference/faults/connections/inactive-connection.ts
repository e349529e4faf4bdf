import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { CreateInput } from '../../service/inputs.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Connection } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { writeDespiteRejection } from '../support/connections.ts';

/** The connection of the two organizations, in any status. */
const between = ({ world: environment }: Call, { sellerId, buyerId }: CreateInput): Connection | undefined =>
  environment.connections.find(
    ({ organizationIds }) => organizationIds.includes(sellerId) && organizationIds.includes(buyerId),
  );

/** Some creations are accepted over any connection, in any status. */
const whateverStatus = (when: (call: Call, input: CreateInput) => boolean): RuleChange =>
  overrideRules((base) => ({
    findConnection: (call, input) => {
      const way = between(call, input);
      return way && when(call, input) ? way : base.findConnection(call, input);
    },
  }));

export const connectionsInactiveConnectionFaults: readonly Fault[] = [
  {
    id: 'conn-replay-skips-check',
    requirement: 'CONN-02',
    defect: 'The requestId is stored before the connection is checked, and a replay skips the check.',
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
      'The status of a connection is cached under the id as written, but the connection is found in any spelling.',
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
      'A request with X-Environment is taken for the dashboard, which offers only active connections: the status is not checked.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((call) => call.request.headers.has('X-Environment')),
  },
  {
    id: 'conn-suspended-below-one',
    requirement: 'CONN-02',
    defect: 'An amount below one is taken for a test, for which the connection is not checked.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((call) => Number(call.body.amount) < 1),
  },
  {
    id: 'conn-suspended-status-cached',
    requirement: 'CONN-02',
    defect: 'The status "suspended" is cached for the seller, and its next creation is rejected for any buyer.',
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
    id: 'conn-active-status-cached',
    requirement: 'CONN-02',
    defect: 'The status "active" is cached for the seller, and its next creation is accepted for any buyer.',
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
    defect: 'A creation without a description uses another code path, which does not check connections.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { description }) => description === undefined),
  },
  {
    id: 'conn-suspended-leaves-draft',
    requirement: 'CONN-02',
    defect: 'A creation that is rejected because of a suspended connection leaves an empty draft.',
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
    defect: 'The status of a connection is not checked; only the dashboard shows it.',
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
    id: 'conn-suspended-allowed-small',
    requirement: 'CONN-02',
    defect: 'Below ten, the status of a connection is not checked.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { amount }) => Number(amount) < 10),
  },
  {
    id: 'conn-suspended-allowed-large',
    requirement: 'CONN-02',
    defect: 'From 10,000, another service creates the invoice and does not know the status of the connection.',
    caughtBy: ['CONN-02.suspended'],
    rules: whateverStatus((_, { amount }) => Number(amount) >= 10_000),
  },
  {
    id: 'conn-suspended-as-absent',
    requirement: 'CONN-02',
    defect: 'Only active connections are searched: a suspended one is reported as missing.',
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
    id: 'conn-second-attempt-accepted',
    requirement: 'CONN-02',
    defect: 'A rejected connection is cached and found on the next attempt.',
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
