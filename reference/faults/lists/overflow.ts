import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { Fault } from '../fault.ts';
import { queryParameter } from '../support/lists.ts';

/** Accepts a page of up to 20 digits and computes the offset with another arithmetic. The envelope shows the requested page. */
function offsetBy(offsetOf: (page: bigint, limit: bigint) => bigint): RuleChange {
  return overrideRules((base) => ({
    validateQuery: (call) => {
      const given = queryParameter(call, 'page') ?? '0';
      if (!/^\d{1,20}$/.test(given)) return base.validateQuery(call);
      const query = new URLSearchParams(call.request.query);
      query.set('page', '0');
      return { ...base.validateQuery({ ...call, request: { ...call.request, query } }), page: Number(given) };
    },
    page: (call, invoices, query) => {
      const start = Number(offsetOf(BigInt(queryParameter(call, 'page') ?? '0'), BigInt(query.limit)));
      return { ...base.page(call, invoices, query), items: invoices.slice(start, start + query.limit) };
    },
  }));
}

const atLeastZero = (offset: bigint) => (offset < 0n ? 0n : offset);

const isLimitWrapped = (call: Call) => queryParameter(call, 'limit') === String(2 ** 32);

export const listsOverflowFaults: readonly Fault[] = [
  {
    id: 'list-offset-of-32-bits',
    requirement: 'LIST-11',
    defect: 'The offset is an unsigned integer of 32 bits: page 2^26 with limit 64 is the first page.',
    caughtBy: ['LIST-11.page-huge'],
    rules: offsetBy((page, limit) => BigInt.asUintN(32, page * limit)),
  },
  {
    id: 'list-offset-negative-ignored',
    requirement: 'LIST-11',
    defect: 'The offset wraps around at 31 bits, and the database ignores a negative offset.',
    caughtBy: ['LIST-11.page-huge'],
    rules: offsetBy((page, limit) => atLeastZero(BigInt.asIntN(32, page * limit))),
  },
  {
    id: 'list-offset-of-64-bits',
    requirement: 'LIST-11',
    defect: 'The offset is an integer of 64 bits: page 2^58 with limit 64 is the first page.',
    caughtBy: ['LIST-11.page-huge'],
    rules: offsetBy((page, limit) => atLeastZero(BigInt.asIntN(64, page * limit))),
  },
  {
    id: 'list-page-of-32-bits',
    requirement: 'LIST-11',
    defect: 'The page is cut to 32 bits before the query: page 2^32 is the first page.',
    caughtBy: ['LIST-11.page-huge'],
    rules: offsetBy((page, limit) => BigInt.asUintN(32, page) * limit),
  },
  {
    id: 'list-page-end-overflows',
    requirement: 'LIST-11',
    defect: 'Offset plus limit overflows 31 bits, although the offset does not: 500.',
    caughtBy: ['LIST-11.page-huge', 'ERR-05.no-internal-error'],
    rules: offsetBy((page, limit) => {
      const start = page * limit;
      if (start < 2n ** 31n && start + limit >= 2n ** 31n) throw new RangeError('fromIndex > toIndex');
      return start;
    }),
  },
  {
    id: 'list-limit-of-32-bits',
    requirement: 'LIST-05',
    defect: 'The limit is cut to 32 bits, and 0 means no limit: limit 2^32 returns the whole list.',
    caughtBy: ['LIST-05.limit'],
    alsoRun: ['LIST-11.limit-huge', 'REC-11.simultaneous', 'LIST-08.walk'],
    traffic: 'full',
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        if (!isLimitWrapped(call)) return base.validateQuery(call);
        const query = new URLSearchParams(call.request.query);
        query.set('limit', '100');
        return base.validateQuery({ ...call, request: { ...call.request, query } });
      },
      page: (call, invoices, query) =>
        isLimitWrapped(call)
          ? { ...base.page(call, invoices, query), items: [...invoices] }
          : base.page(call, invoices, query),
    })),
  },
];
