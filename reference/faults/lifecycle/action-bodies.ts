import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { Fault } from '../fault.ts';

export const lifecycleActionBodiesFaults: readonly Fault[] = [
  /** Performs the action before it validates the rest of the body. */
  {
    id: 'life-rejected-and-carried-out',
    requirement: 'LIFE-11',
    defect:
      'Undeclared fields of an action are found when the response is written: the action is carried out and rejected.',
    caughtBy: ['LIFE-11.undeclared'],
    rules: overrideRules((base) => {
      const known = ['requestId', 'reason', 'note', 'adjustment'];
      const declared = ({ body }: Call) =>
        Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name)));
      return {
        validateAction: (call, action) => base.validateAction({ ...call, body: declared(call) }, action),
        renderChanged: (call, invoice, action) => {
          base.validateAction(call, action);
          return base.renderChanged(call, invoice, action);
        },
      };
    }),
  },
  /** One action accepts any field. */
  {
    id: 'life-dispute-accepts-undeclared',
    requirement: 'LIFE-13',
    defect: 'Only the reason in the body of a dispute is validated.',
    caughtBy: ['LIFE-13.undeclared'],
    rules: overrideRules((base) => ({
      validateAction: (call, action) =>
        base.validateAction(action === 'dispute' ? { ...call, body: { reason: call.body.reason } } : call, action),
    })),
  },
];
