import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Call } from '../service/call.ts';
import type { ListQuery } from '../service/inputs.ts';
import { refusals } from '../service/refusal.ts';
import type { Invoice } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { changeEnvelope } from './support/response-filters.ts';
import { paged } from './support/rewrite-page.ts';

const envelope: readonly Fault[] = [
  {
    id: 'list-items-renamed',
    requirement: 'LIST-01',
    sentence: 'The records come in data, not in items.',
    caughtBy: ['LIST-01.items'],
    rewrite: changeEnvelope(({ items }) => ({ data: items, items: undefined })),
  },
  {
    id: 'list-total-as-text',
    requirement: 'LIST-02',
    sentence: 'total is a bigint of the database, serialized as a string.',
    caughtBy: ['LIST-02.total'],
    rewrite: changeEnvelope(({ total }) => ({ total: String(total) })),
  },
  {
    id: 'list-total-capped',
    requirement: 'LIST-02',
    sentence: 'total is an estimate from the statistics of the table, which creations do not move.',
    caughtBy: ['LIST-02.counts-creations'],
    rules: paged((page) => {
      const total = Math.ceil(page.total / 50) * 50;
      return { total, totalPages: Math.ceil(total / page.limit) };
    }),
  },
  {
    id: 'list-total-of-page',
    requirement: 'LIST-02',
    sentence: 'total is the number of records on the page.',
    caughtBy: ['LIST-02.counts-creations'],
    rules: paged((page) => ({ total: page.items.length, totalPages: Math.ceil(page.items.length / page.limit) })),
  },
  {
    id: 'list-total-stops',
    requirement: 'LIST-02',
    sentence: 'Nobody counts further than 300.',
    caughtBy: ['LIST-02.beyond-total'],
    wholeRun: true,
    rules: paged((page) => {
      const total = Math.min(page.total, 300);
      return { total, totalPages: Math.ceil(total / page.limit) };
    }),
  },
  {
    id: 'list-page-behind-the-end-one-more',
    requirement: 'LIST-04',
    sentence: 'Behind the last page the index is counted on once too often.',
    caughtBy: ['LIST-04.page'],
    alongside: ['LIST-04.past-the-end'],
    rules: paged((page) => ({ page: page.page >= page.totalPages ? page.page + 1 : page.page })),
  },
  {
    id: 'list-ascending-page-ignored',
    requirement: 'LIST-04',
    sentence: 'Ascending lists are of another statement, which has no offset.',
    caughtBy: ['LIST-04.ascending'],
    alongside: ['REC-11.simultaneous'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const first = query.sortOrder === 'asc' ? { ...query, page: 0 } : query;
        return { ...honest.page(call, invoices, first), page: query.page };
      },
    })),
  },
  {
    id: 'list-full-last-page-short',
    requirement: 'LIST-02',
    sentence: 'When the last page would be full, its last record is taken for one too many.',
    caughtBy: ['LIST-02.full-last-page'],
    rules: paged((page) => {
      const last = page.page === page.totalPages - 1 && page.total % page.limit === 0;
      return { items: last ? page.items.slice(0, -1) : page.items };
    }),
  },
  {
    id: 'list-last-page-short',
    requirement: 'LIST-02',
    sentence: 'The last page lacks its last record: an exclusive bound too many.',
    caughtBy: ['LIST-02.last-page'],
    alongside: ['REC-11.simultaneous'],
    rules: paged((page) => {
      const last = page.page === page.totalPages - 1 && page.page > 0;
      return { items: last ? page.items.slice(0, -1) : page.items };
    }),
  },
  {
    id: 'list-total-counts-deleted',
    requirement: 'LIST-02',
    sentence: 'total counts rows that the page leaves out.',
    caughtBy: ['LIST-02.last-page'],
    rules: paged((page) => {
      const total = page.total + 3;
      return { total, totalPages: Math.ceil(total / page.limit) };
    }),
  },
  {
    id: 'list-pages-plus-one',
    requirement: 'LIST-03',
    sentence: 'totalPages is total / limit + 1, cut off: one page too many on exact multiples only.',
    caughtBy: ['LIST-03.exact-multiple', 'LIST-03.total-pages'],
    rewrite: changeEnvelope(({ total, limit }) => ({ totalPages: Math.floor(Number(total) / Number(limit)) + 1 })),
  },
  {
    id: 'list-pages-rounded-down',
    requirement: 'LIST-03',
    sentence: 'totalPages is rounded down, and the partly filled page is not counted.',
    caughtBy: ['LIST-03.remainder', 'LIST-03.total-pages'],
    rewrite: changeEnvelope(({ total, limit }) => ({ totalPages: Math.floor(Number(total) / Number(limit)) })),
  },
  {
    id: 'list-pages-for-default-limit',
    requirement: 'LIST-03',
    sentence: 'totalPages is computed with the default limit, whatever was asked for.',
    caughtBy: ['LIST-03.total-pages'],
    rewrite: changeEnvelope(({ total }) => ({ totalPages: Math.ceil(Number(total) / 20) })),
  },
  {
    id: 'list-page-one-based-told',
    requirement: 'LIST-04',
    sentence: 'The envelope tells the page from one on, for humans.',
    caughtBy: ['LIST-04.page'],
    rewrite: changeEnvelope(({ page }) => ({ page: Number(page) + 1 })),
  },
  {
    id: 'list-limit-not-told',
    requirement: 'LIST-05',
    sentence: 'The envelope calls the page size size.',
    caughtBy: ['LIST-05.limit'],
    rewrite: changeEnvelope(({ limit }) => ({ size: limit, limit: undefined })),
  },
  {
    id: 'list-page-holds-one-more',
    requirement: 'LIST-05',
    sentence: 'One record more than the limit is fetched, to see whether there is another page, and sent along.',
    caughtBy: ['LIST-05.limit'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const page = honest.page(call, invoices, query);
        const start = page.page * page.limit;
        return { ...page, items: invoices.slice(start, start + page.limit + 1) };
      },
    })),
  },
  {
    id: 'list-total-ascending-one-less',
    requirement: 'LIST-02',
    sentence: 'An ascending list begins behind its first record: a cursor that is exclusive at either end.',
    caughtBy: ['LIST-02.any-order'],
    rewrite: changeEnvelope(({ total }, query) => ({
      total: query.get('sortOrder') === 'asc' ? Math.max(0, Number(total) - 1) : total,
    })),
  },
  {
    id: 'list-total-of-sorted-one-more',
    requirement: 'LIST-02',
    sentence: 'Sorting by amount joins the lines, and the total counts an invoice of two lines twice.',
    caughtBy: ['LIST-02.any-order'],
    rewrite: changeEnvelope(({ total }, query) => ({
      total: query.get('sortBy') === 'amount' ? Number(total) + 1 : total,
    })),
  },
];

