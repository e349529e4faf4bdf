import { isSuccess } from '../../helpers/api/responses.ts';
import { expectAccepted } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { expectDueDatesAccepted } from '../../helpers/creation/accepted-due-dates.ts';
import { invalidFieldCheck, invalidValuesCheck } from '../../helpers/creation/field-checks.ts';
import { generatedRejectionCheck } from '../../helpers/creation/generated-rejections.ts';
import * as families from '../../helpers/creation/invalid-body-families.ts';
import { expectKeptIfAccepted } from '../../helpers/creation/kept-fields.ts';
import { leapDayCreation, leapDayWithNeighbors } from '../../helpers/creation/leap-day.ts';
import { isWeekday } from '../../helpers/data/due-dates.ts';
import type { InvoiceBody } from '../../helpers/data/invoice-body.ts';
import { createInvoice } from '../../helpers/invoices/invoices.ts';

function nextYear(dueDate: string): number {
  return Number(dueDate.slice(0, 4)) + 1;
}

/** The next year after the date that is not a leap year. */
function nextCommonYear(dueDate: string): number {
  const next = Number(dueDate.slice(0, 4)) + 1;
  return next % 4 === 0 ? next + 1 : next;
}

export const dueDateChecks: readonly Check[] = [
  invalidFieldCheck('CREATE-21.due-date-newline', 'dueDate', ({ dueDate }: InvoiceBody) => `${dueDate}\n`),

  invalidFieldCheck('CREATE-21.currency-newline', 'currency', 'EUR\n'),

  generatedRejectionCheck('CREATE-07.generated', families.malformedDates),

  generatedRejectionCheck('CREATE-07.impossible', families.impossibleDates),

  generatedRejectionCheck('CREATE-07.other-forms', families.alternativeDateFormats),

  invalidFieldCheck('CREATE-07.text', 'dueDate', 'tomorrow'),

  invalidFieldCheck('CREATE-07.empty', 'dueDate', ''),

  invalidFieldCheck('CREATE-07.slashes', 'dueDate', ({ dueDate }: InvoiceBody) =>
    dueDate.split('-').reverse().join('/'),
  ),

  invalidValuesCheck('CREATE-07.compact', 'dueDate', ({ dueDate }) => [
    dueDate.replaceAll('-', ''),
    dueDate.slice(0, 7),
    `${nextYear(dueDate)}-W20-1`,
  ]),

  invalidFieldCheck('CREATE-07.timestamp', 'dueDate', ({ dueDate }: InvoiceBody) => `${dueDate}T00:00:00Z`),

  invalidFieldCheck(
    'CREATE-07.one-digit',
    'dueDate',
    ({ dueDate }: InvoiceBody) => `${Number(dueDate.slice(0, 4)) + 1}-1-15`,
  ),

  invalidFieldCheck('CREATE-07.year-slashes', 'dueDate', ({ dueDate }: InvoiceBody) => dueDate.replaceAll('-', '/')),

  invalidFieldCheck(
    'CREATE-07.february-29',
    'dueDate',
    ({ dueDate }: InvoiceBody) => `${nextCommonYear(dueDate)}-02-29`,
  ),

  invalidFieldCheck('CREATE-07.month-13', 'dueDate', ({ dueDate }: InvoiceBody) => `${dueDate.slice(0, 4)}-13-15`),

  invalidValuesCheck('CREATE-07.day-32', 'dueDate', ({ dueDate }) => [
    `${nextYear(dueDate)}-01-32`,
    `${nextYear(dueDate)}-01-00`,
    `${nextYear(dueDate)}-04-31`,
  ]),

  invalidFieldCheck('CREATE-07.february-30', 'dueDate', ({ dueDate }: InvoiceBody) => `${nextYear(dueDate)}-02-30`),

  check('CREATE-07.leap-day', ['connection', 'delete'], async (ctx) => {
    // An invoice with a late due date would precede the invoices that other checks look for, so the kit deletes it at once.
    if ((await createInvoice(ctx)).state !== 'DRAFT')
      notApplicable('a new invoice is not a DRAFT, so the kit cannot delete it');
    const [before, leapDay, after] = leapDayWithNeighbors();
    if (!isWeekday(leapDay))
      notApplicable(
        'the next leap day is not a weekday; the contract does not say whether an invoice may be due on a weekend',
      );
    const keep = (dueDate: string) =>
      expectKeptIfAccepted(ctx, { dueDate }, ['dueDate'], { isDeletedAfterwards: true });
    const [earlier, itself, later] = await Promise.all([keep(before), leapDayCreation(ctx), keep(after)]);
    if (!isSuccess(earlier) || !isSuccess(later))
      notApplicable(`the server rejects a due date of ${before} or ${after}, the days around the next leap day`);
    if (itself.status === 412)
      notApplicable(`the server rejects ${leapDay} with 412, the status of business rules, which may exclude a day`);
    expectAccepted(ctx, itself, `an invoice due on ${leapDay}, as on ${before} and on ${after}`);
  }),

  check('CREATE-07.every-day', ['connection'], expectDueDatesAccepted),
];
