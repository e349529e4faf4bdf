import { overrideRules } from '../../overrides/override-rules.ts';
import { toCents } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';

const CAP_CENTS = 1_000_000_000_000n;

/** "Their behavior is not shown": rejects amounts of ten billion and more. */
export const capWithdrawals = overrideRules((base) => ({
  validateWithdrawal: (call) => {
    const input = base.validateWithdrawal(call);
    if (toCents(input.amount) >= CAP_CENTS) throw rejections.invalidRequest('amount: less than 10000000000.00');
    return input;
  },
}));
