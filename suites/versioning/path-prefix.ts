import { listInvoices } from '../../helpers/api/operations.ts';
import { expectAccepted } from '../../helpers/assert/expect.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';

export const pathPrefixChecks: readonly Check[] = [
  check('VER-01.prefix', [], async (lab) => {
    const answer = await listInvoices(lab, {}, { as: lab.credentials(lab.target.actors.seller ? 'seller' : 'buyer') });
    expectAccepted(lab, answer, 'the list under /api/v1');
  }),
];
