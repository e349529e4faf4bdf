import { OPERATION_NAMES } from '../../../specs/target-file/target.ts';
import { textAt, valueAt } from './found-value.ts';
import type { Problem } from './problem.ts';

type FieldPath = readonly PropertyKey[];

/** The problems of the operations across a target file: their effect on a server, not their syntax. */
export function operationProblems(content: unknown): Problem[] {
  return [
    ...OPERATION_NAMES.flatMap((name) => fixedRequestIds(valueAt(content, ['operations', name]), ['operations', name])),
    ...IDEMPOTENT_OPERATIONS.flatMap((name) => {
      const at = ['operations', name, 'body'];
      return misnamedRequestIds(valueAt(content, at), at);
    }),
    ...balanceProblems(content),
  ];
}

const FIXED_REQUEST_ID =
  'a fixed value, which makes every request a replay of the first; write {requestId}, or remove it';
const REQUEST_ID_IN_PATH = /[?&;/]requestId[=/]([^?&;/]*)/;

function fixedRequestIds(template: unknown, at: FieldPath): Problem[] {
  const path = [...at, 'path'];
  const found = REQUEST_ID_IN_PATH.exec(textAt(template, ['path']) ?? '')?.[1];
  return [
    ...(isFixed(found) ? [{ path, text: `${path.join('.')}: the requestId in the path is ${FIXED_REQUEST_ID}` }] : []),
    ...fixedRequestIdsInBody(valueAt(template, ['body']), [...at, 'body']),
    ...fixedInvoiceIds(valueAt(template, ['body']), [...at, 'body']),
  ];
}

const INVOICE_ID_NAME = /^(invoice[_-]?)?ids?$/i;
const FIXED_INVOICE_ID = 'found a fixed id, so every request would name the same invoice; write {id}';

/** The id of an invoice in a body must change with every request. */
function fixedInvoiceIds(value: unknown, at: FieldPath): Problem[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const path = [...at, name];
    const values = INVOICE_ID_NAME.test(name) ? [item].flat() : [];
    if (values.some(isFixed)) return [{ path, text: `${path.join('.')}: ${FIXED_INVOICE_ID}` }];
    return fixedInvoiceIds(item, path);
  });
}

function fixedRequestIdsInBody(value: unknown, at: FieldPath): Problem[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const path = [...at, name];
    if (name === 'requestId' && isFixed(item)) return [{ path, text: `${path.join('.')}: found ${FIXED_REQUEST_ID}` }];
    if (name === 'requestId' && typeof item === 'string' && item !== REQUEST_ID) {
      const text = `${path.join('.')}: found a text other than ${REQUEST_ID}; write "${REQUEST_ID}" alone, because the kit omits it in some requests`;
      return [{ path, text }];
    }
    return fixedRequestIdsInBody(item, path);
  });
}

/** The operations with a `requestId` (Idempotency, rule 2) that a target file binds. */
const IDEMPOTENT_OPERATIONS = ['submit', 'treasuryBalance', 'treasuryWithdraw'] as const;
const REQUEST_ID = '{requestId}';

/** The contract names the field: "Optional body field `requestId`" (Idempotency, rule 1). */
function misnamedRequestIds(value: unknown, at: FieldPath): Problem[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const path = [...at, name];
    if (name === 'requestId' || typeof item !== 'string' || !item.includes(REQUEST_ID))
      return misnamedRequestIds(item, path);
    const text = `${path.join('.')}: contains ${REQUEST_ID}, but the contract names this field requestId; write requestId: "${REQUEST_ID}"`;
    return [{ path, text }];
  });
}

/** A text with a placeholder is not fixed. Unknown placeholders are reported by `placeholderProblems`. */
function isFixed(value: unknown): boolean {
  if (typeof value === 'string') return !/[{}]/.test(value);
  return typeof value === 'number' || typeof value === 'boolean';
}

/** The kit reads the balance often, so a balance request must not move money. */
function balanceProblems(content: unknown): Problem[] {
  const [balance, withdrawal] = ['treasuryBalance', 'treasuryWithdraw'].map((name) =>
    valueAt(content, ['operations', name]),
  );
  const method = textAt(balance, ['method']);
  const path = textAt(balance, ['path']);
  if (method === undefined || path === undefined) return [];
  const at = ['operations', 'treasuryBalance'];
  if (requestKey(balance) === requestKey(withdrawal)) {
    const found = 'is the same request as operations.treasuryWithdraw';
    return [{ path: at, text: `${at.join('.')}: ${found}; correct method, path or body of one of the two` }];
  }
  const last = path
    .split('?')[0]
    ?.split('/')
    .findLast((segment) => segment !== '' && !/[{}]/.test(segment));
  if (method === 'GET' || !/withdraw/i.test(last ?? '')) return [];
  const found = `found a ${method} to a path that ends in ${last}, so every request for the balance would make a withdrawal`;
  return [{ path: [...at, 'path'], text: `${at.join('.')}.path: ${found}; write the path of the balance` }];
}

function requestKey(template: unknown): string {
  return JSON.stringify(['method', 'path', 'body'].map((name) => valueAt(template, [name])));
}
