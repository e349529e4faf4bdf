import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Body } from '../../service/call.ts';
import type { Fault } from '../fault.ts';

export function creationFault(
  word: string,
  check: CheckId,
  sentence: string,
  rules: RuleChange,
  alongside: readonly CheckId[] = [],
): Fault {
  const requirement = check.split('.')[0] ?? '';
  return { id: `create-${word}`, requirement, defect: sentence, caughtBy: [check], alsoRun: alongside, rules };
}

export function crashOnBody(when: (text: string) => boolean): RuleChange {
  return overrideRules((base) => ({
    parseBody: (service, request) => {
      if (when(request.text)) throw new RangeError('Maximum call stack size exceeded');
      return base.parseBody(service, request);
    },
  }));
}

/** Changes the body before it is validated. */
export function rewriteBody(change: (body: Body) => Body): RuleChange {
  return overrideRules((base) => ({
    validateCreate: (call) => base.validateCreate({ ...call, body: change(call.body) }),
  }));
}

export const REQUIRED_FIELDS = ['sellerId', 'buyerId', 'amount', 'dueDate'];

export const OPTIONAL_FIELDS = ['currency', 'description', 'requestId'];

/** Changes one field before it is validated, if it is a text. */
export function rewriteBodyField(field: string, change: (text: string) => string): RuleChange {
  return rewriteBody((body) => {
    const value = body[field];
    return typeof value === 'string' ? { ...body, [field]: change(value) } : body;
  });
}
