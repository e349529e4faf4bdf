import { lifecycle } from '../../specs/contract/lifecycle.ts';
import type { OperationName, OperationTemplate, Target } from '../../specs/target-file/target.ts';
import { type ApiResponse, bodyMember, headerValue, shorten } from '../model/messages.ts';

const TREASURY_OPERATIONS: ReadonlySet<OperationName> = new Set(['treasuryBalance', 'treasuryWithdraw']);
/** Statuses for a wrong body in the target file. The contract shows no body of a bound operation. */
const REJECTED_PAYLOAD_STATUSES: ReadonlySet<number> = new Set([400, 411, 415, 422]);
const MAX_HINT_LENGTH = 200;

/** The binding as the target file writes it: `POST /api/v1/invoices/{id}/submit`. */
export function describeBinding({ method, path }: OperationTemplate): string {
  return `${method} ${path}`;
}

/**
 * Why a response shows that the binding is wrong, with the correction; null if the service itself may have sent it.
 * An invoice operation that exists returns 404 only with INV001 (Errors, Module codes).
 */
export function missingOperationReason(
  name: OperationName,
  response: Pick<ApiResponse, 'status' | 'headers' | 'json' | 'text' | 'mask'>,
): string | null {
  const { status } = response;
  if (status === 405) {
    const allowed = headerValue(response, 'allow');
    return `returns 405; correct its method${allowed ? ` (the server allows ${allowed})` : ''}`;
  }
  if (status === 501) return 'returns 501; correct its method or path';
  if (isRedirect(status)) {
    const place = headerValue(response, 'location');
    return `redirects${place ? ` to ${shorten(response.mask(place), MAX_HINT_LENGTH)}` : ` (${status})`}; bind the path of the service itself`;
  }
  if (isWebPage(response) && status < 500 && status !== 429) {
    const orAllow = status === 403 ? ', or allow the request in the gateway that sent the page' : '';
    return `returns ${status} with a web page; correct its path${orAllow}`;
  }
  if ((status !== 404 && status !== 410) || isService404(name, response)) return null;
  const code = bodyMember(response, 'code');
  return `returns ${status} ${typeof code === 'string' ? `with code ${shorten(response.mask(code), 40)}` : 'without a code of the contract'}; correct its method or path`;
}

/** Why the server rejects the body of a bound operation, with the server's message; null if it does not. */
export function rejectedPayloadReason(response: Pick<ApiResponse, 'status' | 'json' | 'text' | 'mask'>): string | null {
  if (!REJECTED_PAYLOAD_STATUSES.has(response.status)) return null;
  const message = bodyMember(response, 'message') ?? bodyMember(response, 'error');
  const text = typeof message === 'string' ? message : message === undefined ? response.text : JSON.stringify(message);
  const hint = shorten(response.mask(text), MAX_HINT_LENGTH);
  return `is rejected with ${response.status}${hint === '' ? '' : `: ${hint}`}; correct its body`;
}

/** Whether a response is an HTML page. */
export function isWebPage({ headers, text, json }: Pick<ApiResponse, 'headers' | 'text' | 'json'>): boolean {
  if (json !== undefined) return false;
  return (
    /^(text\/html|application\/xhtml)/i.test(headerValue({ headers }, 'content-type') ?? '') ||
    /^\s*<(!doctype|html)/i.test(text)
  );
}

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 307 || status === 308;
}

function isService404(name: OperationName, response: Pick<ApiResponse, 'json'>): boolean {
  return !TREASURY_OPERATIONS.has(name) && bodyMember(response, 'code') === 'INV001';
}

/** The actions that a binding names, in its method, its path or its body. */
export function namedActions({ method, path, body }: OperationTemplate): string[] {
  const text = `${path} ${JSON.stringify(body) ?? ''}`.toLowerCase();
  return lifecycle.actions.filter((word) => text.includes(word) || (word === 'delete' && method === 'DELETE'));
}

/**
 * The problem of a binding that shows before it is used; null if there is none. A withdrawal must contain its amount, and two
 * operations must be different requests.
 */
export function bindingContradiction(name: OperationName, { operations }: Pick<Target, 'operations'>): string | null {
  const template = operations[name];
  if (!template) return null;
  const whole = `${template.path} ${JSON.stringify(template.body) ?? ''}`;
  if (name === 'treasuryWithdraw' && !whole.includes('{amount}')) {
    return 'contains no {amount}, so every withdrawal would have the same amount; write {amount} in place of the amount';
  }
  // A read may be a list with a filter.
  const path = template.path.includes('{id}') ? template.path : template.path.replace(/\?.*/, '');
  const own = CONTRACT_REQUESTS.find((each) => each.method === template.method && each.path === path);
  if (own) return `is bound to the request of the contract for ${own.purpose}; correct its method or path`;
  const twin = (Object.keys(operations) as OperationName[]).find(
    (other) => other !== name && isSameRequest(operations[other], template),
  );
  if (!twin) return null;
  // If the request names only one of the two operations, the other one is bound wrongly.
  if (isNamedIn(template, name) && !isNamedIn(template, twin)) return null;
  return `is bound to the same request as operations.${twin}; correct its method, path or body`;
}

/** The requests that the contract shows. No operation of the target file is one of them. */
const CONTRACT_REQUESTS = [
  { method: 'GET', path: '/api/v1/invoices', purpose: 'the list of invoices' },
  { method: 'POST', path: '/api/v1/invoices', purpose: 'the creation of an invoice' },
  { method: 'POST', path: '/api/v1/settings/webhooks', purpose: 'the creation of a webhook subscription' },
] as const;

/** The words by which a path names an operation that is no action. */
const PATH_WORDS: Partial<Record<OperationName, RegExp>> = {
  treasuryBalance: /balance|treasury/i,
  treasuryWithdraw: /withdraw|payout|treasury/i,
  webhookList: /webhook/i,
  webhookDelete: /webhook/i,
};

function isNamedIn(template: OperationTemplate, name: OperationName): boolean {
  return PATH_WORDS[name]?.test(template.path) ?? namedActions(template).includes(name);
}

function isSameRequest(one: OperationTemplate | undefined, other: OperationTemplate): boolean {
  if (!one || (one.actor && other.actor && one.actor !== other.actor)) return false;
  const parts = ({ method, path, body }: OperationTemplate) => JSON.stringify([method, path, body ?? null]);
  return parts(one) === parts(other);
}
