import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { creationFault } from '../support/creation.ts';

function lookedUp(field: 'sellerId' | 'buyerId'): RuleChange {
  return overrideRules((base) => ({
    validateCreate: (call) => {
      if (call.body[field] === 'not-a-uuid') throw rejections.connectionNotFound();
      return base.validateCreate(call);
    },
  }));
}

export const creationOrganizationIdsFaults: readonly Fault[] = [
  creationFault(
    'seller-looked-up-first',
    'CREATE-20.seller-id',
    'The seller is looked up before its id is validated: 404 for an invalid body.',
    lookedUp('sellerId'),
  ),
  creationFault(
    'buyer-looked-up-first',
    'CREATE-20.buyer-id',
    'The buyer is looked up before its id is validated: 404 for an invalid body.',
    lookedUp('buyerId'),
  ),
  creationFault(
    'strips-id',
    'CREATE-06.generated',
    'Characters that are not hexadecimal digits are removed from an id.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        const clean = (id: unknown) => (typeof id === 'string' ? id.replaceAll(/[^0-9a-f-]/gi, '') : id);
        const { sellerId, buyerId } = call.body;
        const given = Object.hasOwn(call.body, 'sellerId') && Object.hasOwn(call.body, 'buyerId');
        if (!given) return base.validateCreate(call);
        return base.validateCreate({
          ...call,
          body: { ...call.body, sellerId: clean(sellerId), buyerId: clean(buyerId) },
        });
      },
    })),
  ),
];
