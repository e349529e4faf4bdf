import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { InvoicePage, ListQuery } from '../../service/inputs.ts';
import type { Invoice } from '../../service/store.ts';

export const queryParameter = ({ request }: Call, name: string) => request.query.get(name);

/** Accepts a query that the original rule rejects. */
export function lenientQuery(
  name: string,
  mend: (value: string) => string | undefined,
  asTold?: (value: string) => number,
): RuleChange {
  return overrideRules((base) => ({
    validateQuery: (call) => {
      const query = new URLSearchParams(call.request.query);
      const given = query.get(name);
      const mended = given === null ? undefined : mend(given);
      if (given === null || mended === undefined) return base.validateQuery(call);
      query.set(name, mended);
      const valid = base.validateQuery({ ...call, request: { ...call.request, query } });
      return asTold ? { ...valid, [name]: asTold(given) } : valid;
    },
  }));
}

export const failOnQuery = (name: string, wrong: (value: string) => boolean, fail: () => Error): RuleChange =>
  overrideRules((base) => ({
    validateQuery: (call) => {
      const given = call.request.query.get(name);
      if (given !== null && wrong(given)) throw fail();
      return base.validateQuery(call);
    },
  }));

export const createQueryError = () => new TypeError('invalid value for offset');

/** Sorts in another way if the query matches. */
export function overrideSort(
  applies: (query: ListQuery) => boolean,
  order: (invoices: readonly Invoice[], call: Call, query: ListQuery) => Invoice[],
): RuleChange {
  return overrideRules((base) => ({
    sort: (call, invoices, query) => (applies(query) ? order(invoices, call, query) : base.sort(call, invoices, query)),
  }));
}

/** Changes members of a list page after it is built. */
export function rewritePage(change: (page: InvoicePage, call: Call) => Partial<InvoicePage>): RuleChange {
  return overrideRules((base) => ({
    page: (call, invoices, query) => {
      const page = base.page(call, invoices, query);
      return { ...page, ...change(page, call) };
    },
  }));
}