/** Serves another page than the envelope says. */
function serving(pageOf: (query: ListQuery, count: number) => number): RuleChange {
  return replaced((honest) => ({
    page: (call, invoices, query) => ({
      ...honest.page(call, invoices, { ...query, page: pageOf(query, invoices.length) }),
      page: query.page,
    }),
  }));
}

/** A limit above the maximum is applied as it is, where the query is of this kind. */
function unbounded(when: (call: Call) => boolean): RuleChange {
  return replaced((honest) => ({
    validateQuery: (call) => {
      const asked = Number(call.request.query.get('limit'));
      if (!(asked > 100) || !when(call)) return honest.validateQuery(call);
      const query = new URLSearchParams(call.request.query);
      query.set('limit', '100');
      return { ...honest.validateQuery({ ...call, request: { ...call.request, query } }), limit: asked };
    },
  }));
}

const pages: readonly Fault[] = [
  {
    id: 'list-page-one-based',
    requirement: 'LIST-04',
    sentence: 'Pages count from one: page 0 shows the second one.',
    caughtBy: ['LIST-04.first-is-zero'],
    rules: serving(({ page }) => page + 1),
  },
  {
    id: 'list-page-zero-and-one-alike',
    requirement: 'LIST-04',
    sentence: 'Page 0 and page 1 are the same: the offset is limit x max(page - 1, 0).',
    caughtBy: ['LIST-04.second-is-one'],
    rules: serving(({ page }) => Math.max(page - 1, 0)),
  },
  {
    id: 'list-offset-skips-one',
    requirement: 'LIST-08',
    sentence: 'The offset is page x (limit + 1): a record is lost at each page boundary.',
    caughtBy: ['LIST-08.walk', 'LIST-04.second-is-one'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const start = query.page * (query.limit + 1);
        return { ...honest.page(call, invoices, query), items: invoices.slice(start, start + query.limit) };
      },
    })),
  },
  {
    id: 'list-pages-overlap',
    requirement: 'LIST-08',
    sentence: 'Pages after the third overlap by a record: the cursor is inclusive.',
    caughtBy: ['LIST-08.walk'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const start = query.page > 1 ? query.page * query.limit - 1 : query.page * query.limit;
        return { ...honest.page(call, invoices, query), items: invoices.slice(start, start + query.limit) };
      },
    })),
  },
  {
    id: 'list-past-the-end-wraps',
    requirement: 'LIST-04',
    sentence: 'A page past the end shows the first one again.',
    caughtBy: ['LIST-04.past-the-end'],
    rules: serving(({ page, limit }, count) => (page * limit >= count ? 0 : page)),
  },
  {
    id: 'list-past-the-end-says-first',
    requirement: 'LIST-04',
    sentence: 'Past the end the page index falls back to 0, and the records to none.',
    caughtBy: ['LIST-04.past-the-end'],
    rules: paged(({ items, page }) => ({ page: items.length === 0 ? 0 : page })),
  },
  {
    id: 'list-maximum-less-one',
    requirement: 'LIST-05',
    sentence: 'A page is asked for with one record more than its limit, which is capped at 100: the largest has 99.',
    caughtBy: ['LIST-05.applied'],
    wholeRun: true,
    rules: paged(({ items }) => ({ items: items.slice(0, 99) })),
  },
  {
    id: 'list-maximum-of-the-first-page',
    requirement: 'LIST-05',
    sentence: 'The limit is bounded where the list begins; the pages behind it take what they are given.',
    caughtBy: ['LIST-05.above-maximum-other-queries'],
    rules: unbounded(({ request }) => Number(request.query.get('page')) > 0),
  },
  {
    id: 'list-maximum-without-environment',
    requirement: 'LIST-05',
    sentence: 'The dashboard, which names its environment, exports whole lists: no limit is too large for it.',
    caughtBy: ['LIST-05.above-maximum-other-queries'],
    rules: unbounded(({ request }) => request.headers.has('X-Environment')),
  },
  {
    id: 'list-maximum-of-sellers',
    requirement: 'LIST-05',
    sentence: 'The list of received invoices has a handler of its own, which knows no maximum.',
    caughtBy: ['LIST-05.every-key'],
    rules: unbounded(
      ({ world, organizationId }) =>
        [...world.invoices.values()].find(({ buyerOrganizationId }) => buyerOrganizationId === organizationId) !==
        undefined,
    ),
  },
  {
    id: 'list-joined-with-notes',
    requirement: 'LIST-08',
    sentence: 'The list joins the notes of its invoices: what was disputed comes once for each of them.',
    caughtBy: ['LIST-08.once'],
    alongside: ['LIST-08.walk', 'LIST-04.second-is-one', 'LIST-15.status'],
    rules: replaced((honest) => ({
      visible: (call) =>
        honest.visible(call).flatMap((invoice) => (invoice.notes.length > 1 ? [invoice, invoice] : [invoice])),
    })),
  },
  {
    id: 'list-limit-ignored',
    requirement: 'LIST-05',
    sentence: 'limit is ignored, and every page has 20 records.',
    caughtBy: ['LIST-05.applied', 'LIST-05.maximum'],
    rules: replaced((honest) => ({
      validateQuery: (call) => ({ ...honest.validateQuery(call), limit: 20 }),
    })),
  },
  {
    id: 'list-limit-told-not-applied',
    requirement: 'LIST-05',
    sentence: 'The envelope tells the limit that was asked for, and the page holds at most 20.',
    caughtBy: ['LIST-05.applied'],
    wholeRun: true,
    rules: paged((page) => ({ items: page.items.slice(0, 20) })),
  },
  {
    id: 'list-home-currency',
    requirement: 'CREATE-11',
    sentence: 'The row of the list has a currency of its own, and that is the default of its column.',
    caughtBy: ['CREATE-11.other-currency'],
    rules: paged(({ items }) => ({ items: items.map((invoice) => ({ ...invoice, currency: 'EUR' })) })),
  },
  {
    id: 'list-ties-dropped',
    requirement: 'LIST-05',
    sentence: 'A page begins behind the last value of the page before it: what is equal to that is on neither.',
    caughtBy: ['LIST-05.applied'],
    wholeRun: true,
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const served = honest.page(call, invoices, query);
        const before =
          query.page > 0 ? honest.page(call, invoices, { ...query, page: query.page - 1 }).items.at(-1) : undefined;
        const value = (invoice: Invoice | undefined) => invoice?.[query.sortBy as keyof Invoice];
        const tied = before !== undefined && value(served.items[0]) === value(before);
        return tied ? { ...served, items: served.items.slice(1) } : served;
      },
    })),
  },
  {
    id: 'list-maximum-exclusive',
    requirement: 'LIST-05',
    sentence: 'A limit of 100 is refused: the bound is exclusive.',
    caughtBy: ['LIST-05.maximum'],
    rules: replaced((honest) => ({
      validateQuery: (call) => {
        const query = honest.validateQuery(call);
        if (query.limit === 100 && query.sortBy === 'createdAt' && !call.request.query.has('sortBy')) {
          throw refusals.invalidRequest('limit must be less than 100');
        }
        return query;
      },
    })),
  },
  {
    id: 'list-page-ignored-for-buyers',
    requirement: 'LIST-04',
    sentence: "The buyer's view of the list has no offset: every page is the first.",
    caughtBy: ['LIST-04.every-key'],
    wholeRun: true,
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const buys = invoices.some(({ buyerOrganizationId }) => buyerOrganizationId === call.organizationId);
        return buys
          ? { ...honest.page(call, invoices, { ...query, page: 0 }), page: query.page }
          : honest.page(call, invoices, query);
      },
    })),
  },
];

