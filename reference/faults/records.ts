import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import { refusals } from '../service/refusal.ts';
import type { Invoice } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { changeBody, changeItems, isCreation, isRead } from './support/response-filters.ts';

type Json = Record<string, unknown>;

/** Every record that the service renders, wherever it appears, with one field changed. */
function rendering(change: (record: Json) => Json): RuleChange {
  return replaced((honest) => ({
    renderInvoice: (invoice) => ({ ...honest.renderInvoice(invoice), ...change(honest.renderInvoice(invoice)) }),
  }));
}

const forms: readonly Fault[] = [
  {
    id: 'rec-id-number',
    requirement: 'REC-01',
    sentence: 'List items carry the database row number as id.',
    caughtBy: ['REC-01.id'],
    rewrite: changeItems((record, at) => ({ ...record, id: at + 1 })),
  },
  {
    id: 'rec-number-null',
    requirement: 'REC-02',
    sentence: 'The number of a draft is null until it is submitted.',
    caughtBy: ['REC-02.invoice-number'],
    rules: rendering(({ status, invoiceNumber }) => ({ invoiceNumber: status === 'DRAFT' ? null : invoiceNumber })),
  },
  {
    id: 'rec-status-lower-case',
    requirement: 'REC-03',
    sentence: 'The list renders the status in lower case.',
    caughtBy: ['REC-03.status'],
    rewrite: changeItems((record) => ({ ...record, status: String(record.status).toLowerCase() })),
  },
  {
    id: 'rec-status-seventh',
    requirement: 'REC-03',
    sentence: 'A cancelled invoice is listed as VOID, a state of the old version.',
    caughtBy: ['REC-03.status'],
    alongside: ['LIFE-04.cancel', 'LIST-09.every-state'],
    rewrite: changeItems((record) => ({ ...record, status: record.status === 'CANCELLED' ? 'VOID' : record.status })),
  },
  {
    id: 'rec-status-overdue',
    requirement: 'REC-03',
    sentence: 'What was sent and is due in the past is listed as OVERDUE, as the dashboard shows it.',
    caughtBy: ['REC-03.status'],
    alongside: ['LIST-09.every-variant'],
    rewrite: changeItems((record) => {
      const late = record.status === 'SUBMITTED' && String(record.dueDate) < new Date().toISOString().slice(0, 10);
      return late ? { ...record, status: 'OVERDUE' } : record;
    }),
  },
  {
    id: 'rec-amount-number',
    requirement: 'REC-04',
    sentence: 'The amount of a list item is a JSON number.',
    caughtBy: ['REC-04.amount'],
    rewrite: changeItems((record) => ({ ...record, amount: Number(record.amount) })),
  },
  {
    id: 'rec-amount-trimmed-zeros',
    requirement: 'REC-04',
    sentence: 'Decimals lose their trailing zeros on the way out: 20.00 becomes 20.',
    caughtBy: ['REC-04.amount', 'CREATE-15.trailing-zero'],
    rules: rendering(({ amount }) => ({ amount: String(Number(amount)) })),
  },
  {
    id: 'rec-currency-symbol',
    requirement: 'REC-05',
    sentence: 'List items carry the symbol of the currency.',
    caughtBy: ['REC-05.currency'],
    rewrite: changeItems((record) => ({ ...record, currency: '€' })),
  },
  {
    id: 'rec-currency-empty',
    requirement: 'CREATE-22',
    sentence: 'An empty currency is stored as it came: it is tested only where there is one.',
    caughtBy: ['CREATE-22.empty'],
    alongside: ['REC-05.currency'],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        if (call.body.currency !== '') return honest.validateCreate(call);
        const { currency: _, ...body } = call.body;
        return { ...honest.validateCreate({ ...call, body }), currency: '' };
      },
    })),
  },
  {
    id: 'rec-buyer-object',
    requirement: 'REC-06',
    sentence: 'The list expands the buyer into an object with its name.',
    caughtBy: ['REC-06.buyer'],
    rewrite: changeItems((record) => ({ ...record, buyerOrganizationId: { id: record.buyerOrganizationId } })),
  },
  {
    id: 'rec-seller-renamed',
    requirement: 'REC-07',
    sentence: 'List items name the seller sellerId, as the request does.',
    caughtBy: ['REC-07.seller'],
    rewrite: changeItems(({ sellerOrganizationId, ...record }) => ({ ...record, sellerId: sellerOrganizationId })),
  },
  {
    id: 'rec-due-date-timestamp',
    requirement: 'REC-08',
    sentence: 'dueDate is serialized as a timestamp at midnight.',
    caughtBy: ['REC-08.due-date'],
    rewrite: changeItems((record) => ({ ...record, dueDate: `${String(record.dueDate)}T00:00:00.000Z` })),
  },
  {
    id: 'rec-created-at-epoch',
    requirement: 'REC-09',
    sentence: 'createdAt is serialized as milliseconds since 1970.',
    caughtBy: ['REC-09.created-at'],
    rewrite: changeItems((record) => ({ ...record, createdAt: Date.parse(String(record.createdAt)) })),
  },
  {
    id: 'rec-created-at-without-zone',
    requirement: 'REC-09',
    sentence: 'createdAt comes without a zone.',
    caughtBy: ['REC-09.created-at'],
    rules: rendering(({ createdAt }) => ({ createdAt: String(createdAt).replace('Z', '') })),
  },
  {
    id: 'rec-created-at-local-as-utc',
    requirement: 'REC-09',
    sentence: 'createdAt is the local time of the server, written with a Z.',
    caughtBy: ['REC-09.utc-time'],
    rules: replaced((honest) => ({ now: () => new Date(honest.now().getTime() + 2 * 3_600_000) })),
  },
];

