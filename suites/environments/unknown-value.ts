import { environment } from '../../helpers/api/environment-header.ts';
import type { ListQuery } from '../../helpers/api/operations.ts';
import { act, list, postInvoice, readInvoice, treasury } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { expectRefused } from '../../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../../helpers/assert/not-judged.ts';
import { expectEachReplay } from '../../helpers/authentication/rejected-replays.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { actionWorks } from '../../helpers/controls/controls.ts';
import { callWitnesses } from '../../helpers/controls/untouched-invoices.ts';
import { expectCreationRefused } from '../../helpers/creation/rejected-creation.ts';
import { headerForOtherKeysCheck, LIST_QUERIES } from '../../helpers/environments/header-checks.ts';
import { isUndeployed } from '../../helpers/environments/production.ts';
import { badReset, expectStillLive, resetOnce } from '../../helpers/environments/sandbox-reset.ts';
import { borrowing } from '../../helpers/fixtures/borrowed-invoices.ts';
import { original } from '../../helpers/idempotency/replay.ts';
import { partyFor } from '../../helpers/invoices/acting-party.ts';
import { lookSettled } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { freshInvoice, operationsTo, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectUnmoved } from '../../helpers/lifecycle/rejected-action.ts';
import { expectNothingPaid } from '../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { noNotificationCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import { acceptedSubscription, subscribe } from '../../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

const UNKNOWN = 'GW_UNKNOWN_ENVIRONMENT';

function unknownOnList(id: CheckId, values: readonly string[], queries: readonly ListQuery[] = [{}]): Check {
  return check(id, ['seller'], async (lab) => {
    const asked = queries.flatMap((query) => values.map((value) => list(lab, query, { headers: environment(value) })));
    for (const answer of await Promise.all(asked)) expectRefused(lab, answer, [400], UNKNOWN);
    if (!lab.target.actors.production) return;
    const [value = ''] = values;
    const answer = await list(lab, {}, { as: lab.who('production'), headers: environment(value) });
    if (!isUndeployed(answer)) expectRefused(lab, answer, [400], UNKNOWN);
  });
}

/** The action that the invoice's state offers, with nothing wrong but the environment that is named. */
async function expectRefusedFor(
  lab: Lab,
  value: string,
  action: InvoiceAction,
  invoice: Invoice,
  judge: (answer: ApiResponse) => void,
): Promise<void> {
  const { record: before } = await lookSettled(lab, invoice);
  const as = lab.who(partyFor(lab, action));
  const answer = await act(lab, action, invoice.id, { as, headers: environment(value) });
  judge(answer);
  await expectUnmoved(lab, invoice, before, answer);
}

function unknownOnAction(id: CheckId, action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(id, ['connection', ...operationsTo(state), action], async (lab) => {
    if (!(await actionWorks(lab, action))) notApplicable(`no invoice is ever ${state}`);
    // What moves invoices by itself shows by those that were there before.
    await callWitnesses(lab);
    await borrowing(lab, state, (invoice) =>
      expectRefusedFor(lab, 'STAGING', action, invoice, (answer) => expectRefused(lab, answer, [400], UNKNOWN)),
    );
  });
}

export const unknownValueChecks: readonly Check[] = [
  unknownOnList('ENV-01.list', ['STAGING'], LIST_QUERIES),

  unknownOnList('ENV-01.lower-case', ['sandbox', 'Sandbox']),

  unknownOnList('ENV-01.abbreviation', ['PROD', 'SAND']),

  unknownOnList('ENV-01.extended', ['SANDBOX2', 'XSANDBOX', '"SANDBOX"']),

  // The last of them are names that every object has.
  unknownOnList('ENV-01.placeholder', [
    'undefined',
    'null',
    'none',
    '0',
    '1',
    'TEST',
    'production',
    'toString',
    'constructor',
  ]),

  unknownOnList('ENV-01.both', ['SANDBOX PRODUCTION', 'SANDBOX,PRODUCTION']),

  check('ENV-01.create', ['connection'], async (lab) => {
    for (const value of ['STAGING', 'sandbox']) {
      const extra = { headers: environment(value) };
      await expectCreationRefused(lab, { spoil: (valid) => valid, statuses: [400], code: UNKNOWN, extra });
    }
    // A replay passes the gateway like anything else.
    const { body } = await original(lab);
    expectRefused(lab, await postInvoice(lab, body, { headers: environment('STAGING') }), [400], UNKNOWN);
  }),

  check('ENV-01.webhook-create', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    expectRefused(lab, await subscribe(lab, { url }, { headers: environment('STAGING') }), [400], UNKNOWN);
  }),

  check('ENV-01.read', ['connection', 'read'], async (lab) => {
    const { id } = await freshInvoice(lab);
    expectRefused(lab, await readInvoice(lab, id, { headers: environment('STAGING') }), [400], UNKNOWN);
  }),

  unknownOnAction('ENV-01.cancel', 'cancel'),

  unknownOnAction('ENV-01.submit', 'submit'),

  unknownOnAction('ENV-01.delete', 'delete'),

  unknownOnAction('ENV-01.approve', 'approve'),

  unknownOnAction('ENV-01.dispute', 'dispute'),

  unknownOnAction('ENV-01.settle', 'settle'),

  unknownOnAction('ENV-01.resolve', 'resolve'),

  check('ENV-01.treasury-balance', ['seller', 'treasuryBalance'], async (lab) => {
    const answer = await treasury(lab, 'treasuryBalance', { headers: environment('STAGING') });
    // Which key may do what is not shown, nor whether that is asked first.
    if (answer.status === 403) expectPermitted(await treasury(lab, 'treasuryBalance'));
    expectRefused(lab, answer, [400], UNKNOWN);
  }),

  check('ENV-01.treasury-withdraw', ['seller', 'treasuryWithdraw'], async (lab) => {
    const extras = [{ headers: environment('STAGING') }];
    await expectNothingPaid(lab, 'unknown environment', extras, async (answer) => {
      if (answer.status === 403) expectPermitted(await treasury(lab, 'treasuryWithdraw', {}, '0.01'));
      expectRefused(lab, answer, [400], UNKNOWN);
    });
  }),

  checkIn('reset', 'ENV-01.reset', ['reset', 'seller'], async (lab) => {
    const { answers, after } = await badReset(lab, 'environment');
    // Which key may reset is not shown, nor whether that is asked first.
    if (answers.some(({ status }) => status === 403)) expectPermitted((await resetOnce(lab)).answer);
    for (const answer of answers) expectRefused(lab, answer, [400], UNKNOWN);
    expectStillLive(lab, after);
  }),

  headerForOtherKeysCheck('ENV-01.every-key', environment('STAGING'), (lab, answer) =>
    expectRefused(lab, answer, [400], 'GW_UNKNOWN_ENVIRONMENT'),
  ),

  check('ENV-01.replayed', ['connection', 'submit'], (lab) =>
    expectEachReplay(lab, [{ headers: environment('STAGING') }], (answer) =>
      expectRefused(lab, answer, [400], 'GW_UNKNOWN_ENVIRONMENT'),
    ),
  ),

  noNotificationCheck('ENV-01.webhook-no-notification', 'environment'),
];
