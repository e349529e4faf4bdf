import { isGatewayResponse } from '../../helpers/api/error-codes.ts';
import { readInvoice } from '../../helpers/api/operations.ts';
import { expectAccepted } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import { isUndeployed, listProduction, listProductionInvoices } from '../../helpers/environments/production.ts';

export const baseUrlChecks: readonly Check[] = [
  check('ORG-02.production-served', ['production', 'boundOperations'], async (lab) => {
    const answer = await listProduction(lab);
    // A key that may not list is one thing, and an environment that is not served here another.
    if (!isGatewayResponse(answer)) blockIfForbidden(answer);
    expectAccepted(lab, answer, 'the production key served at the base URL that serves sandbox keys');
    lab.observe('operations-bound', Object.keys(lab.run.plan.target.operations).sort());
  }),

  check('ORG-02.production-read', ['production', 'read'], async (lab) => {
    const [one] = await listProductionInvoices(lab);
    if (!one) return notApplicable('production holds no invoice that could be read');
    const ask = () => readInvoice(lab, String(one.id), { as: lab.credentials('production') });
    // Its instances may come and go, as long as there are some.
    const answer = await pollUntil(lab, ask, (seen) => seen.status !== 404 && !isUndeployed(seen));
    // A draft may be deleted between the two requests.
    if (answer.status === 404 && !(await listProductionInvoices(lab)).some(({ id }) => id === one.id)) return;
    blockIfForbidden(answer);
    expectAccepted(lab, answer, `invoice ${String(one.id)} of the production list`);
  }),
];