const identities: readonly Fault[] = [
  {
    id: 'rec-created-at-is-updated-at',
    requirement: 'REC-16',
    sentence: 'createdAt is written again by each update of the row.',
    caughtBy: ['REC-16.listed'],
    alongside: ['LIFE-04.submit', 'LIFE-04.approve', 'LIFE-04.settle', 'LIST-09.every-state'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        honest.change(call, invoice, next, input);
        invoice.createdAt = new Date(call.rules.now().getTime() + 2_000).toISOString();
      },
    })),
  },
  {
    id: 'rec-created-at-touched',
    requirement: 'REC-16',
    sentence: 'The database sets every timestamp of the row to the moment of its last update.',
    caughtBy: ['REC-16.listed'],
    alongside: [
      'LIFE-04.submit',
      'LIFE-04.approve',
      'LIST-02.counts-creations',
      'LIST-09.every-state',
      'LIST-14.buyer',
    ],
    wholeRun: true,
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        honest.change(call, invoice, next, input);
        invoice.createdAt = call.rules.now().toISOString();
      },
    })),
  },
  {
    id: 'rec-parties-swapped-for-buyer',
    requirement: 'REC-06',
    sentence: 'The list of the buyer is a view of its own, in which seller and buyer have changed places.',
    caughtBy: ['REC-06.same-buyer', 'REC-07.same-seller'],
    alongside: ['LIFE-04.submit', 'LIST-14.buyer', 'LIST-09.every-state'],
    rules: replaced((honest) => ({
      renderList: (call, page) => {
        const swap = (invoice: Invoice): Invoice =>
          invoice.buyerOrganizationId === call.organizationId
            ? {
                ...invoice,
                buyerOrganizationId: invoice.sellerOrganizationId,
                sellerOrganizationId: invoice.buyerOrganizationId,
              }
            : invoice;
        return honest.renderList(call, { ...page, items: page.items.map(swap) });
      },
    })),
  },
  {
    id: 'rec-number-on-submission',
    requirement: 'REC-10',
    sentence: 'The number is assigned anew when the invoice is submitted.',
    caughtBy: ['REC-10.stable'],
    alongside: ['LIFE-04.submit'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        honest.change(call, invoice, next, input);
        if (next === 'SUBMITTED') invoice.invoiceNumber = `${invoice.invoiceNumber}-S`;
      },
    })),
  },
  {
    id: 'rec-number-of-the-minute',
    requirement: 'REC-11',
    sentence: 'The number is made of the time of day, to the second.',
    caughtBy: ['REC-11.unique', 'REC-11.simultaneous'],
    rules: replaced(() => ({ number: ({ rules }) => `INV-${rules.now().toISOString().slice(0, 19)}` })),
  },
  {
    id: 'rec-number-race',
    requirement: 'REC-11',
    sentence: 'The next number is read before and written after: simultaneous creations get the same one.',
    caughtBy: ['REC-11.unique'],
    rules: replaced(() => ({
      number: ({ world }) => {
        const number = `INV-${String(Math.floor(world.invoices.size / 2)).padStart(6, '0')}`;
        return number;
      },
    })),
  },
  {
    id: 'rec-number-shared-by-neighbours',
    requirement: 'REC-11',
    sentence: 'Eight instances count for themselves, and only the list shows that they give out the same numbers.',
    caughtBy: ['REC-11.unique'],
    rewrite: changeItems((record) => ({
      ...record,
      invoiceNumber: String(record.invoiceNumber).replace(/\d$/, '0'),
    })),
  },
  {
    id: 'rec-buyer-reads-old-copy',
    requirement: 'REC-15',
    sentence: 'Buyers read a copy that is written at the submission, and not when the invoice is settled.',
    caughtBy: ['REC-15.read'],
    rules: replaced((honest) => ({
      renderRead: (call, invoice) => {
        const bought = invoice.buyerOrganizationId === call.organizationId;
        const old = bought && invoice.status === 'SETTLED';
        return honest.renderRead(call, old ? { ...invoice, status: 'APPROVED' } : invoice);
      },
    })),
  },
  {
    id: 'rec-buyer-lists-due-date-of-zone',
    requirement: 'REC-15',
    sentence: "The buyer's list writes due dates in the zone of the buyer: a day early.",
    caughtBy: ['REC-15.listed'],
    rules: replaced((honest) => ({
      renderList: (call, page) => {
        const early = (date: string) => new Date(Date.parse(date) - 3_600_000).toISOString().slice(0, 10);
        const items = page.items.map((item) =>
          item.buyerOrganizationId === call.organizationId ? { ...item, dueDate: early(item.dueDate) } : item,
        );
        return honest.renderList(call, { ...page, items });
      },
    })),
  },
];

