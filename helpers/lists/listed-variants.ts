import type { CheckId } from '../../specs/generated/ids.ts';
import { createInvoiceVariants } from '../adaptation/invoice-variants.ts';
import type { JsonObject } from '../api/responses.ts';
import { expectThat } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, checkInPhase } from '../context/check.ts';
import { recentInvoicesReader, skipUnlessListedFirst } from '../invoices/recent-invoices.ts';

/** Expects the list of an organization to show every variant of its invoices. False if it shows none of them. */
async function expectVariantsListed(ctx: CheckContext, name: 'seller' | 'buyer'): Promise<boolean> {
  const { variants } = await createInvoiceVariants(ctx);
  // The contract does not specify whether the buyer sees drafts.
  const own = name === 'seller' ? variants : variants.filter(({ invoice }) => invoice.state !== 'DRAFT');
  const isIn = (records: JsonObject[], id: string) => records.some((record) => String(record.id) === id);
  const notIn = (records: JsonObject[]) => own.find(({ invoice }) => !isIn(records, invoice.id));
  const { records, response } = await pollUntil(
    ctx,
    recentInvoicesReader(ctx, name),
    (seen) => !notIn(seen.records),
    name === 'seller' ? 'lists a new invoice' : 'lists a new invoice for the buyer',
  );
  const absent = notIn(records);
  if (!own.some(({ invoice }) => isIn(records, invoice.id))) return false;
  if (!absent) return true;
  const { what, invoice } = absent;
  await skipUnlessListedFirst(ctx, invoice, records);
  expectThat(
    ctx,
    false,
    response,
    `invoice ${invoice.id}, ${what}, in the list of the ${name}`,
    'the list does not contain the invoice',
  );
  return true;
}

export function variantsListedCheck(id: CheckId, name: 'seller' | 'buyer', ...needs: readonly 'buyer'[]): Check {
  return checkInPhase('late', id, ['connection', 'seller', ...needs], async (ctx) => {
    if (!(await expectVariantsListed(ctx, name)))
      notApplicable(`the list of the ${name} shows no variant of an invoice`);
  });
}
