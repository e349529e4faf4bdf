import type { Answer, Operation } from '../engine/answer.ts';
import type { Credentials } from '../engine/credentials.ts';
import { Blocked } from '../engine/outcome.ts';
import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';
import type { OperationName, OperationTemplate } from '../specs/target.ts';
import { accepted } from './accepted.ts';
import type { Lab } from './lab.ts';
import { remainsBecause } from './remains.ts';
import { fill } from './template.ts';

export const INVOICES = '/api/v1/invoices';
const WEBHOOKS = '/api/v1/settings/webhooks';
const RESET = '/api/v1/settings/api-keys/sandbox/reset';

type Headers = readonly (readonly [string, string])[];

export interface Extra {
  /** The seller by default. */
  as?: Credentials;
  headers?: Headers;
}

export interface ListQuery {
  page?: number | string;
  limit?: number | string;
  sortBy?: string;
  sortOrder?: string;
}

/** `GET /api/v1/invoices`. */
export async function list(lab: Lab, query: ListQuery = {}, extra: Extra = {}): Promise<Answer> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return await ask(lab, 'list', 'GET', text === '' ? INVOICES : `${INVOICES}?${text}`, extra);
}

/** `POST /api/v1/invoices`; a string is sent as it is. */
export async function postInvoice(lab: Lab, body: unknown, extra: Extra = {}): Promise<Answer> {
  return await lab.run.quiet.shared(() => postInvoiceAtOnce(lab, body, extra));
}

/** The same without waiting for a quiet stretch to end; for the one who keeps it quiet. */
export async function postInvoiceAtOnce(lab: Lab, body: unknown, extra: Extra = {}): Promise<Answer> {
  return await ask(lab, 'create', 'POST', INVOICES, extra, body);
}

export async function postWebhook(lab: Lab, body: unknown, extra: Extra = {}): Promise<Answer> {
  return await ask(lab, 'webhookCreate', 'POST', WEBHOOKS, extra, body);
}

export async function postReset(lab: Lab, extra: Extra = {}, body?: object): Promise<Answer> {
  return await ask(lab, 'reset', 'POST', RESET, extra, body);
}

/** Reads one invoice. Throws Blocked when the target file binds no read operation. */
export async function readInvoice(lab: Lab, id: string, extra: Extra = {}): Promise<Answer> {
  const template = binding(lab, 'read');
  return await bound(lab, 'read', { as: lab.who(template.actor ?? 'seller'), ...extra }, { id });
}

export interface ActExtra extends Extra {
  requestId?: string;
}

/** Performs a lifecycle action once, as the given credentials. */
export async function act(
  lab: Lab,
  action: InvoiceAction,
  id: string,
  extra: ActExtra & { as: Credentials },
): Promise<Answer> {
  const answer = await lab.run.quiet.shared(() => bound(lab, action, extra, { id }));
  // At once: the check may be cut off before it looks, and what state an invoice is in decides how it can be removed.
  const to = accepted(answer) ? lifecycle.leadsTo[action] : undefined;
  if (to) lab.run.became(id, `invoice ${to}`, remainsBecause(to));
  return answer;
}

/** A treasury operation, as the actor that the target file binds (the seller by default). */
export async function treasury(
  lab: Lab,
  name: 'treasuryBalance' | 'treasuryWithdraw',
  extra: ActExtra = {},
  amount = '1.00',
): Promise<Answer> {
  const template = binding(lab, name);
  const answer = await bound(lab, name, { as: lab.who(template.actor ?? 'seller'), ...extra }, { amount });
  if (name === 'treasuryWithdraw' && accepted(answer)) {
    // A replay has the requestId of its original, and is no second withdrawal.
    const id = extra.requestId ?? `without requestId, ${lab.run.serial()}`;
    lab.run.leave(`${amount}, ${id}`, 'withdrawal', 'the contract shows no operation that takes one back');
  }
  return answer;
}

/** What the target file binds an operation to. Throws Blocked when it binds nothing. */
export function binding(lab: Lab, name: OperationName): OperationTemplate {
  const template = lab.target.operations[name];
  if (!template)
    throw new Blocked(`operations.${name} of the target file`, `the target file binds no operations.${name}`);
  return template;
}

async function bound(
  lab: Lab,
  name: OperationName,
  extra: ActExtra & { as: Credentials },
  values: { id?: string; amount?: string },
): Promise<Answer> {
  const template = binding(lab, name);
  const text = `${name}, conformance run ${lab.run.plan.runId.slice(0, 8)}`;
  const filled = fill(template, {
    ...values,
    text,
    ...(extra.requestId !== undefined && { requestId: extra.requestId }),
  });
  return await ask(lab, name, template.method, filled.path, extra, filled.body);
}

async function ask(
  lab: Lab,
  operation: Operation,
  method: string,
  path: string,
  extra: Extra,
  body?: unknown,
): Promise<Answer> {
  const { as, actor, headers } = extra.as ?? lab.who('seller');
  return await lab.send({
    operation,
    method,
    path,
    as,
    actor,
    credentials: headers,
    ...(extra.headers && { headers: extra.headers }),
    ...(body !== undefined && { body }),
  });
}
