import { runState } from '../../engine/ledger/run-ledger.ts';
import { type ApiResponse, bodyMember, describeResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import { hasModuleCode, isBusinessRule, mayBeBusinessRule } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';

const CREATION_REMEDY =
  'raise this limit for the sandbox, remove older invoices (conformance cleanup, or the dashboard), or judge the checks in parts with --shard, one after the other, because each part removes its invoices';

/** The first reason for each operation, so that the report shows one line for one limit. */
const reasons = runState(() => new Map<string, string>());

/**
 * The Blocked outcome if the server rejects a valid creation or action with a code of its own, as with a maximum of open invoices or
 * of open disputes. Null for a rejection that another check judges. A 409 may also mean the state of an invoice, so it counts only for
 * an operation that the server has accepted.
 */
export function limitReached({ run }: CheckContext, rejection: ApiResponse): Blocked | null {
  const { actor, operation } = rejection.request;
  const hasSucceeded = run.permissions.hasSucceededWith(actor, operation);
  const action = lifecycle.actions.find((each) => each === operation);
  const isConflict = hasSucceeded && rejection.status === 409 && hasModuleCode(rejection);
  const mayBeLimit = action
    ? (isBusinessRule(rejection) && bodyMember(rejection, 'code') !== 'TREAS007') || isConflict
    : operation === 'create' && hasSucceeded && mayBeBusinessRule(rejection) && hasModuleCode(rejection);
  if (!mayBeLimit) return null;
  const known = reasons(run).get(operation);
  const reason = known ?? (action ? actionReason(action, rejection, hasSucceeded) : creationReason(rejection));
  reasons(run).set(operation, reason);
  return new Blocked('target', reason);
}

function creationReason(rejection: ApiResponse): string {
  return `the server accepted ${rejection.requestLine} earlier in this run and rejects it now: ${describeResponse(rejection)}. It seems to limit the number of invoices: ${CREATION_REMEDY}`;
}

function actionReason(action: InvoiceAction, rejection: ApiResponse, hasSucceeded: boolean): string {
  const to = lifecycle.leadsTo[action];
  const limit = to ? `, such as a maximum of ${to} invoices` : '';
  const said = describeResponse(rejection);
  return hasSucceeded
    ? `the server accepted the ${action} action earlier in this run and rejects it now on another invoice, with a code of its own: ${said}. It seems to have a limit${limit}: raise it for the sandbox; otherwise these checks cannot be judged on this server`
    : `a rule of the server rejects the ${action} action in ${stateOf(action)}, where it is offered: ${said}. If it is a limit${limit}, raise it for the sandbox, or end in the dashboard what earlier runs left there; otherwise these checks cannot be judged on this server`;
}

function stateOf(action: InvoiceAction): string {
  return lifecycle.states.find((state) => lifecycle.offered[state].includes(action)) ?? 'its state';
}
