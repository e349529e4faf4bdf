import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { lenientQuery, queryParameter, rewritePage } from '../support/lists.ts';
import { changeEnvelope } from '../support/response-filters.ts';

/** Applies some limits without validation. */
const letting = (id: string, check: CheckId, limits: RegExp, sentence: string): Fault => ({
  id,
  requirement: 'LIST-05',
  defect: sentence,
  caughtBy: [check],
  alsoRun: ['LIST-05.limit'],
  rules: overrideRules((base) => ({
    validateQuery: (call) => {
      const { query } = call.request;
      const limit = query.get('limit') ?? '';
      if (!limits.test(limit)) return base.validateQuery(call);
      const others = new URLSearchParams([...query].filter(([name]) => name !== 'limit'));
      const request = { ...call.request, query: others };
      return { ...base.validateQuery({ ...call, request }), limit: Number(limit) };
    },
  })),
});

/** Applies a limit above the maximum if the query matches. */
function unbounded(when: (call: Call) => boolean): RuleChange {
  return overrideRules((base) => ({
    validateQuery: (call) => {
      const asked = Number(call.request.query.get('limit'));
      if (!(asked > 100) || !when(call)) return base.validateQuery(call);
      const query = new URLSearchParams(call.request.query);
      query.set('limit', '100');
      return { ...base.validateQuery({ ...call, request: { ...call.request, query } }), limit: asked };
    },
  }));
}

