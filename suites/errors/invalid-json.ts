import { performable } from '../../helpers/adaptation/performable-actions.ts';
import { act, binding, postWebhook, takesBody, treasury } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectRefused, expectThat } from '../../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import { actionWorks } from '../../helpers/controls/controls.ts';
import { borrowing } from '../../helpers/fixtures/borrowed-invoices.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { stateOffering } from '../../helpers/invoices/invoices.ts';
import { acceptedSubscription } from '../../helpers/webhooks/subscriptions.ts';

const BROKEN = '{"requestId": oops';

/** Whether there is something to withdraw to may be asked before the body is read. */
const REFUSED_UNREAD = [409, 412];

export const invalidJsonChecks: readonly Check[] = [
  check('ERR-11.actions', ['connection'], async (lab) => {
    const tried = performable(lab).filter((action) => takesBody(binding(lab, action)));
    if (tried.length === 0) notApplicable('no action with a body can be performed');
    await Promise.all(
      tried.map(async (action) => {
        if (!(await actionWorks(lab, action))) return;
        await borrowing(lab, stateOffering(action), async (invoice) => {
          const answer = await act(lab, action, invoice.id, { as: lab.who(partyFor(lab, action)), text: BROKEN });
          // Where nothing is declared, a body may be nothing that anybody reads.
          invoice.isUnderWay = isSuccess(answer);
          expectThat(lab, answer.status < 500, answer, 'a refusal with 400', `answered with ${answer.status}`);
        });
      }),
    );
  }),

  check('ERR-11.withdrawal', ['seller', 'treasuryWithdraw'], async (lab) => {
    const bound = binding(lab, 'treasuryWithdraw');
    if (!takesBody(bound) || bound.body === undefined) notApplicable('a withdrawal has no body');
    const answer = await treasury(lab, 'treasuryWithdraw', { text: BROKEN });
    expectPermitted(answer);
    expectRefused(lab, answer, [400, ...REFUSED_UNREAD]);
  }),

  check('ERR-11.subscription', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    expectRefused(lab, await postWebhook(lab, `{"url": "${url}", "eventTypes": [`), [400]);
  }),
];
