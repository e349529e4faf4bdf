import type { Call } from '../service/call.ts';
import type { CreateInput } from '../service/inputs.ts';
import type { Answer } from '../service/store.ts';

/** "Create invoice": the body first, then what a repeated `requestId` gets, then the connection. */
export function create(call: Call): Promise<Answer> {
  const { rules } = call;
  const input = rules.validateCreate(call);
  return rules.replay(call, rules.replayKey(call, input.requestId), () => createOnce(call, input));
}

function createOnce(call: Call, input: CreateInput): Answer {
  const { rules } = call;
  const connection = rules.connect(call, input);
  const invoice = rules.issue(call, input, rules.number(call, connection));
  return rules.renderCreated(call, invoice);
}
