import { describe, memberOf } from '../engine/answer.ts';
import { listItems } from '../engine/invoice-record.ts';
import { NotApplicable } from '../engine/outcome.ts';
import { absentId } from '../helpers/absent-id.ts';
import { type Check, check } from '../helpers/check.ts';
import { actionWorks } from '../helpers/controls.ts';
import { accepted, breach, expectRefused, expectThat } from '../helpers/expect.ts';
import { freshInvoice, operationsTo, reach, stateOffering } from '../helpers/invoices.ts';
import type { Lab } from '../helpers/lab.ts';
import { asPage, createQuietly, whileQuiet } from '../helpers/lists.ts';
import { look, newest } from '../helpers/look.ts';
import { act, readInvoice } from '../helpers/operations.ts';
import { partyFor } from '../helpers/parties.ts';
import { listProduction, productionInvoices } from '../helpers/production.ts';
import { expectUnmoved } from '../helpers/refused-action.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';

const NOT_YOURS = [404] as const;
const NEWEST = { page: 0, limit: 100, sortBy: 'createdAt', sortOrder: 'desc' };

/** An action by a third organization, in the state that offers it. */
function byOutsider(action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(`ISO-04.${action}` as CheckId, ['connection', 'outsider', ...operationsTo(state), action], async (lab) => {
    if (!(await actionWorks(lab, action))) throw new NotApplicable(`no invoice is ever ${state}`);
    const invoice = await reach(lab, state);
    const { record: before } = await look(lab, invoice.id);
    const as = lab.who('outsider');
    const answer = await act(lab, action, invoice.id, { as });
    if (answer.status === 403) {
      // The key may lack permission for the whole endpoint: then an id that never existed is answered alike.
      const never = await act(lab, action, await absentId(lab), { as });
      if (never.status !== 403) throw breach(lab, answer, '404 INV001', 'the id of another organization is told from one that never existed', [never]);
    } else {
      expectRefused(lab, answer, NOT_YOURS, 'INV001');
    }
    await expectUnmoved(lab, invoice, before, answer);
  });
}

/** The control: the same action on an existing invoice is accepted in this run. */
function onAbsent(action: InvoiceAction): Check {
  return check(`ISO-05.${action}` as CheckId, ['connection', ...operationsTo(stateOffering(action)), action], async (lab) => {
    if (!(await actionWorks(lab, action))) throw new NotApplicable(`no invoice is ever in the state that offers ${action}`);
    const answer = await act(lab, action, await absentId(lab), { as: lab.who(partyFor(lab, action)) });
    expectRefused(lab, answer, NOT_YOURS, 'INV001');
  });
}

async function expectNoSight(lab: Lab, id: string, as: 'production' | 'seller' | 'outsider'): Promise<void> {
  const answer = await readInvoice(lab, id, { as: lab.who(as) });
  if (memberOf(answer, 'code') === 'GW_ENVIRONMENT_UNAVAILABLE') throw new NotApplicable('production is not deployed at this target');
  expectRefused(lab, answer, NOT_YOURS, 'INV001');
}

export const isolation: readonly Check[] = [
  check('ISO-01.read', ['connection', 'production', 'read'], async (lab) => {
    await expectNoSight(lab, (await freshInvoice(lab)).id, 'production');
  }),

  check('ISO-01.list', ['connection', 'production'], async (lab) => {
    const invoice = await freshInvoice(lab);
    await newest(lab);
    const answer = await listProduction(lab, NEWEST);
    const shown = listItems(answer).some(({ id }) => id === invoice.id);
    expectThat(lab, !shown, answer, 'no sandbox invoice in the production list', `it shows the sandbox invoice ${invoice.id}`);
  }),

  check('ISO-02.read', ['seller', 'production', 'read'], async (lab) => {
    const [invoice] = await productionInvoices(lab);
    if (!invoice) throw new NotApplicable('production holds no invoice that a sandbox key could try to read');
    await expectNoSight(lab, String(invoice.id), 'seller');
  }),

  check('ISO-02.list', ['seller', 'production'], async (lab) => {
    const production = new Set((await productionInvoices(lab)).map(({ id }) => id));
    const { records, answer } = await newest(lab);
    const shown = records.find(({ id }) => production.has(id));
    expectThat(lab, !shown, answer, 'no production invoice in the sandbox list', `it shows the production invoice ${String(shown?.id)}`);
  }),

  check('ISO-03.totals', ['connection', 'production'], (lab) =>
    whileQuiet(lab, async () => {
      const before = asPage(await listProduction(lab, { page: 0, limit: 1 }));
      await createQuietly(lab, 2);
      const after = asPage(await listProduction(lab, { page: 0, limit: 1 }));
      const because = `it is ${after.total} after 2 sandbox creations (${describe(after.answer)})`;
      expectThat(lab, after.total === before.total, after.answer, `the production total ${before.total}, as before`, because);
    }),
  ),

  check('ISO-04.read', ['connection', 'outsider', 'read'], async (lab) => {
    const invoice = await freshInvoice(lab);
    const seen = await readInvoice(lab, invoice.id);
    expectThat(lab, accepted(seen), seen, 'the same read accepted for the organization that owns the invoice', `answered with ${seen.status}`);
    await expectNoSight(lab, invoice.id, 'outsider');
  }),

  ...lifecycle.actions.map(byOutsider),

  check('ISO-05.read', ['seller', 'read'], async (lab) => {
    const answer = await readInvoice(lab, await absentId(lab));
    expectRefused(lab, answer, NOT_YOURS, 'INV001');
    lab.observe('malformed-id', (await readInvoice(lab, 'no-such-form')).status);
  }),

  ...lifecycle.actions.map(onAbsent),
];