/** Lets a query through that the honest rule refuses. */
function lenient(
  name: string,
  mend: (value: string) => string | undefined,
  asTold?: (value: string) => number,
): RuleChange {
  return replaced((honest) => ({
    validateQuery: (call) => {
      const query = new URLSearchParams(call.request.query);
      const given = query.get(name);
      const mended = given === null ? undefined : mend(given);
      if (given === null || mended === undefined) return honest.validateQuery(call);
      query.set(name, mended);
      const valid = honest.validateQuery({ ...call, request: { ...call.request, query } });
      return asTold ? { ...valid, [name]: asTold(given) } : valid;
    },
  }));
}

const refusingWith = (name: string, wrong: (value: string) => boolean, fail: () => Error): RuleChange =>
  replaced((honest) => ({
    validateQuery: (call) => {
      const given = call.request.query.get(name);
      if (given !== null && wrong(given)) throw fail();
      return honest.validateQuery(call);
    },
  }));

const crash = () => new TypeError('invalid value for offset');

const queries: readonly Fault[] = [
  {
    id: 'list-limit-101-served',
    requirement: 'LIST-05',
    sentence: 'The maximum of limit is off by one: 101 is applied.',
    caughtBy: ['LIST-05.above-maximum'],
    rules: lenient('limit', (value) => (value === '101' ? '100' : undefined), Number),
  },
  {
    id: 'list-limit-huge-served',
    requirement: 'LIST-05',
    sentence: 'The maximum of limit is only in the documentation.',
    caughtBy: ['LIST-05.far-above-maximum'],
    rules: lenient('limit', (value) => (Number(value) > 1000 ? '100' : undefined), Number),
  },
  {
    id: 'list-page-text-as-zero',
    requirement: 'LIST-10',
    sentence: 'A page that is no number is taken for 0.',
    caughtBy: ['LIST-10.page-text'],
    rules: lenient('page', (value) => (/^\d/.test(value) || value.startsWith('-') ? undefined : '0')),
  },
  {
    id: 'list-past-the-end-counts-none',
    requirement: 'LIST-04',
    sentence: 'The total is counted over the rows of the page: past the end there is none to read it from.',
    caughtBy: ['LIST-04.past-the-end'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const page = honest.page(call, invoices, query);
        return page.items.length === 0 ? { ...page, total: 0, totalPages: 0 } : page;
      },
    })),
  },
  {
    id: 'list-offset-overflows',
    requirement: 'LIST-11',
    sentence: 'The last page number of 31 bits times the limit does not fit into 32: 500.',
    caughtBy: ['LIST-11.page-huge', 'ERR-05.no-internal-error'],
    rules: refusingWith('page', (value) => value === '2147483647', crash),
  },
  {
    id: 'list-far-page-crashes',
    requirement: 'LIST-04',
    sentence: 'The offset of a page far behind the end does not fit into the query: 500.',
    caughtBy: ['LIST-04.past-the-end', 'ERR-05.no-internal-error'],
    rules: refusingWith('page', (value) => Number(value) > 100_000, crash),
  },
  {
    id: 'list-default-unbounded',
    requirement: 'LIST-05',
    sentence: 'A list asked for without a limit gives whatever there is.',
    caughtBy: ['LIST-05.default'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) =>
        call.request.query.has('limit')
          ? honest.page(call, invoices, query)
          : { ...honest.page(call, invoices, { ...query, limit: 1000 }), limit: 1000 },
    })),
  },
  {
    id: 'list-limit-text-as-default',
    requirement: 'LIST-10',
    sentence: 'A limit that is no number is ignored.',
    caughtBy: ['LIST-10.limit-text'],
    rules: lenient('limit', (value) => (/^\d/.test(value) || value.startsWith('-') ? undefined : '20')),
  },
  {
    id: 'list-page-text-crashes',
    requirement: 'LIST-11',
    sentence: 'A page that is no number reaches the database as NaN.',
    caughtBy: ['LIST-11.page-text', 'ERR-05.no-internal-error'],
    rules: refusingWith('page', (value) => value === 'first', crash),
  },
  {
    id: 'list-limit-text-404',
    requirement: 'LIST-11',
    sentence: 'A limit that is no number matches no route: 404.',
    caughtBy: ['LIST-11.limit-text'],
    rules: refusingWith('limit', (value) => value === 'many', refusals.noSuchRoute),
  },
  {
    id: 'list-limit-zero-crashes',
    requirement: 'LIST-11',
    sentence: 'A limit of 0 divides by zero.',
    caughtBy: ['LIST-11.limit-zero', 'ERR-05.no-internal-error'],
    rules: refusingWith('limit', (value) => value === '0', crash),
  },
  {
    id: 'list-limit-negative-422',
    requirement: 'LIST-11',
    sentence: 'A limit below zero is refused with 409.',
    caughtBy: ['LIST-11.limit-negative'],
    rules: refusingWith('limit', (value) => value === '-1', refusals.actionConflict),
  },
  {
    id: 'list-limit-negative-everything',
    requirement: 'LIST-05',
    sentence: 'A limit of -1 means all records, as in some databases, and the envelope says so.',
    caughtBy: ['LIST-05.limit'],
    alongside: ['LIST-11.limit-negative'],
    rules: lenient('limit', (value) => (value === '-1' ? '100' : undefined), Number),
  },
  {
    id: 'list-page-negative-crashes',
    requirement: 'LIST-11',
    sentence: 'A negative page makes a negative offset, which the database refuses: 500.',
    caughtBy: ['LIST-11.page-negative', 'ERR-05.no-internal-error'],
    rules: refusingWith('page', (value) => value === '-1', crash),
  },
];

