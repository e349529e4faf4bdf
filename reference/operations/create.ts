import type { Call } from '../service/call.ts';
import type { CreateInput } from '../service/inputs.ts';
import type { ServiceResponse } from '../service/store.ts';

/** "Create invoice": validates the body, then replays a repeated `requestId`, then looks up the connection. */
export function createInvoice(call: Call): Promise<ServiceResponse> {
  const { rules } = call;
  const input = rules.validateCreate(call);
  return rules.replay(call, rules.replayKey(call, input.requestId), () => performCreation(call, input));
}

function performCreation(call: Call, input: CreateInput): ServiceResponse {
  const { rules } = call;
  const connection = rules.findConnection(call, input);
  const invoice = rules.issueInvoice(call, input, rules.nextInvoiceNumber(call, connection));
  return rules.renderCreated(call, invoice);
}
