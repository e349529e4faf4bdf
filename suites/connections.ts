import { randomUUID } from 'node:crypto';
import { check } from '../helpers/check.ts';
import { expectNoConnection } from '../helpers/connections.ts';
import { expectCreationRefused } from '../helpers/refused-creation.ts';

// No such connection, no permission to act for another, or an invalid body: which of them it is, is left open.
const NOT_THEIRS = [404, 403, 400, 409, 412];

export const connections = [
  check('CONN-01.unconnected', ['connection', 'unconnected'], async (lab) => {
    await expectNoConnection(lab, String(lab.target.counterparties.unconnected), 404, 'CONN003');
  }),

  check('CONN-01.unknown', ['connection'], async (lab) => {
    await expectNoConnection(lab, randomUUID(), 404, 'CONN003');
  }),

  check('CONN-02.suspended', ['connection', 'suspended'], async (lab) => {
    await expectNoConnection(lab, String(lab.target.counterparties.suspended), 412, 'CONN010');
  }),

  check('CONN-01.foreign-seller', ['connection', 'outsider'], async (lab) => {
    const sellerId = lab.organization('outsider');
    await expectCreationRefused(lab, {
      spoil: (valid) => ({ ...valid, sellerId }),
      defect: 'sellerId',
      statuses: NOT_THEIRS,
    });
  }),

  check('CONN-01.not-a-party', ['connection', 'outsider'], (lab) =>
    expectCreationRefused(lab, { spoil: (valid) => valid, statuses: NOT_THEIRS, extra: { as: lab.who('outsider') } }),
  ),
];
