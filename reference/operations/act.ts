import type { Call } from '../service/call.ts';
import type { ActionInput } from '../service/inputs.ts';
import type { Action } from '../service/lifecycle.ts';
import type { Answer, Invoice } from '../service/store.ts';

/** An operation that performs one action on the invoice of its path: body, then existence, then party, then state. */
export function act(action: Action): (call: Call) => Promise<Answer> {
  return (call) => {
    const { rules, request } = call;
    const id = request.params.id ?? '';
    const input = rules.validateAction(call, action);
    return rules.replay(call, rules.replayKey(call, input.requestId, id), () => actOnce(call, action, id, input));
  };
}

function actOnce(call: Call, action: Action, id: string, input: ActionInput): Answer {
  const { rules } = call;
  const invoice = rules.findInvoice(call, id);
  rules.checkParty(call, invoice, action);
  const next = rules.transition(call, invoice, action);
  if (action === 'settle') rules.settle(call, invoice);
  rules.land(call, action, () => {
    rules.change(call, invoice, next, input);
    for (const kind of rules.announce(action)) emit(call, kind, invoice);
  });
  return rules.renderChanged(call, invoice, action);
}

function emit(call: Call, kind: string, invoice: Invoice): void {
  const { rules, environment } = call;
  const event = { id: rules.newId(), kind, environment, at: rules.now().toISOString(), invoice: { ...invoice } };
  for (const subscription of rules.subscribers(call, event)) rules.deliver(call, subscription, event);
}
