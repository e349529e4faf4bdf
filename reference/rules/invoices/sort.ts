import type { Call } from '../../service/call.ts';
import type { ListQuery } from '../../service/inputs.ts';
import { toCents } from '../../service/money.ts';
import type { Invoice } from '../../service/store.ts';

type Compare = (left: Invoice, right: Invoice) => number;

/** "`sortBy`: a field name of the record." Equal values keep the order of creation, so that pages neither repeat nor lose a record. */
export function sort(_call: Call, invoices: readonly Invoice[], { sortBy, sortOrder }: ListQuery): Invoice[] {
  const ascending: Compare = sortBy === 'amount' ? compareAmounts : compareText(sortBy);
  const compare: Compare = sortOrder === 'asc' ? ascending : (left, right) => ascending(right, left);
  return invoices.toSorted(compare);
}

function compareText(field: ListQuery['sortBy']): Compare {
  return (left, right) => compareValues(left[field] ?? '', right[field] ?? '');
}

const compareAmounts: Compare = (left, right) => compareValues(toCents(left.amount), toCents(right.amount));

function compareValues<Value extends string | bigint>(left: Value, right: Value): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
