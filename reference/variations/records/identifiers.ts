import { randomUUID } from 'node:crypto';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';

type Json = Record<string, unknown>;

const rendering = (change: (record: Json) => Json): RuleChange =>
  overrideRules((base) => ({ renderInvoice: (invoice) => change(base.renderInvoice(invoice)) }));

const TWO_MINUTES_MS = 120_000;
const REUSED_AFTER_MS = 1_000;

/** Ids, numbers, times and texts in forms that the contract neither shows nor forbids. */
const DAY_MS = 86_400_000;

const midnight = (timestamp: string) => Date.parse(`${timestamp.slice(0, 10)}T00:00:00Z`);

function ordinal(timestamp: string): string {
  const year = timestamp.slice(0, 4);
  const day = (midnight(timestamp) - Date.UTC(Number(year), 0, 1)) / DAY_MS + 1;
  return `${year}-${String(day).padStart(3, '0')}${timestamp.slice(10)}`;
}

/** The year of a week is that of its Thursday. */
function weekDate(timestamp: string): string {
  const weekday = new Date(midnight(timestamp)).getUTCDay() || 7;
  const thursday = new Date(midnight(timestamp) + (4 - weekday) * DAY_MS);
  const week = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY_MS)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}-${weekday}${timestamp.slice(10)}`;
}

export const identifierVariations: readonly Variation[] = [
  {
    id: 'ids-of-the-year',
    openPoint: 'OP-82',
    choice: 'the year and a number with leading zeros; an id of any other form is an invalid request',
    rules: overrideRules((base) => {
      let count = 0;
      return {
        newId: () => {
          count += 1;
          return `${new Date().getUTCFullYear()}-${String(count).padStart(8, '0')}`;
        },
        findInvoice: (call, id) => {
          // Existing records have a UUID.
          if (!/^(20\d\d-\d{8}|[0-9a-f-]{36})$/.test(id))
            throw rejections.invalidRequest('id: not of the form of an invoice id');
          return base.findInvoice(call, id);
        },
      };
    }),
  },
  {
    id: 'ids-urn',
    openPoint: 'OP-07',
    choice: 'a URN with characters that a path must escape',
    rules: overrideRules(() => ({ newId: () => `urn:invoice:2026/${randomUUID()}` })),
  },
  {
    id: 'ids-resource-names',
    openPoint: 'OP-07',
    choice: 'the name of a resource with a slash',
    rules: overrideRules(() => ({ newId: () => `invoices/${randomUUID()}` })),
    routes: (base) => base.map((route) => (route.name === 'read' ? { ...route, path: '/api/v1/:id' } : route)),
    target: (target) => ({
      ...target,
      operations: { ...target.operations, read: { method: 'GET', path: '/api/v1/{id}' } },
    }),
  },
  {
    id: 'numbers-free-text',
    openPoint: 'OP-08',
    choice: 'a text with slashes and letters of any script',
    rules: overrideRules((base) => ({
      nextInvoiceNumber: (call, connection) => `Rechnung №${base.nextInvoiceNumber(call, connection).slice(-6)} / Ä`,
    })),
  },
  {
    id: 'numbers-gapless',
    openPoint: 'OP-09',
    choice: 'yes, at once',
    rules: overrideRules(() => ({
      nextInvoiceNumber: ({ world: environment }, { organizationIds }) => {
        const taken = new Set(
          [...environment.invoices.values()]
            .filter(({ sellerOrganizationId: seller, buyerOrganizationId: buyer }) =>
              [seller, buyer].every((id) => organizationIds.includes(id)),
            )
            .map(({ invoiceNumber }) => invoiceNumber),
        );
        let next = 1;
        while (taken.has(`R-${next}`)) next += 1;
        return `R-${next}`;
      },
    })),
  },
  {
    id: 'numbers-reused-later',
    openPoint: 'OP-09',
    choice: 'yes, a second after the deletion, so that the numbering has no gaps',
    rules: overrideRules((base) => {
      const free: { number: string; world: Call['world']; connection: string; since: number }[] = [];
      return {
        nextInvoiceNumber: (call, connection) => {
          const at = free.findIndex(
            (each) =>
              each.world === call.world &&
              each.connection === String(connection.organizationIds) &&
              Date.now() - each.since > REUSED_AFTER_MS,
          );
          return free.splice(at, at < 0 ? 0 : 1)[0]?.number ?? base.nextInvoiceNumber(call, connection);
        },
        changeInvoice: (call, invoice, next, input) => {
          const { invoiceNumber: number, sellerOrganizationId: seller, buyerOrganizationId: buyer } = invoice;
          if (next === 'DELETED')
            free.push({ number, world: call.world, connection: String([seller, buyer]), since: Date.now() });
          base.changeInvoice(call, invoice, next, input);
        },
      };
    }),
  },
  {
    id: 'organization-ids-upper-case',
    openPoint: 'OP-16',
    choice: 'upper case',
    rules: rendering((record) => ({
      ...record,
      sellerOrganizationId: String(record.sellerOrganizationId).toUpperCase(),
      buyerOrganizationId: String(record.buyerOrganizationId).toUpperCase(),
    })),
  },
  {
    id: 'description-composed',
    openPoint: 'OP-11',
    choice: 'composed to Unicode NFC',
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) =>
        base.issueInvoice(call, { ...input, description: input.description?.normalize('NFC') }, number),
    })),
  },
  {
    id: 'extra-nulls-and-history',
    openPoint: 'OP-12',
    choice: 'null for events that have not happened, and a history of earlier states',
    rules: rendering((record) => ({
      ...record,
      settledAt: null,
      cancelledAt: null,
      dispute: null,
      history: [{ id: `h-${String(record.id)}`, status: 'DRAFT', createdAt: record.createdAt }],
    })),
  },
  {
    id: 'created-at-basic',
    openPoint: 'OP-13',
    choice: 'the basic form, 20260131T102030Z',
    rules: rendering((record) => ({ ...record, createdAt: String(record.createdAt).replaceAll(/[-:]/g, '') })),
  },
  {
    id: 'created-at-ordinal',
    openPoint: 'OP-13',
    choice: 'the day by its number in the year, 2026-031T10:20:30Z',
    rules: rendering((record) => ({ ...record, createdAt: ordinal(String(record.createdAt)) })),
  },
  {
    id: 'created-at-week-date',
    openPoint: 'OP-13',
    choice: 'the day by its week, 2026-W05-6T10:20:30Z',
    rules: rendering((record) => ({ ...record, createdAt: weekDate(String(record.createdAt)) })),
  },
  {
    id: 'created-at-coarser-in-lists',
    openPoint: 'OP-14',
    choice: 'milliseconds in the response to the creation and seconds in lists',
    rules: overrideRules((base) => ({
      renderList: (call, page) => {
        const response = base.renderList(call, page);
        const body = response.body as Json & { items: Json[] };
        const items = body.items.map((item) => ({
          ...item,
          createdAt: String(item.createdAt).replace(/\.\d+/, ''),
        }));
        return { ...response, body: { ...body, items } };
      },
    })),
  },
  {
    id: 'clock-behind',
    openPoint: 'OP-15',
    choice: 'two minutes behind',
    rules: overrideRules((base) => ({ now: () => new Date(base.now().getTime() - TWO_MINUTES_MS) })),
  },
];
