import { readInvoice } from '../../helpers/api/operations.ts';
import { isGatewayResponse } from '../../helpers/api/responses.ts';
import { expectAccepted } from '../../helpers/assert/expect.ts';
import { blockedBy, blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { isUndeployed, listProduction, listProductionInvoices } from '../../helpers/environments/production.ts';

export const baseUrlChecks: readonly Check[] = [
  check('ORG-02.production-served', ['production', 'boundOperations'], async (ctx) => {
    const response = await listProduction(ctx);
    // A missing permission blocks the check. A gateway response means that the environment is not served, which is a breach.
    if (!isGatewayResponse(response)) blockIfForbidden(response);
    expectAccepted(ctx, response, 'a request of the production key at the base URL that serves sandbox keys');
    ctx.observe('operations-bound', Object.keys(ctx.run.plan.target.operations).sort());
  }),

  // Late, when other checks may have created invoices in production.
  checkInPhase('late', 'ORG-02.production-read', ['production', 'read'], async (ctx) => {
    const [one] = await listProductionInvoices(ctx);
    if (!one) return notApplicable('the production list has no invoice to read');
    if (typeof one.id !== 'string' || one.id === '')
      return blockedBy('REC-01.id', 'the invoices of the production list have no id');
    const request = () => readInvoice(ctx, String(one.id), { as: ctx.credentials('production') });
    // Instances of production may start and stop meanwhile.
    const response = await pollUntil(
      ctx,
      request,
      (seen) => seen.status !== 404 && !isUndeployed(seen),
      'serves production',
    );
    // A draft may be deleted between the two requests.
    if (response.status === 404 && !(await listProductionInvoices(ctx)).some(({ id }) => id === one.id)) return;
    blockIfForbidden(response);
    expectAccepted(ctx, response, `invoice ${String(one.id)} of the production list`);
  }),
];