export const listsLimitFaults: readonly Fault[] = [
  letting(
    'list-limit-of-exports',
    'LIST-05.round-numbers-above-maximum',
    /^(500|1000)$/,
    'Limits of 500 and 1000 are allowed for exports.',
  ),
  letting(
    'list-limit-in-exponents',
    'LIST-05.number-forms',
    /^\d+e\d+$/,
    'Only digits are compared with the maximum: 1e3 passes.',
  ),
  {
    id: 'list-limit-needs-page',
    requirement: 'LIST-05',
    defect: 'The limit is validated only together with a page.',
    caughtBy: ['LIST-05.limit-without-page'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) =>
        call.request.query.has('page')
          ? base.page(call, invoices, query)
          : { ...base.page(call, invoices, { ...query, limit: 20 }), limit: query.limit },
    })),
  },
  {
    id: 'list-default-shorter-than-shown',
    requirement: 'LIST-05',
    defect: 'Without a limit, the page has ten records fewer than the envelope says.',
    caughtBy: ['LIST-05.default'],
    traffic: 'smoke',
    rules: rewritePage(({ items, limit }, call) =>
      queryParameter(call, 'limit') === null ? { items: items.slice(0, limit - 10) } : {},
    ),
  },
  {
    id: 'list-ascending-page-short',
    requirement: 'LIST-05',
    defect: 'In ascending order, a later page begins after the time of its own first record.',
    caughtBy: ['LIST-05.applied'],
    traffic: 'smoke',
    rules: rewritePage(({ items, page }, call) =>
      queryParameter(call, 'sortOrder') === 'asc' && page > 0 ? { items: items.slice(1) } : {},
    ),
  },
  {
    id: 'list-second-limit-unbounded',
    requirement: 'LIST-05',
    defect: 'If limit is given twice, the last value is validated and the first is applied.',
    caughtBy: ['LIST-05.limit'],
    alsoRun: ['LIST-11.limit-repeated'],
    traffic: 'smoke',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const query = base.validateQuery(call);
        const limits = call.request.query.getAll('limit');
        return limits.length > 1 ? { ...query, limit: Number(limits[0]) } : query;
      },
    })),
  },
  {
    id: 'list-limit-not-shown',
    requirement: 'LIST-05',
    defect: 'The envelope calls the limit size.',
    caughtBy: ['LIST-05.limit'],
    rewrite: changeEnvelope(({ limit }) => ({ size: limit, limit: undefined })),
  },
  {
    id: 'list-page-holds-one-more',
    requirement: 'LIST-05',
    defect: 'One record more than the limit is fetched to detect a next page, and is returned, too.',
    caughtBy: ['LIST-05.limit'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const page = base.page(call, invoices, query);
        const start = page.page * page.limit;
        return { ...page, items: invoices.slice(start, start + page.limit + 1) };
      },
    })),
  },
  {
    id: 'list-maximum-less-one',
    requirement: 'LIST-05',
    defect: 'A page is fetched with one record more than its limit, capped at 100: the largest page has 99 records.',
    caughtBy: ['LIST-05.applied'],
    traffic: 'full',
    rules: rewritePage(({ items }) => ({ items: items.slice(0, 99) })),
  },
  {
    id: 'list-maximum-of-the-first-page',
    requirement: 'LIST-05',
    defect: 'The limit is bounded on the first page only.',
    caughtBy: ['LIST-05.above-maximum-other-queries'],
    rules: unbounded(({ request }) => Number(request.query.get('page')) > 0),
  },
  {
    id: 'list-maximum-without-environment',
    requirement: 'LIST-05',
    defect: 'The dashboard, which sends X-Environment, exports whole lists: no limit is too large for it.',
    caughtBy: ['LIST-05.above-maximum-other-queries'],
    rules: unbounded(({ request }) => request.headers.has('X-Environment')),
  },
  {
    id: 'list-maximum-of-sellers',
    requirement: 'LIST-05',
    defect: 'The list of received invoices has a handler of its own, which has no maximum.',
    caughtBy: ['LIST-05.every-key'],
    rules: unbounded(
      ({ world: environment, organizationId }) =>
        [...environment.invoices.values()].find(({ buyerOrganizationId }) => buyerOrganizationId === organizationId) !==
        undefined,
    ),
  },
  {
    id: 'list-limit-ignored',
    requirement: 'LIST-05',
    defect: 'limit is ignored, and every page has 20 records.',
    caughtBy: ['LIST-05.applied', 'LIST-05.maximum'],
    rules: overrideRules((base) => ({
      validateQuery: (call) => ({ ...base.validateQuery(call), limit: 20 }),
    })),
  },
  {
    id: 'list-limit-shown-not-applied',
    requirement: 'LIST-05',
    defect: 'The envelope shows the requested limit, but the page has at most 20 records.',
    caughtBy: ['LIST-05.applied'],
    traffic: 'full',
    rules: rewritePage((page) => ({ items: page.items.slice(0, 20) })),
  },
  {
    id: 'list-ties-dropped',
    requirement: 'LIST-05',
    defect:
      'A page begins after the last value of the previous page: further records with an equal value are on neither page.',
    caughtBy: ['LIST-05.applied'],
    traffic: 'smoke',
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const served = base.page(call, invoices, query);
        const before =
          query.page > 0 ? base.page(call, invoices, { ...query, page: query.page - 1 }).items.at(-1) : undefined;
        const value = (invoice: Invoice | undefined) => invoice?.[query.sortBy as keyof Invoice];
        const tied = before !== undefined && value(served.items[0]) === value(before);
        return tied ? { ...served, items: served.items.slice(1) } : served;
      },
    })),
  },
  {
    id: 'list-maximum-exclusive',
    requirement: 'LIST-05',
    defect: 'A limit of 100 is rejected: the bound is exclusive.',
    caughtBy: ['LIST-05.maximum'],
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        const query = base.validateQuery(call);
        if (query.limit === 100 && query.sortBy === 'createdAt' && !call.request.query.has('sortBy')) {
          throw rejections.invalidRequest('limit must be less than 100');
        }
        return query;
      },
    })),
  },
  {
    id: 'list-limit-101-served',
    requirement: 'LIST-05',
    defect: 'The maximum of limit is off by one: 101 is applied.',
    caughtBy: ['LIST-05.above-maximum'],
    rules: lenientQuery('limit', (value) => (value === '101' ? '100' : undefined), Number),
  },
  {
    id: 'list-limit-huge-served',
    requirement: 'LIST-05',
    defect: 'The maximum of limit is documented but not enforced.',
    caughtBy: ['LIST-05.far-above-maximum'],
    rules: lenientQuery('limit', (value) => (Number(value) > 1000 ? '100' : undefined), Number),
  },
  {
    id: 'list-default-unbounded',
    requirement: 'LIST-05',
    defect: 'A list without a limit returns all records.',
    caughtBy: ['LIST-05.default'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) =>
        call.request.query.has('limit')
          ? base.page(call, invoices, query)
          : { ...base.page(call, invoices, { ...query, limit: 1000 }), limit: 1000 },
    })),
  },
  {
    id: 'list-limit-negative-everything',
    requirement: 'LIST-05',
    defect: 'A limit of -1 returns all records, as in some databases, and the envelope shows it.',
    caughtBy: ['LIST-05.limit'],
    alsoRun: ['LIST-11.limit-negative'],
    rules: lenientQuery('limit', (value) => (value === '-1' ? '100' : undefined), Number),
  },
];
