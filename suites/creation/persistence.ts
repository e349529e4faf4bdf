import { postInvoice, readInvoice } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { describeResponse, invoiceIn, is2xx, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import { runCreationControl } from '../../helpers/controls/controls.ts';
import { expectNoDuplicates } from '../../helpers/creation/duplicate-creations.ts';
import { ownDuplicatesOf } from '../../helpers/creation/own-duplicates.ts';
import { isEquivalentText } from '../../helpers/data/description-text.ts';
import { generateValidBodies } from '../../helpers/data/generated-valid-bodies.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import {
  findCreatedInvoice,
  findInList,
  isCreatedFrom,
  newestInvoices,
  recentInvoicesReader,
  skipUnlessListedFirst,
} from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { invoicesOfEachState } from '../../helpers/lists/invoice-of-each-state.ts';

export const persistenceChecks: readonly Check[] = [
  check('CREATE-14.generated', ['connection'], async (lab) => {
    await runCreationControl(lab);
    const bodies = generateValidBodies(lab);
    const answers = await Promise.all(bodies.map((body) => postInvoice(lab, body)));
    const refusal = answers.find((answer) => !isSuccess(answer));
    if (refusal) await expectCreated(lab, refusal, 'a valid creation accepted');
    const made = await Promise.all(
      bodies.map(async (body, at) => ({
        body,
        invoice: await resolveCreatedInvoice(lab, body, answers[at] as ApiResponse),
      })),
    );
    const { records } = await pollUntil(lab, recentInvoicesReader(lab), (seen) =>
      bodies.every((body) => seen.records.some((record) => isCreatedFrom(record, body))),
    );
    for (const { body, invoice } of made) {
      const answer = invoice.created;
      const { size } = await ownDuplicatesOf(lab, records, body);
      if (size === 0) await skipUnlessListedFirst(lab, invoice, records);
      expectThat(lab, size === 1, answer, 'one invoice in the list, as it was sent', `there are ${size}`);
      const listed = records.find(({ id }) => String(id) === invoice.id);
      for (const shown of [invoiceIn(answer), listed]) {
        const told = shown?.description;
        const kept = typeof told !== 'string' || isEquivalentText(told, body.description);
        expectThat(
          lab,
          kept,
          answer,
          `description ${JSON.stringify(body.description)}`,
          `it is ${JSON.stringify(told)}`,
        );
      }
    }
  }),

  check('CREATE-14.listed', ['connection'], async (lab) => {
    const invoice = await createInvoice(lab);
    const { held, response: answer } = await findCreatedInvoice(lab, invoice.body);
    expectThat(
      lab,
      held,
      answer,
      `invoice ${invoice.id} among the newest of the list, as it was sent`,
      'it is not there',
    );
    const { records } = await newestInvoices(lab);
    const copies = await ownDuplicatesOf(lab, records, invoice.body);
    expectThat(
      lab,
      copies.size <= 1,
      answer,
      `invoice ${invoice.id} once in the list`,
      `${copies.size} invoices came of the one request: ${[...copies].join(', ')}`,
    );
  }),

  checkInPhase('late', 'CREATE-14.no-duplicates', ['connection'], expectNoDuplicates),

  // Late, when hundreds of others have been made since.
  checkInPhase('late', 'CREATE-14.readable-later', ['connection', 'read'], async (lab) => {
    const lasting = ['invoice APPROVED', 'invoice DISPUTED'];
    const [oldest] = lab.run.leftovers().find(([, { what }]) => lasting.includes(what)) ?? [];
    if (oldest === undefined) return notApplicable('no invoice of the run is still under way');
    const ask = () => readInvoice(lab, oldest);
    const answer = await pollUntil(lab, ask, is2xx);
    if (is2xx(answer)) return;
    const { record, response: shown } = await findInList(lab, oldest);
    if (!record) return notApplicable(`invoice ${oldest} is not listed any more either`);
    const because = `it is listed, and reading it gets ${answer.status}`;
    throw breach(lab, answer, `invoice ${oldest}, created earlier in the run`, because, [shown]);
  }),

  checkInPhase('late', 'CREATE-14.readable-in-every-state', ['connection', 'read'], async (lab) => {
    const { invoices } = await invoicesOfEachState(lab);
    for (const { id, state, created } of invoices) {
      const ask = () => readInvoice(lab, id, { as: lab.credentials('seller') });
      const answer = await pollUntil(lab, ask, ({ status }) => status !== 404 && status !== 410);
      if (answer.status !== 404 && answer.status !== 410) continue;
      const { record, response: shown } = await findInList(lab, id);
      if (!record) continue;
      const because = `it is listed as ${String(record.status)}, and reading it gets ${answer.status}`;
      throw breach(lab, answer, `invoice ${id}, brought to ${state}`, because, [shown, created]);
    }
  }),

  check('CREATE-14.readable', ['connection', 'read'], async (lab) => {
    const invoice = await createInvoice(lab);
    // What shows one invoice may lag behind what creates it.
    const answer = await pollUntil(lab, () => readInvoice(lab, invoice.id), is2xx);
    const record = invoiceIn(answer);
    if (is2xx(answer) && record?.id === undefined) {
      notApplicable('the answer to operations.read of the target file holds no invoice record; none is shown for it');
    }
    expectThat(
      lab,
      is2xx(answer) && record?.id === invoice.id,
      answer,
      `invoice ${invoice.id}`,
      `answered with ${describeResponse(answer)}`,
    );
    const { amount, dueDate, buyerId: buyerOrganizationId } = invoice.body;
    for (const [field, sent] of Object.entries({ amount, dueDate, buyerOrganizationId })) {
      const shown = record?.[field];
      // It may be told in another form, or not at all: what reading answers is not shown.
      const other = typeof shown === 'string' && shown.toLowerCase() !== sent.toLowerCase();
      expectThat(lab, !other, answer, `${field} ${sent}, as it was sent`, `it is ${String(shown)}`);
    }
  }),
];