/** Larger amounts than the reference knows are let in, and stored in a wrong way. */
function acceptingLarge(stored: (amount: string) => string): RuleChange {
  return replaced((honest) => ({
    validateCreate: (call) => {
      const { amount } = call.body;
      if (typeof amount !== 'string' || !/^\d{14}\.\d\d$/.test(amount)) return honest.validateCreate(call);
      const rest = honest.validateCreate({ ...call, body: { ...call.body, amount: '1.00' } });
      return { ...rest, amount: stored(amount) };
    },
  }));
}

const created: readonly Fault[] = [
  {
    id: 'created-without-id',
    requirement: 'CREATE-11',
    sentence: 'The answer to a creation says only that it worked.',
    caughtBy: ['CREATE-11.carries-invoice', 'CREATE-11.invoice-number'],
    rewrite: changeBody(isCreation, () => ({ created: true })),
  },
  {
    id: 'created-without-number',
    requirement: 'CREATE-11',
    sentence: 'The number is assigned after the answer was sent, which lacks it.',
    caughtBy: ['CREATE-11.invoice-number', 'CREATE-12.complete'],
    rewrite: changeBody(isCreation, ({ invoiceNumber: _, ...record }) => record),
  },
  {
    id: 'created-undescribed-without-number',
    requirement: 'CREATE-11',
    sentence: 'The short form of the answer, for invoices without a description, lacks the number.',
    caughtBy: ['CREATE-11.invoice-number'],
    rewrite: changeBody(isCreation, (body) => {
      const { invoiceNumber: _, ...record } = body;
      return body.description ? body : record;
    }),
  },
  {
    id: 'created-with-provisional-number',
    requirement: 'CREATE-11',
    sentence: 'The answer tells a provisional number; the platform assigns the real one a moment later.',
    caughtBy: ['CREATE-11.same-number'],
    alongside: ['REC-10.stable'],
    rewrite: changeBody(isCreation, (body) => ({ ...body, invoiceNumber: `NEW-${String(body.invoiceNumber)}` })),
  },
  {
    id: 'created-without-created-at',
    requirement: 'CREATE-12',
    sentence: 'The answer to a creation leaves out createdAt, which the database fills in.',
    caughtBy: ['CREATE-12.complete'],
    rewrite: changeBody(isCreation, ({ createdAt: _, ...record }) => record),
  },
  {
    id: 'created-amount-rounded',
    requirement: 'CREATE-11',
    sentence: 'Amounts are stored in whole units.',
    caughtBy: ['CREATE-11.amount', 'CREATE-15.cents'],
    wholeRun: true,
    rules: replaced((honest) => ({
      issue: (call, input, number) =>
        honest.issue(call, { ...input, amount: `${Math.ceil(Number(input.amount))}.00` }, number),
    })),
  },
  {
    id: 'created-amount-truncated-cents',
    requirement: 'CREATE-15',
    sentence: 'Cents are computed as a float times 100, cut off: 0.29 becomes 0.28.',
    caughtBy: ['CREATE-15.cents'],
    rules: replaced((honest) => ({
      issue: (call, input, number) => {
        const cents = Math.floor(Number(input.amount) * 100);
        return honest.issue(call, { ...input, amount: (cents / 100).toFixed(2) }, number);
      },
    })),
  },
  {
    id: 'created-amount-as-double',
    requirement: 'CREATE-15',
    sentence: 'Amounts are doubles inside: what is beyond 2^53 cents comes back with other digits.',
    caughtBy: ['CREATE-15.large'],
    rules: acceptingLarge((amount) => Number(amount).toFixed(2)),
  },
  {
    id: 'created-large-amount-crashes',
    requirement: 'CREATE-15',
    sentence: 'An amount beyond the column ends in an internal error.',
    caughtBy: ['CREATE-15.large', 'ERR-05.no-internal-error'],
    rules: acceptingLarge(() => {
      throw new RangeError('numeric field overflow');
    }),
  },
  {
    id: 'created-due-date-day-early',
    requirement: 'CREATE-11',
    sentence: 'dueDate is read as midnight of the local zone and written in UTC: a day early.',
    caughtBy: ['CREATE-11.due-date'],
    rules: replaced((honest) => ({
      issue: (call, input, number) => {
        const dueDate = new Date(Date.parse(input.dueDate) - 7_200_000).toISOString().slice(0, 10);
        return honest.issue(call, { ...input, dueDate }, number);
      },
    })),
  },
  {
    id: 'created-currency-dropped',
    requirement: 'CREATE-11',
    sentence: 'Every invoice is stored in the home currency, whatever was sent.',
    caughtBy: ['CREATE-11.other-currency'],
    rules: replaced((honest) => ({
      issue: (call, input, number) => honest.issue(call, { ...input, currency: 'EUR' }, number),
    })),
  },
  {
    id: 'created-currency-cut',
    requirement: 'CREATE-11',
    sentence: 'A currency that is sent is stored as dollars, the first of the list in the form.',
    caughtBy: ['CREATE-11.currency'],
    rules: replaced((honest) => ({
      issue: (call, input, number) =>
        honest.issue(call, { ...input, ...(input.currency && { currency: 'USD' }) }, number),
    })),
  },
  {
    id: 'created-parties-swapped',
    requirement: 'CREATE-11',
    sentence: 'Seller and buyer are mixed up when the record is written.',
    caughtBy: ['CREATE-11.organizations'],
    rules: rendering(({ sellerOrganizationId, buyerOrganizationId }) => ({
      sellerOrganizationId: buyerOrganizationId,
      buyerOrganizationId: sellerOrganizationId,
    })),
  },
  {
    id: 'created-not-listed',
    requirement: 'LIST-09',
    sentence: 'New invoices are only listed once they are submitted.',
    caughtBy: ['LIST-09.own-invoice-listed'],
    rules: replaced((honest) => ({
      visible: (call) => honest.visible(call).filter(({ status, notes }) => status !== 'DRAFT' || notes.length > 0),
    })),
  },
  {
    id: 'created-archived',
    requirement: 'CREATE-14',
    sentence: 'Settled invoices are moved to an archive, and single ones are read from the live table alone.',
    caughtBy: ['CREATE-14.readable-in-every-state'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const invoice = honest.findInvoice(call, id);
        if (call.route.name === 'read' && invoice.status === 'SETTLED') throw refusals.invoiceNotFound();
        return invoice;
      },
    })),
  },
  {
    id: 'created-evicted',
    requirement: 'CREATE-14',
    sentence: 'Single invoices are read from a cache that holds the newest 300.',
    caughtBy: ['CREATE-14.readable-later'],
    wholeRun: true,
    rules: replaced((honest) => {
      const made = new Map<string, number>();
      return {
        issue: (...given: Parameters<typeof honest.issue>) => {
          const invoice = honest.issue(...given);
          made.set(invoice.id, made.size);
          return invoice;
        },
        findInvoice: (call, id) => {
          const evicted = call.route.name === 'read' && made.size - (made.get(id) ?? made.size) > 300;
          if (evicted) throw refusals.invoiceNotFound();
          return honest.findInvoice(call, id);
        },
      };
    }),
  },
  {
    id: 'life-cancelled-read-as-draft',
    requirement: 'LIFE-12',
    sentence: 'What has been cancelled is read as the draft that it once was.',
    caughtBy: ['LIFE-12.final'],
    alongside: ['LIFE-04.cancel'],
    rules: replaced((honest) => ({
      renderRead: (call, invoice) =>
        honest.renderRead(call, invoice.status === 'CANCELLED' ? { ...invoice, status: 'DRAFT' } : invoice),
    })),
  },
  {
    id: 'rec-read-of-another-table',
    requirement: 'REC-15',
    sentence: 'Reading joins a table of states that cancellations forget, and no answer to an action tells a state.',
    caughtBy: ['REC-15.read-as-listed'],
    alongside: ['LIFE-04.cancel'],
    rules: replaced((honest) => ({
      renderChanged: () => ({ status: 200, body: {} }),
      renderRead: (call, invoice) =>
        honest.renderRead(call, invoice.status === 'CANCELLED' ? { ...invoice, status: 'SUBMITTED' } : invoice),
    })),
  },
  {
    id: 'created-twice',
    requirement: 'CREATE-14',
    sentence: 'The queue delivers the creation twice, and the consumer does not notice.',
    caughtBy: ['CREATE-14.listed'],
    rules: replaced((honest) => ({
      issue: (call, input, number) => {
        honest.issue(call, input, `${number}-B`);
        return honest.issue(call, input, number);
      },
    })),
  },
  {
    id: 'created-twice-now-and-then',
    requirement: 'CREATE-14',
    sentence: 'When a lock is lost, which happens with one creation in fifteen, it is done a second time.',
    caughtBy: ['CREATE-14.no-duplicates'],
    wholeRun: true,
    rules: replaced((honest) => {
      let issued = 0;
      return {
        issue: (call, input, number) => {
          issued += 1;
          if (issued % 15 === 0) honest.issue(call, input, `${number}-B`);
          return honest.issue(call, input, number);
        },
      };
    }),
  },
  {
    id: 'created-read-differs',
    requirement: 'CREATE-14',
    sentence: 'Reading one invoice shows the net amount, the list the gross one.',
    caughtBy: ['CREATE-14.readable'],
    rewrite: changeBody(isRead, (record) => ({ ...record, amount: (Number(record.amount) * 0.84).toFixed(2) })),
  },
  {
    id: 'description-ascii-only',
    requirement: 'CREATE-16',
    sentence: 'Characters beyond Latin-1 become question marks.',
    caughtBy: ['CREATE-16.unicode'],
    rules: rendering(({ description }) => ({
      description: String(description ?? '').replace(/[\u0100-\uffff]/g, '?'),
    })),
  },
  {
    id: 'description-unicode-refused',
    requirement: 'CREATE-16',
    sentence: 'A description with an emoji is refused: the column is utf8mb3.',
    caughtBy: ['CREATE-16.unicode'],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const input = honest.validateCreate(call);
        if (/\p{Extended_Pictographic}/u.test(input.description ?? '')) throw new Error('Incorrect string value');
        return input;
      },
    })),
  },
  {
    id: 'description-quotes-doubled',
    requirement: 'CREATE-16',
    sentence: 'Quotes are doubled for a statement that does so itself: what is stored has two for each.',
    caughtBy: ['CREATE-16.quotes'],
    rules: rendering(({ description }) => ({ description: String(description ?? '').replaceAll("'", "''") })),
  },
  {
    id: 'description-escaped',
    requirement: 'CREATE-19',
    sentence: 'Markup in a description is escaped before it is stored.',
    caughtBy: ['CREATE-19.markup'],
    rules: rendering(({ description }) => ({
      description: String(description ?? '')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;'),
    })),
  },
  {
    id: 'description-overwritten-by-reason',
    requirement: 'REC-10',
    sentence: 'What a buyer says of a dispute is written over the description.',
    caughtBy: ['REC-10.amount'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        honest.change(call, invoice, next, input);
        if (input.reason) invoice.description = input.reason;
      },
    })),
  },
  {
    id: 'description-stripped',
    requirement: 'CREATE-19',
    sentence: 'Whatever looks like a tag is taken out of a description.',
    caughtBy: ['CREATE-19.markup'],
    rules: rendering(({ description }) => ({ description: String(description ?? '').replaceAll(/<[^>]*>/g, '') })),
  },
  {
    id: 'created-due-date-31st-moved',
    requirement: 'CREATE-11',
    sentence: 'The ends of the longer months are moved to the 30th, the last day of a month in trade.',
    caughtBy: ['CREATE-11.edge-due-dates'],
    rules: replaced((honest) => ({
      issue: (call, input, number) =>
        honest.issue(call, { ...input, dueDate: input.dueDate.replace(/-31$/, '-30') }, number),
    })),
  },
  {
    id: 'created-yen-without-fraction',
    requirement: 'CREATE-15',
    sentence: 'Amounts are written with the digits that their currency usually has: none for yen.',
    caughtBy: ['CREATE-15.other-currencies'],
    rules: rendering(({ amount, currency }) => ({
      amount: currency === 'JPY' ? String(amount).replace(/\.00$/, '') : amount,
    })),
  },
];

