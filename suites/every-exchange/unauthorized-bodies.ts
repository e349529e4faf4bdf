import { type ExchangeRule, isUnauthorized, ruling, statelessRule } from '../../helpers/rules/exchange-rule.ts';
import { type ApiResponse, bodyMember, describeResponse, hasSameBody } from '../../helpers/rules/response-parts.ts';

const identicalBodyRule: ExchangeRule = {
  id: 'AUTH-05.all-responses',
  whenNeverApplicable: 'blocked',
  appliesTo: isUnauthorized,
  start: () => {
    let first: ApiResponse | undefined;
    return (answer) => {
      first ??= answer;
      const { request: ask, text, json } = first;
      return ruling(hasSameBody(first, answer), () => ({
        reason: `the 401 to ${answer.requestLine} (${answer.request.actorLabel}) differs from the first one of the run (${ask.method} ${ask.path}, ${ask.actorLabel})`,
        expected: `the same body for every authentication failure: ${json === undefined ? text : JSON.stringify(json)}`,
        actual: describeResponse(answer),
      }));
    };
  },
};

const requiredFieldsRule = statelessRule('AUTH-06.fields', isUnauthorized, (answer) => {
  const texts = ['error', 'message'].map((name) => bodyMember(answer, name));
  return ruling(
    texts.every((value) => typeof value === 'string' && value !== ''),
    () => ({
      reason: `the 401 to ${answer.requestLine} lacks error or message`,
      expected: 'error and message, both strings (Authentication 3)',
      actual: describeResponse(answer),
    }),
  );
});

const absentCodeRule = statelessRule('AUTH-06.no-code', isUnauthorized, (answer) => {
  return ruling(bodyMember(answer, 'code') === undefined, () => ({
    reason: `the 401 to ${answer.requestLine} carries a code`,
    expected: 'error and message and no code (Errors, Body)',
    actual: describeResponse(answer),
  }));
});

/** Rules for every 401. */
export const unauthorizedBodyRules: readonly ExchangeRule[] = [identicalBodyRule, requiredFieldsRule, absentCodeRule];
