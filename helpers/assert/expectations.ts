import type { Expectation } from '../../specs/expectation.ts';

type Comparable = string | number | boolean | null;

/** The invoice in a body, bare or in an envelope. */
const RECORD_FILTER = '(first(.. | objects | select(has("invoiceNumber") or has("dueDate") or has("status"))) // {})';

/** The invoice of the response has this value, as text, in a field. */
export function fieldIs(field: string, value: unknown): Expectation {
  const filter =
    value === null || value === undefined
      ? `${RECORD_FILTER}.${field} == null`
      : `(${RECORD_FILTER}.${field} | tostring) == ${JSON.stringify(String(value))}`;
  return { status: 'success', body: filter };
}

/** The list item with this id has this value, as text, in a field. */
export function listedFieldIs(id: string, field: string, value: unknown): Expectation {
  return {
    status: 'success',
    body: `any(.items[]; .id == ${JSON.stringify(id)} and (.${field} | tostring) == ${JSON.stringify(String(value))})`,
  };
}

/** The invoice of the response has another id. */
export function idIsNot(id: string): Expectation {
  return { body: `${RECORD_FILTER}.id != ${JSON.stringify(id)}` };
}

/** A member of the body, such as `limit`, has this value. */
export function memberIs(name: string, value: Comparable): Expectation {
  return { status: 'success', body: `.${name} == ${JSON.stringify(value)}` };
}

/** The status is below this one. */
export function statusBelow(status: number): Expectation {
  return { body: `$status < ${status}` };
}

/** The status is another one. */
export function statusIsNot(status: number): Expectation {
  return { body: `$status != ${status}` };
}

/** The list items are in the order of a field, if the list still has these items. Amounts compare by value, other fields as text. */
export function listInOrder(field: string, direction: 'asc' | 'desc', ids: readonly unknown[]): Expectation {
  const values = `[.items[].${field}${field === 'amount' ? ' | tonumber' : ''}]`;
  const body = `${values} | . == (sort${direction === 'desc' ? ' | reverse' : ''})`;
  const given = `[.items[].id] | ${ids.map((id) => `index(${JSON.stringify(id)}) != null`).join(' and ')}`;
  return { status: 'success', body, given };
}

/** List items with the same value of a field are next to each other. */
export function listGrouped(field: string): Expectation {
  const changes = '[range(1; length) as $at | select(.[$at] != .[$at - 1])] | length';
  return {
    status: 'success',
    body: `[.items[].${field}] | (unique | length) as $kinds | (${changes}) < ([$kinds, 1] | max)`,
    given: `[.items[].${field}] | unique | length > 1`,
  };
}
