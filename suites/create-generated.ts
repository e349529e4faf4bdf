import { postInvoice } from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import { type Answer, invoiceIn } from '../helpers/api/responses.ts';
import { expectThat } from '../helpers/assert/expect.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { type Check, check } from '../helpers/check.ts';
import { creationWorks } from '../helpers/controls/controls.ts';
import { expectFamilyRefused, type Family } from '../helpers/creation/generated-rejections.ts';
import * as families from '../helpers/creation/invalid-body-families.ts';
import { ownCopiesOf } from '../helpers/creation/own-duplicates.ts';
import { isSameText } from '../helpers/data/description-text.ts';
import { validBodies } from '../helpers/data/generated-valid-bodies.ts';
import { expectCreated } from '../helpers/fixtures/created-invoice.ts';
import { expectInFront, isOf, recent } from '../helpers/invoices/find-invoice.ts';
import { invoiceOf } from '../helpers/invoices/invoices.ts';
import type { CheckId } from '../specs/generated/ids.ts';

function refused<T>(id: CheckId, family: Family<T>): Check {
  return check(id, ['connection'], (lab) => expectFamilyRefused(lab, family));
}

export const createGenerated: readonly Check[] = [
  refused('CREATE-01.generated', families.undeclaredFields),
  refused('CREATE-02.generated', families.missingFields),
  refused('CREATE-03.generated', families.foreignAmounts),
  refused('CREATE-05.generated', families.foreignTypes),
  refused('CREATE-06.generated', families.foreignUuids),
  refused('CREATE-07.generated', families.foreignDates),
  refused('CREATE-01.odd-names', families.oddNames),
  refused('CREATE-03.other-forms', families.otherAmountForms),
  refused('CREATE-05.every-type', families.everyOtherType),
  refused('CREATE-07.impossible', families.impossibleDates),
  refused('CREATE-07.other-forms', families.otherDateForms),
  refused('CREATE-08.generated', families.foreignCurrencies),

  check('CREATE-14.generated', ['connection'], async (lab) => {
    await creationWorks(lab);
    const bodies = validBodies(lab);
    const answers = await Promise.all(bodies.map((body) => postInvoice(lab, body)));
    const refusal = answers.find((answer) => !accepted(answer));
    if (refusal) await expectCreated(lab, refusal, 'a valid creation accepted');
    const made = await Promise.all(
      bodies.map(async (body, at) => ({ body, invoice: await invoiceOf(lab, body, answers[at] as Answer) })),
    );
    const { records } = await pollUntil(lab, recent(lab), (seen) =>
      bodies.every((body) => seen.records.some((record) => isOf(record, body))),
    );
    for (const { body, invoice } of made) {
      const answer = invoice.created;
      const { size } = await ownCopiesOf(lab, records, body);
      if (size === 0) await expectInFront(lab, invoice, records);
      expectThat(lab, size === 1, answer, 'one invoice in the list, as it was sent', `there are ${size}`);
      const listed = records.find(({ id }) => String(id) === invoice.id);
      for (const shown of [invoiceIn(answer), listed]) {
        const told = shown?.description;
        const kept = typeof told !== 'string' || isSameText(told, body.description);
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
];
