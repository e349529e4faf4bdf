import { type ApiResponse, bodyMember, describeResponse, hasSameBody } from '../../helpers/rules/response-parts.ts';
import { type ExchangeRule, isUnauthorized, ruling, statelessRule } from '../../helpers/rules/rule-vocabulary.ts';

const identicalBodyRule: ExchangeRule = {
  id: 'AUTH-05.all-responses',
  whenNeverApplicable: 'blocked',
  appliesTo: isUnauthorized,
  start: () => {
    let first: ApiResponse | undefined;
    return (response) => {
      first ??= response;
      const { request, text, json } = first;
      return ruling(hasSameBody(first, response), () => ({
        reason: `the 401 response to ${response.requestLine} (${response.request.actorLabel}) differs from the first one of the run (${request.method} ${request.path}, ${request.actorLabel})`,
        expected: `the same body for every authentication failure: ${json === undefined ? text : JSON.stringify(json)}`,
        actual: describeResponse(response),
      }));
    };
  },
};

const requiredFieldsRule = statelessRule('AUTH-06.fields', isUnauthorized, (response) => {
  const texts = ['error', 'message'].map((name) => bodyMember(response, name));
  return ruling(
    texts.every((value) => typeof value === 'string' && value !== ''),
    () => ({
      reason: `the 401 response to ${response.requestLine} lacks error or message, or one is not a non-empty string`,
      expected: 'error and message, both non-empty strings (Authentication 3)',
      actual: describeResponse(response),
    }),
  );
});

const absentCodeRule = statelessRule('AUTH-06.no-code', isUnauthorized, (response) => {
  return ruling(bodyMember(response, 'code') === undefined, () => ({
    reason: `the 401 response to ${response.requestLine} has a code`,
    expected: 'error and message, without code (Errors, Body)',
    actual: describeResponse(response),
  }));
});

/** Rules for every 401. */
export const unauthorizedBodyRules: readonly ExchangeRule[] = [identicalBodyRule, requiredFieldsRule, absentCodeRule];
