import { postInvoice } from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import { invoiceIn } from '../helpers/api/responses.ts';
import { expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { expectCalm } from '../helpers/assert/stable-total.ts';
import { type Check, check } from '../helpers/check.ts';
import { validBody } from '../helpers/data/invoice-body.ts';
import { perform } from '../helpers/invoices/acting-party.ts';
import { actingQuietly, whileQuiet } from '../helpers/invoices/exclusively.ts';
import { hasLeft, lookUntil } from '../helpers/invoices/find-invoice.ts';
import { freshInvoice } from '../helpers/invoices/invoices.ts';
import { pageOf, totalOf } from '../helpers/invoices/list-page.ts';

/** Creations to which nobody else's may come between. They stand at the beginning, where nobody waits for their end. */
export const createAlone: readonly Check[] = [
  check('CREATE-03.total-unchanged', ['connection'], (lab) =>
    whileQuiet(lab, async () => {
      const before = await pageOf(lab, { page: 0, limit: 1 });
      const valid = () => validBody(lab);
      const without = (field: 'amount' | 'buyerId' | 'dueDate') => ({ ...valid(), [field]: undefined });
      const wrong = [
        without('amount'),
        without('buyerId'),
        without('dueDate'),
        { ...valid(), amount: 'twelve' },
        { ...valid(), amount: `-${valid().amount}` },
        { ...valid(), currency: 42 },
        { ...valid(), dueDate: 'tomorrow' },
        { ...valid(), invoiceNumber: '1' },
      ];
      const answers = await Promise.all(wrong.map((body) => postInvoice(lab, body)));
      if (answers.some(accepted)) notApplicable('an invalid creation was accepted; CREATE-01 to CREATE-07 judge that');
      const after = await pageOf(lab, { page: 0, limit: 1 });
      if (after.total > before.total) await expectCalm(lab, () => totalOf(lab));
      const because = `it is ${after.total} after ${wrong.length} refused creations`;
      // An earlier deletion may land meanwhile.
      expectThat(lab, after.total <= before.total, after.answer, `total ${before.total}, as before`, because);
    }),
  ),

  check('REC-11.after-delete', ['connection', 'delete'], (lab) =>
    actingQuietly(lab, async () => {
      // One after the other: whoever numbers by counting gives the second one the number that is due again.
      const one = await freshInvoice(lab);
      const two = await freshInvoice(lab);
      if (one.state !== 'DRAFT') return notApplicable('no invoice is ever a DRAFT');
      if (!accepted(await perform(lab, 'delete', one.id))) notApplicable('delete is refused; LIFE-01 judges that');
      await lookUntil(lab, one.id, hasLeft('DRAFT', true));
      lab.run.removed(one.id);
      const next = await freshInvoice(lab);
      const [held, given] = [two, next].map(({ created }) => invoiceIn(created)?.invoiceNumber);
      const because = `it has ${JSON.stringify(given)}, the number of invoice ${two.id}`;
      expectThat(lab, held === undefined || held !== given, next.created, 'an invoiceNumber of its own', because);
    }),
  ),
];
