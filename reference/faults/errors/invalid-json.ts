import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';

/** One operation has a parser of its own, whose errors are not caught. */
const breakingOn = (id: string, path: RegExp, check: CheckId): Fault => ({
  id,
  requirement: 'ERR-11',
  defect: `A body that is not JSON makes ${path.source.replaceAll(/\W/g, '')} fail: 500 instead of 400.`,
  caughtBy: [check],
  rules: overrideRules((base) => ({
    parseBody: (service, request) => {
      try {
        return base.parseBody(service, request);
      } catch (refusal) {
        throw path.test(request.path) ? new SyntaxError('Unexpected token') : refusal;
      }
    },
  })),
});

/** One operation has a decoder of its own, which reads only the first JSON value of a body. */
const ignoringRestOf = (word: string, path: RegExp, check: CheckId): Fault => ({
  id: `err-${word}-trailing-ignored`,
  requirement: 'ERR-11',
  defect: `The decoder of a ${word} reads the first JSON value and ignores the text after it.`,
  caughtBy: [check],
  rules: overrideRules((base) => ({
    parseBody: (service, request) => {
      const [, first] = /^(\{.*\})[^{}]+$/s.exec(request.text) ?? [];
      return base.parseBody(service, first && path.test(request.path) ? { ...request, text: first } : request);
    },
  })),
});

export const errorsInvalidJsonFaults: readonly Fault[] = [
  breakingOn('err-action-crashes', /\/submit$/, 'ERR-11.actions'),
  breakingOn('err-withdrawal-crashes', /\/withdraw/, 'ERR-11.withdrawal'),
  breakingOn('err-subscription-crashes', /\/webhooks$/, 'ERR-11.subscription'),
  ignoringRestOf('withdrawal', /\/withdraw/, 'ERR-11.withdrawal'),
  ignoringRestOf('subscription', /\/webhooks$/, 'ERR-11.subscription'),
];
