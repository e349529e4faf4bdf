import { listInvoices } from '../../helpers/api/operations.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import { listProduction } from '../../helpers/environments/production.ts';

export const keyPrefixChecks: readonly Check[] = [
  check('KEY-01.sandbox-prefix', [], async (lab) => {
    for (const name of ['seller', 'buyer', 'outsider', 'readOnly'] as const) {
      const key = lab.target.actors[name]?.key;
      if (key === undefined) continue;
      const answer = await listInvoices(lab, {}, { as: lab.credentials(name) });
      const honest = answer.status === 401 || key.startsWith('svc_sand_');
      expectThat(lab, honest, answer, 'accepted sandbox keys begin with svc_sand_', `the key of ${name} does not`);
    }
  }),

  check('KEY-01.production-prefix', ['production'], async (lab) => {
    const answer = await listProduction(lab);
    const honest = answer.status === 401 || (lab.target.actors.production?.key.startsWith('svc_prod_') ?? false);
    expectThat(lab, honest, answer, 'accepted production keys begin with svc_prod_', 'the production key does not');
  }),
];