/** Sorts in another way where the query asks for these. */
function sorting(
  applies: (query: ListQuery) => boolean,
  order: (invoices: readonly Invoice[], call: Call, query: ListQuery) => Invoice[],
): RuleChange {
  return replaced((honest) => ({
    sort: (call, invoices, query) =>
      applies(query) ? order(invoices, call, query) : honest.sort(call, invoices, query),
  }));
}

const by = (field: keyof Invoice) => (left: Invoice, right: Invoice) =>
  String(left[field]) < String(right[field]) ? -1 : Number(String(left[field]) !== String(right[field]));

const orders: readonly Fault[] = [
  {
    id: 'list-created-at-ascending',
    requirement: 'LIST-06',
    sentence: 'sortOrder is compared with DESC in upper case, and desc sorts ascending.',
    caughtBy: ['LIST-06.created-at-desc'],
    rules: sorting(
      ({ sortBy }) => sortBy === 'createdAt',
      (invoices) => [...invoices],
    ),
  },
  {
    id: 'list-sorted-within-page',
    requirement: 'LIST-06',
    sentence: 'The page is cut first and sorted afterwards.',
    caughtBy: ['LIST-06.created-at-desc'],
    wholeRun: true,
    rules: replaced((honest) => ({
      sort: (_call, invoices) => [...invoices],
      page: (call, invoices, query) => {
        const page = honest.page(call, invoices, query);
        return { ...page, items: query.limit < 100 ? honest.sort(call, page.items, query) : page.items };
      },
    })),
  },
  {
    id: 'list-due-date-without-year',
    requirement: 'LIST-06',
    sentence: 'Due dates are sorted by month and day, for the calendar of the dashboard.',
    caughtBy: ['LIST-06.due-last'],
    rules: sorting(
      ({ sortBy }) => sortBy === 'dueDate',
      (invoices) => invoices.toSorted((left, right) => (left.dueDate.slice(5) < right.dueDate.slice(5) ? 1 : -1)),
    ),
  },
  {
    id: 'list-order-needs-page',
    requirement: 'LIST-06',
    sentence: 'Without page and limit the list is served from a cache of the first page, which has its own order.',
    caughtBy: ['LIST-06.without-page-or-limit'],
    alongside: ['LIST-04.page-without-limit'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) =>
        call.request.query.has('page') || call.request.query.has('limit')
          ? honest.sort(call, invoices, query)
          : honest.sort(call, invoices, { ...query, sortOrder: 'asc' }),
    })),
  },
  {
    id: 'list-due-date-by-month',
    requirement: 'LIST-06',
    sentence: 'Due dates are sorted as day/month/year texts.',
    caughtBy: ['LIST-06.due-date-desc'],
    alongside: ['CREATE-11.edge-due-dates'],
    rules: sorting(
      ({ sortBy }) => sortBy === 'dueDate',
      (invoices) =>
        invoices.toSorted((left, right) => {
          const [one, other] = [left, right].map(({ dueDate }) => dueDate.split('-').reverse().join('/'));
          return (one ?? '') < (other ?? '') ? 1 : -1;
        }),
    ),
  },
  {
    id: 'list-status-unsorted',
    requirement: 'LIST-06',
    sentence: 'sortBy status is accepted and not applied.',
    caughtBy: ['LIST-06.status-desc'],
    alongside: ['REC-11.simultaneous', 'LIFE-04.submit', 'LIFE-04.approve', 'LIFE-04.cancel'],
    rules: sorting(
      ({ sortBy }) => sortBy === 'status',
      (invoices) => invoices.toSorted(by('id')),
    ),
  },
  {
    id: 'list-amount-as-text',
    requirement: 'LIST-07',
    sentence: 'Amounts are sorted as the text they are carried as: 9.99 before 100.02.',
    caughtBy: ['LIST-07.amount-desc', 'LIST-07.amount-asc'],
    rules: sorting(
      ({ sortBy }) => sortBy === 'amount',
      (invoices, _call, { sortOrder }) => {
        const ascending = invoices.toSorted(by('amount'));
        return sortOrder === 'asc' ? ascending : ascending.reverse();
      },
    ),
  },
  {
    id: 'list-asc-ignored',
    requirement: 'LIST-07',
    sentence: 'sortOrder asc is accepted and ignored.',
    caughtBy: ['LIST-07.created-at-asc', 'LIST-07.amount-asc'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) => honest.sort(call, invoices, { ...query, sortOrder: 'desc' }),
    })),
  },
  {
    id: 'list-due-hides-overdue',
    requirement: 'LIST-08',
    sentence: 'By due dates a list shows what is to come: what is overdue is counted and left out.',
    caughtBy: ['LIST-08.every-order'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const page = honest.page(call, invoices, query);
        if (query.sortBy !== 'dueDate') return page;
        const today = new Date().toISOString().slice(0, 10);
        const coming = invoices.filter(({ dueDate }) => dueDate >= today);
        return { ...page, items: honest.page(call, coming, query).items };
      },
    })),
  },
  {
    id: 'list-ties-at-random',
    requirement: 'LIST-15',
    sentence: 'Records with equal values come in another order for each page.',
    caughtBy: ['LIST-15.due-date'],
    rules: sorting(
      ({ sortBy }) => sortBy === 'dueDate' || sortBy === 'status',
      (invoices, _call, { sortBy, page }) => {
        const values = [...new Set(invoices.map((invoice) => invoice[sortBy]))].toSorted().reverse();
        return values.flatMap((value) => {
          const equal = invoices.filter((invoice) => invoice[sortBy] === value);
          const turned = equal.length - (page % equal.length);
          return [...equal.slice(turned), ...equal.slice(0, turned)];
        });
      },
    ),
  },
  {
    id: 'list-ties-by-status-page',
    requirement: 'LIST-15',
    sentence: 'Sorted by status, the second page repeats the first: the cursor is the status.',
    caughtBy: ['LIST-15.status'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const stuck = query.sortBy === 'status' && query.page === 1;
        return { ...honest.page(call, invoices, stuck ? { ...query, page: 0 } : query), page: query.page };
      },
    })),
  },
  {
    id: 'list-sort-by-currency-crashes',
    requirement: 'LIST-06',
    sentence: 'There is no index for the currency, and the statement times out.',
    caughtBy: ['LIST-06.currency-desc', 'ERR-05.no-internal-error'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) => {
        if (query.sortBy === 'currency') throw new TypeError('no index');
        return honest.sort(call, invoices, query);
      },
    })),
  },
  {
    id: 'list-sort-by-number-crashes',
    requirement: 'LIST-07',
    sentence: 'Numbers are sorted as integers, and have a prefix since last year.',
    caughtBy: ['LIST-07.invoice-number-desc', 'LIST-07.invoice-number-asc', 'ERR-05.no-internal-error'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) => {
        if (query.sortBy === 'invoiceNumber') throw new TypeError('NaN');
        return honest.sort(call, invoices, query);
      },
    })),
  },
];

