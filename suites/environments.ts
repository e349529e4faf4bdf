import { performable } from '../helpers/adaptation/performable-actions.ts';
import { environment, NOBODY, namesInSandboxOnly, ownEnvironment } from '../helpers/api/environment-header.ts';
import { expectFunds } from '../helpers/api/error-codes.ts';
import {
  act,
  binding,
  type Extra,
  type ListQuery,
  list,
  NEWEST_FIRST,
  postInvoice,
  readInvoice,
  treasury,
  WAYS_TO_LIST,
} from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import { type Answer, bodyMember, inWords, recordsIn } from '../helpers/api/responses.ts';
import { breach, expectAccepted, expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { isIrrevocable } from '../helpers/context/leftover-reason.ts';
import { actionWorks } from '../helpers/controls/controls.ts';
import { expectOffered } from '../helpers/controls/spontaneous-change.ts';
import { callWitnesses } from '../helpers/controls/untouched-invoices.ts';
import { expectCreationRefused } from '../helpers/creation/rejected-creation.ts';
import { validBody } from '../helpers/data/invoice-body.ts';
import { expectMismatch, expectProductionMismatch, MISMATCH } from '../helpers/environments/environment-mismatch.ts';
import { isUndeployed, listProduction } from '../helpers/environments/production.ts';
import { badReset, expectStillLive, resetOnce } from '../helpers/environments/sandbox-reset.ts';
import { borrowing } from '../helpers/fixtures/borrowed-invoices.ts';
import { expectCreated } from '../helpers/fixtures/created-invoice.ts';
import { original } from '../helpers/idempotency/replay.ts';
import { partyFor, perform } from '../helpers/invoices/acting-party.ts';
import { expectInFront, findOf, lookSettled, lookUntil } from '../helpers/invoices/find-invoice.ts';
import {
  freshInvoice,
  type Invoice,
  invoiceOf,
  isState,
  keepTrack,
  operationsTo,
  reach,
  stateOffering,
} from '../helpers/invoices/invoices.ts';
import { expectUnmoved } from '../helpers/lifecycle/rejected-action.ts';
import { expectNoneMoves } from '../helpers/lifecycle/rejected-for-all.ts';
import { wentAllTheWay } from '../helpers/lifecycle/variant-lifecycle.ts';
import { otherBalance } from '../helpers/treasury/balances/balance-per-key.ts';
import { mayAskForFunds } from '../helpers/treasury/balances/production-balance.ts';
import { expectNothingPaid } from '../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { smallWithdrawal } from '../helpers/treasury/withdrawals/small-withdrawal.ts';
import { acceptedSubscription, subscribe } from '../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';

const UNKNOWN = 'GW_UNKNOWN_ENVIRONMENT';

const EACH_LIST = [{}, ...WAYS_TO_LIST];

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
  judge: (answer: Answer) => void,
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

/** Only where the balance is a GET or production may be written to: the header or the key names production. */
function mismatchOnBalance(id: CheckId, actor: 'seller' | 'production', named: string): Check {
  return check(id, [actor, 'treasuryBalance'], async (lab) => {
    const { method } = binding(lab, 'treasuryBalance');
    if (!mayAskForFunds(lab)) notApplicable(`the balance is a ${method} here, and allow.productionWrites is not true`);
    const as = lab.who(actor);
    const answer = await treasury(lab, 'treasuryBalance', { as, headers: environment(named) });
    const otherwise = answer.status === 403 && bodyMember(answer, 'code') !== MISMATCH;
    if (otherwise) expectPermitted(await treasury(lab, 'treasuryBalance', { as }));
    await (actor === 'production' ? expectProductionMismatch : expectMismatch)(lab, answer);
  });
}

/** Every action, where its state offers it, with nothing wrong but that it names production. */
async function expectMismatchOnActions(lab: Lab): Promise<void> {
  // By an id that is counted, production may hold another invoice; without its id in the path, the path is not about it.
  const mayTry = async (action: InvoiceAction, id: string) => namesInSandboxOnly(binding(lab, action).path, id);
  const tried = await expectNoneMoves(lab, performable(lab), mayTry, async ({ action, id }) => {
    const answer = await act(lab, action, id, { as: lab.who(partyFor(lab, action)), ...NAMING_PRODUCTION });
    expectMismatch(lab, answer);
    return answer;
  });
  if (!tried) notApplicable('there is no action on an invoice whose id only the sandbox can hold');
}

const NAMING_PRODUCTION = { headers: environment('PRODUCTION') };

const OWN_NAMED = "the sandbox key's own environment named";

type Asking = (extra: Extra) => Promise<Answer>;

/** Whatever it is refused for, not for the environment: without the header it is refused as well. */
async function expectNotTheEnvironment(lab: Lab, ask: Asking): Promise<void> {
  const answer = await ask({ headers: ownEnvironment });
  const refused = answer.status === 400 || answer.status === 403;
  if (refused && accepted(await ask({}))) expectAccepted(lab, answer, OWN_NAMED);
}

/** The action, where it is offered, with the key's own environment named; on a new invoice, unless one is given in its state. */
async function expectOwnAccepted(lab: Lab, action: InvoiceAction, given?: Invoice | null): Promise<Invoice> {
  const from = stateOffering(action);
  const invoice = given?.state === from ? given : await reach(lab, from);
  const answer = await perform(lab, action, invoice.id, { headers: ownEnvironment });
  expectFunds(answer);
  await expectOffered(lab, invoice, answer, OWN_NAMED);
  if (action === 'delete') lab.run.removed(invoice.id);
  return invoice;
}

/** What is approved stays behind: one invoice is approved and then settled, where none was seen to be with its environment named. */
async function expectOwnAcceptedOnwards(lab: Lab, actions: readonly InvoiceAction[]): Promise<void> {
  if (await wentAllTheWay(lab, 'most')) return;
  let invoice: Invoice | null = null;
  for (const action of actions) {
    if (!(await actionWorks(lab, action))) continue;
    invoice = await expectOwnAccepted(lab, action, invoice);
    const to = lifecycle.leadsTo[action];
    const { record } = await lookUntil(lab, invoice.id, (found) => found?.status === to);
    if (isState(record?.status)) invoice.state = record.status;
    keepTrack(lab, invoice);
  }
}

export const environments: readonly Check[] = [
  unknownOnList('ENV-01.list', ['STAGING'], EACH_LIST),
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

  unknownOnAction('ENV-01.action', 'cancel'),
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

  check('ENV-02.sandbox-key-list', ['seller'], async (lab) => {
    const headers = environment('PRODUCTION');
    const asked = EACH_LIST.map((query) => list(lab, query, { headers }));
    for (const answer of await Promise.all(asked)) expectMismatch(lab, answer);
  }),

  check('ENV-02.sandbox-key-read', ['connection', 'read'], async (lab) => {
    const { id } = await freshInvoice(lab);
    expectMismatch(lab, await readInvoice(lab, id, { headers: environment('PRODUCTION') }));
  }),

  check('ENV-02.sandbox-key-action', ['connection'], expectMismatchOnActions),

  check('ENV-02.sandbox-key-create', ['connection'], async (lab) => {
    // Nothing can come of it, whichever environment a server takes it to.
    const body = { ...validBody(lab), buyerId: NOBODY };
    const plain = await postInvoice(lab, body);
    if (plain.status !== 404) notApplicable(`an unknown buyer is answered with ${plain.status}; CONN-01 judges that`);
    expectMismatch(lab, await postInvoice(lab, body, { headers: environment('PRODUCTION') }));
  }),

  check('ENV-02.webhook-create', ['connection'], async (lab) => {
    const named = { headers: environment('PRODUCTION') };
    // In which order a server looks at a body and at the environment is not shown: it shows here.
    const creation = await postInvoice(lab, { ...validBody(lab), buyerId: NOBODY, amount: 42 }, named);
    if (bodyMember(creation, 'code') !== MISMATCH)
      notApplicable(`a creation is answered with ${creation.status} for its body first`);
    const url = { url: 42 };
    const plain = await subscribe(lab, url);
    if (plain.status !== 400) notApplicable(`a subscription without an address is answered with ${plain.status}`);
    expectMismatch(lab, await subscribe(lab, url, named));
  }),

  check('ENV-02.production-key-list', ['production'], async (lab) => {
    const extra = { as: lab.who('production'), headers: ownEnvironment };
    const asked = EACH_LIST.map((query) => list(lab, query, extra));
    for (const answer of await Promise.all(asked)) await expectProductionMismatch(lab, answer);
  }),

  check('ENV-02.production-key-read', ['connection', 'read', 'production'], async (lab) => {
    const { id } = await freshInvoice(lab);
    const extra = { as: lab.who('production'), headers: ownEnvironment };
    await expectProductionMismatch(lab, await readInvoice(lab, id, extra));
  }),

  mismatchOnBalance('ENV-02.sandbox-key-balance', 'seller', 'PRODUCTION'),
  mismatchOnBalance('ENV-02.production-key-balance', 'production', 'SANDBOX'),

  check('ENV-03.sandbox-list', ['seller'], async (lab) => {
    const answer = await list(lab, {}, { headers: ownEnvironment });
    expectAccepted(lab, answer, OWN_NAMED);
    const empty = await list(lab, {}, { headers: environment('') });
    lab.observe('empty-environment-header', empty.status);
  }),

  check('ENV-03.sandbox-create', ['connection'], async (lab) => {
    const body = validBody(lab);
    const answer = await postInvoice(lab, body, { headers: ownEnvironment });
    await expectCreated(lab, answer, OWN_NAMED);
    await invoiceOf(lab, body, answer);
    const { held, answer: seen } = await findOf(lab, body);
    expectThat(lab, held, seen, 'the created invoice in the sandbox list', 'it is not there');
  }),

  check('ENV-03.action', ['connection', 'submit'], async (lab) => {
    if (!(await actionWorks(lab, 'submit'))) notApplicable('no invoice is ever a DRAFT');
    await expectOwnAccepted(lab, 'submit');
  }),

  check('ENV-03.every-operation', ['connection'], async (lab) => {
    const { operations } = lab.target;
    if (operations.treasuryBalance) {
      await expectNotTheEnvironment(lab, (extra) => treasury(lab, 'treasuryBalance', extra));
    }
    if (operations.read) {
      const { id } = await freshInvoice(lab);
      await expectNotTheEnvironment(lab, (extra) => readInvoice(lab, id, extra));
    }
    const tried = performable(lab).filter((action) => action !== 'submit');
    await Promise.all([
      expectOwnAcceptedOnwards(lab, tried.filter(isIrrevocable)),
      ...tried
        .filter((action) => !isIrrevocable(action))
        .map(async (action) => {
          if (await actionWorks(lab, action)) await expectOwnAccepted(lab, action);
        }),
    ]);
  }),

  check('ENV-03.webhook-create', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    // An address of its own each time: one may be subscribed once only.
    const ask: Asking = (extra) => subscribe(lab, { url: `${url}/own-environment/${lab.run.serial()}` }, extra);
    await expectNotTheEnvironment(lab, ask);
  }),

  check('ENV-03.treasury-withdraw', ['seller', 'treasuryWithdraw'], async (lab) => {
    if (await smallWithdrawal(lab)) return;
    if (!accepted(await treasury(lab, 'treasuryWithdraw', {}, '0.01')))
      notApplicable('a withdrawal of 0.01 is refused');
    await expectNotTheEnvironment(lab, (extra) => treasury(lab, 'treasuryWithdraw', extra, '0.01'));
  }),

  check('ENV-03.production-list', ['production', 'boundOperations'], async (lab) => {
    const extra = { as: lab.who('production'), headers: environment('PRODUCTION') };
    const named = () => list(lab, {}, extra);
    const first = await named();
    // Where it serves whoever does not name it, it is deployed; its instances may come and go, as long as there are some.
    const deployed = isUndeployed(first) && (await listProduction(lab));
    const answer = deployed ? await pollUntil(lab, named, (seen) => !isUndeployed(seen)) : first;
    if (answer.status === 403) expectPermitted(await listProduction(lab));
    expectAccepted(lab, answer, "the production key's own environment named");
    // Production has traffic of its own, but is hardly empty at one moment and filled at the next.
    const unnamed = await listProduction(lab);
    const hidden = recordsIn(answer).length === 0 && recordsIn(unnamed).length > 0;
    expectThat(lab, !hidden, answer, 'what the key lists without naming its environment', 'no record is shown');
    const [one] = recordsIn(answer);
    if (!one || lab.target.operations.read?.method !== 'GET') return;
    const read = await readInvoice(lab, String(one.id), extra);
    // Whether the key may read at all is another question.
    const environmental = read.status === 400 || bodyMember(read, 'code') === MISMATCH;
    expectThat(lab, !environmental, read, "no refusal for the production key's own environment", inWords(read));
  }),

  check('ENV-04.balance', ['seller', 'treasuryBalance'], (lab) =>
    lab.run.funds.quietFor(lab.asking.id, async () => {
      // An answer may be kept for a while, and for each request on its own.
      const found = await pollUntil(
        lab,
        () => otherBalance(lab),
        (other) => other === null,
        lab.target.limits.settleWithinMs,
      );
      if (found) throw breach(lab, found.answer, found.expected, found.because);
    }),
  ),

  check('ENV-04.key-decides', ['connection'], async (lab) => {
    const invoice = await freshInvoice(lab);
    await findOf(lab, invoice.body);
    const shows = (answer: Answer) => recordsIn(answer).some(({ id }) => id === invoice.id);
    const answer = await pollUntil(lab, () => list(lab, NEWEST_FIRST, { headers: ownEnvironment }), shows);
    const found = shows(answer);
    if (!found) await expectInFront(lab, invoice, recordsIn(answer));
    expectThat(
      lab,
      found,
      answer,
      `invoice ${invoice.id}, created without X-Environment, in the sandbox`,
      'it is not there',
    );
  }),
];
