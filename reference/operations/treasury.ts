import type { Call } from '../service/call.ts';
import type { ServiceResponse } from '../service/store.ts';

/** "Only invoice create, invoice submit and the treasury balance and withdrawal operations accept `requestId`." */
export function readBalance(call: Call): Promise<ServiceResponse> {
  const { rules } = call;
  const { requestId } = rules.validateBalance(call);
  return rules.replay(call, rules.replayKey(call, requestId), () => rules.renderBalance(call, rules.balance(call)));
}

export function withdrawFunds(call: Call): Promise<ServiceResponse> {
  const { rules } = call;
  const input = rules.validateWithdrawal(call);
  return rules.replay(call, rules.replayKey(call, input.requestId), () =>
    rules.renderWithdrawal(call, rules.withdraw(call, input)),
  );
}
