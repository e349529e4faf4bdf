import { randomUUID } from 'node:crypto';
import { check } from '../helpers/check.ts';
import { expectNoConnection } from '../helpers/connections.ts';
import { expectCreationRefused } from '../helpers/refused-creation.ts';

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

  check('CONN-03.foreign-seller', ['connection', 'outsider'], async (lab) => {
    // Which refusal it is, is left open: no permission, no such connection, or an invalid body.
    const sellerId = lab.organization('outsider');
    const statuses = [400, 403, 404, 409, 412];
    await expectCreationRefused(lab, { spoil: (valid) => ({ ...valid, sellerId }), defect: 'sellerId', statuses });
  }),
];
