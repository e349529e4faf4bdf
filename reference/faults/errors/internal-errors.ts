import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { creationFault } from '../support/creation.ts';

export const errorsInternalErrorsFaults: readonly Fault[] = [
  creationFault(
    'breaks-on-many-digits',
    'ERR-05.unusual-bodies',
    'The database rejects an amount with more digits than its column holds: 500.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        if (String(call.body.amount).length > 25) throw rejections.internal();
        return base.validateCreate(call);
      },
    })),
  ),
  creationFault(
    'null-description-breaks',
    'ERR-05.unusual-bodies',
    'A null description passes the check for undefined, and reading its length fails: 500.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        if (call.body.description === null) throw new TypeError("Cannot read properties of null (reading 'length')");
        return base.validateCreate(call);
      },
    })),
  ),
  {
    id: 'err-incomplete-subscription-crashes',
    requirement: 'ERR-05',
    defect: 'A subscription without eventTypes is iterated: 500.',
    caughtBy: ['ERR-05.subscription', 'ERR-05.no-internal-error'],
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        if (call.body.eventTypes === undefined) throw new TypeError('eventTypes is not iterable');
        return base.validateSubscription(call);
      },
    })),
  },
];