const optional: readonly Fault[] = (
  [
    [
      'required-only',
      'A body without any optional field is refused.',
      (body) => !body.currency && !body.description && !body.requestId,
    ],
    [
      'all-declared',
      'A body with all optional fields together is refused.',
      (body) => body.currency && body.description && body.requestId,
    ],
    [
      'description',
      'A description needs a currency beside it.',
      (body) =>
        body.description && !body.currency && !body.requestId && !String(body.description).includes('conformance'),
    ],
    [
      'required-only-sums',
      'From 10,000 on an invoice needs a description.',
      (body) => Number(body.amount) >= 10_000 && !body.description,
    ],
    ['currency', 'A currency needs a description beside it.', (body) => body.currency && !body.description],
    ['request-id', 'A requestId needs a description beside it.', (body) => body.requestId && !body.description],
  ] as [string, string, (body: Json) => unknown][]
).map(([word, sentence, refuses]) => ({
  id: `create-optional-${word}-refused`,
  requirement: 'CREATE-13',
  sentence,
  caughtBy: [`CREATE-13.${word}` as 'CREATE-13.currency'],
  rules: replaced((honest) => ({
    validateCreate: (call) =>
      honest.validateCreate(refuses(call.body) ? { ...call, body: { ...call.body, amount: null } } : call),
  })),
}));

const counted: Fault = {
  id: 'rec-number-counts-rows',
  requirement: 'REC-11',
  sentence: 'The number is the count of the rows plus one: after a deletion one comes twice.',
  caughtBy: ['REC-11.after-delete'],
  rules: replaced(() => ({ number: ({ world }) => `INV-${String(world.invoices.size + 1).padStart(8, '0')}` })),
};

export const recordFaults: readonly Fault[] = [...forms, ...identities, counted, ...created, ...optional];