const sights: readonly Fault[] = [
  {
    id: 'list-of-everybody',
    requirement: 'LIST-09',
    sentence: 'The list forgets to filter by organization.',
    caughtBy: ['LIST-09.only-own', 'LIST-09.third-organization'],
    rules: replaced(() => ({ visible: ({ world }) => [...world.invoices.values()] })),
  },
  {
    id: 'list-by-amount-of-everybody',
    requirement: 'LIST-09',
    sentence: 'The statement that sorts by amount was written for the back office, and has no organization in it.',
    caughtBy: ['LIST-09.third-organization'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.request.query.get('sortBy') === 'amount' ? [...call.world.invoices.values()] : honest.visible(call),
    })),
  },
  {
    id: 'list-due-a-day-early-in-summer',
    requirement: 'CREATE-11',
    sentence: 'The list makes a midnight of each due date, and shows it in UTC: in summer it is the day before.',
    caughtBy: ['CREATE-11.edge-due-dates'],
    rules: paged((page) => ({
      items: page.items.map((invoice) => {
        const day = new Date(`${invoice.dueDate}T00:00:00Z`);
        const summer = day.getUTCMonth() >= 3 && day.getUTCMonth() < 9;
        if (summer) day.setUTCDate(day.getUTCDate() - 1);
        return { ...invoice, dueDate: day.toISOString().slice(0, 10) };
      }),
    })),
  },
  {
    id: 'list-by-organization',
    requirement: 'LIST-09',
    sentence: 'A parameter of the back office, organizationId, is heeded whoever asks.',
    caughtBy: ['LIST-09.organization-parameters'],
    rules: replaced((honest) => ({
      visible: (call) => {
        const organizationId = call.request.query.get('organizationId') ?? call.organizationId;
        return honest.visible({ ...call, organizationId });
      },
    })),
  },
  {
    id: 'list-total-of-everybody',
    requirement: 'LIST-09',
    sentence: 'The records are filtered by organization, their count is not.',
    caughtBy: ['LIST-09.third-organization'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const total = call.world.invoices.size;
        return { ...honest.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
      },
    })),
  },
  {
    id: 'list-cancelled-unread-by-buyer',
    requirement: 'LIST-14',
    sentence: 'A buyer who reads a cancelled invoice gets 404.',
    caughtBy: ['LIST-14.buyer-reads'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const invoice = honest.findInvoice(call, id);
        if (invoice.status === 'CANCELLED' && call.organizationId === invoice.buyerOrganizationId) {
          throw refusals.invoiceNotFound();
        }
        return invoice;
      },
    })),
  },
  {
    id: 'list-cancelled-hidden',
    requirement: 'LIST-09',
    sentence: 'Cancelled invoices are archived at once and leave the list.',
    caughtBy: ['LIST-09.every-state'],
    rules: replaced((honest) => ({
      visible: (call) => honest.visible(call).filter(({ status }) => status !== 'CANCELLED'),
    })),
  },
  {
    id: 'list-state-from-index',
    requirement: 'LIST-09',
    sentence:
      'The list comes from an index that is written at creation and never again: every status is the first one.',
    caughtBy: ['LIST-09.every-state'],
    rules: paged((page) => ({ items: page.items.map((invoice) => ({ ...invoice, status: 'DRAFT' as const })) })),
  },
  {
    id: 'list-misses-resolutions',
    requirement: 'LIST-09',
    sentence: 'The index of the list has no handler for resolutions: it goes on showing DISPUTED.',
    caughtBy: ['LIST-09.resolved'],
    rules: paged((page) => ({
      items: page.items.map((invoice) =>
        invoice.status === 'SUBMITTED' && invoice.notes.length > 0
          ? { ...invoice, status: 'DISPUTED' as const }
          : invoice,
      ),
    })),
  },
  {
    id: 'list-own-not-seen',
    requirement: 'LIST-09',
    sentence: 'The list shows an organization the invoices it buys, not those it sells.',
    caughtBy: ['LIST-09.own-invoice-listed'],
    rules: replaced((honest) => ({
      visible: (call) =>
        honest.visible(call).filter(({ buyerOrganizationId }) => buyerOrganizationId === call.organizationId),
    })),
  },
  {
    id: 'list-buyer-sees-nothing',
    requirement: 'LIST-14',
    sentence: 'The buyer reads its invoices one by one; the list is the seller’s alone.',
    caughtBy: ['LIST-14.buyer'],
    rules: replaced((honest) => ({
      visible: (call) =>
        honest.visible(call).filter(({ sellerOrganizationId }) => sellerOrganizationId === call.organizationId),
    })),
  },
  {
    id: 'list-of-the-key',
    requirement: 'LIST-09',
    sentence: 'The list shows what was created with the same key, instead of what the organization has.',
    caughtBy: ['LIST-09.other-key'],
    rules: replaced((honest) => ({
      visible: (call) => (call.key.scopes.includes('write') ? honest.visible(call) : []),
    })),
  },
  {
    id: 'list-open-by-due-date',
    requirement: 'LIST-09',
    sentence: 'The list in the order of due dates is a statement of its own, which forgets to filter by organization.',
    caughtBy: ['LIST-09.third-organization'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.request.query.get('sortBy') === 'dueDate' ? [...call.world.invoices.values()] : honest.visible(call),
    })),
  },
  {
    id: 'list-amount-order-per-page',
    requirement: 'LIST-06',
    sentence: 'Later pages of a list by amount come as they are found.',
    caughtBy: ['LIST-06.pages'],
    alongside: ['REC-11.simultaneous'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) =>
        query.sortBy === 'amount' && query.page > 0 ? [...invoices] : honest.sort(call, invoices, query),
    })),
  },
  {
    id: 'list-one-record-unsorted',
    requirement: 'LIST-06',
    sentence: 'A list of one record takes the first that is found, and sorts it.',
    caughtBy: ['LIST-06.pages'],
    alongside: ['REC-11.simultaneous'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) => (query.limit === 1 ? [...invoices] : honest.sort(call, invoices, query)),
    })),
  },
  {
    id: 'list-one-record-newest',
    requirement: 'LIST-06',
    sentence: 'A list of one record is answered by the cache of the newest one, in whatever order it is asked for.',
    caughtBy: ['LIST-06.pages'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) =>
        honest.sort(call, invoices, query.limit === 1 ? { ...query, sortBy: 'createdAt', sortOrder: 'desc' } : query),
    })),
  },
  {
    id: 'list-open-with-environment',
    requirement: 'LIST-09',
    sentence: 'Who names the environment comes from the dashboard of the operators, who see every invoice.',
    caughtBy: ['LIST-09.third-organization'],
    rules: replaced((honest) => ({
      visible: (call) =>
        call.request.headers.has('X-Environment') ? [...call.world.invoices.values()] : honest.visible(call),
    })),
  },
];

export const listFaults: readonly Fault[] = [...envelope, ...pages, ...queries, ...orders, ...sights];
