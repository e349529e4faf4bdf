import type { Call } from '../service/call.ts';
import type { ActionInput } from '../service/inputs.ts';
import type { Action } from '../service/lifecycle.ts';
import type { Invoice, ServiceResponse } from '../service/store.ts';

/** Performs one action on the invoice of the path. Judges the body, then existence, then party, then state. */
export function createActionHandler(action: Action): (call: Call) => Promise<ServiceResponse> {
  return (call) => {
    const { rules, request } = call;
    const id = request.params.id ?? '';
    const input = rules.validateAction(call, action);
    return rules.replay(call, rules.replayKey(call, input.requestId, id), () => performAction(call, action, id, input));
  };
}

function performAction(call: Call, action: Action, id: string, input: ActionInput): ServiceResponse {
  const { rules } = call;
  const invoice = rules.findInvoice(call, id);
  rules.checkParty(call, invoice, action);
  const next = rules.transition(call, invoice, action);
  if (action === 'settle') rules.settle(call, invoice);
  rules.applyEffect(call, action, () => {
    rules.changeInvoice(call, invoice, next, input);
    for (const kind of rules.eventKinds(action)) emitEvent(call, kind, invoice);
  });
  return rules.renderChanged(call, invoice, action);
}

function emitEvent(call: Call, kind: string, invoice: Invoice): void {
  const { rules, environment } = call;
  const event = { id: rules.newId(), kind, environment, at: rules.now().toISOString(), invoice: { ...invoice } };
  for (const subscription of rules.subscribers(call, event)) rules.deliver(call, subscription, event);
}
