import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Action, Party } from '../../service/lifecycle.ts';
import { rejections } from '../../service/rejection.ts';
import { delayEffects, rejectWrongParty } from './actions.ts';

/** The other party than usual performs one action. */
const belongingTo = (owner: Party, action: Action): RuleChange =>
  overrideRules((base) => ({
    checkParty: (call, invoice, asked) => {
      if (asked !== action) return base.checkParty(call, invoice, asked);
      const entitled = owner === 'seller' ? invoice.sellerOrganizationId : invoice.buyerOrganizationId;
      if (call.organizationId !== entitled) throw rejections.wrongParty();
    },
  }));

/** The target file does not name the actor of an action. */
const unsaid =
  (action: Action) =>
  (target: BoundTargetInput): BoundTargetInput => {
    const bound = target.operations?.[action];
    if (!bound) return target;
    const { actor: _, ...rest } = bound;
    return { ...target, operations: { ...target.operations, [action]: rest } };
  };

const leading = (action: Action, to: 'CANCELLED' | 'DRAFT'): RuleChange =>
  overrideRules((base) => ({
    transition: (call, invoice, asked) => {
      const next = base.transition(call, invoice, asked);
      return asked === action ? to : next;
    },
  }));

/** The party that may act, and the rejection of the other party. */
export const actingPartyVariations: readonly Variation[] = [
  {
    id: 'seller-settles',
    openPoint: 'OP-57',
    choice: 'the seller settles external payments',
    rules: belongingTo('seller', 'settle'),
    target: unsaid('settle'),
  },
  {
    id: 'buyer-resolves',
    openPoint: 'OP-57',
    choice: 'the buyer resolves',
    rules: belongingTo('buyer', 'resolve'),
    target: unsaid('resolve'),
  },
  {
    id: 'wrong-party-409',
    openPoint: 'OP-58',
    choice: '409',
    rules: rejectWrongParty(409, 'FLOW003'),
  },
  {
    id: 'resolve-cancels',
    openPoint: 'OP-54',
    choice: 'CANCELLED',
    rules: leading('resolve', 'CANCELLED'),
  },
  {
    id: 'resolve-reopens',
    openPoint: 'OP-54',
    choice: 'DRAFT',
    rules: leading('resolve', 'DRAFT'),
  },
  {
    id: 'resolve-depends-on-party',
    openPoint: 'OP-54',
    choice: 'SUBMITTED for the seller, APPROVED for the buyer',
    rules: overrideRules((base) => ({
      checkParty: (call, invoice, action) => {
        if (action !== 'resolve') base.checkParty(call, invoice, action);
      },
      transition: (call, invoice, action) => {
        const next = base.transition(call, invoice, action);
        return action === 'resolve' && call.organizationId === invoice.buyerOrganizationId ? 'APPROVED' : next;
      },
    })),
  },
  {
    id: 'resolve-by-adjustment',
    openPoint: 'OP-48',
    choice: 'an adjusted amount',
    target: (target) => {
      const { resolve, ...others } = target.operations ?? {};
      if (!resolve) return target;
      return {
        ...target,
        operations: { ...others, resolve: { ...resolve, body: { adjustment: { amount: '12.50' } } } },
      };
    },
  },
  {
    id: 'settle-with-amount',
    openPoint: 'OP-117',
    choice: 'yes, the amount of the invoice',
    target: (target) => {
      const { settle, ...others } = target.operations ?? {};
      if (!settle) return target;
      return { ...target, operations: { ...others, settle: { ...settle, body: { amount: '{amount}' } } } };
    },
    rules: overrideRules((base) => ({
      validateAction: (call, action) => {
        const { amount, ...body } = call.body;
        return base.validateAction(action === 'settle' && amount !== undefined ? { ...call, body } : call, action);
      },
      transition: (call, invoice, action) => {
        const next = base.transition(call, invoice, action);
        if (action === 'settle' && call.body.amount !== invoice.amount)
          throw rejections.invalidInvoice('amount must be that of the invoice');
        return next;
      },
    })),
  },
  {
    id: 'actions-200-empty',
    openPoint: 'OP-49',
    choice: '200 without a body',
    rules: overrideRules(() => ({ renderChanged: () => ({ status: 200 }) })),
  },
  {
    id: 'actions-return-receipts',
    openPoint: 'OP-49',
    choice: '201 with a receipt that has an id of its own',
    rules: overrideRules(() => ({
      renderChanged: ({ rules }, invoice, action) => {
        const { id: invoiceId, invoiceNumber, amount, currency, createdAt } = rules.renderInvoice(invoice);
        const receipt = { id: `${action}-${invoice.id}`, invoiceId, invoiceNumber, amount, currency, createdAt };
        return { status: 201, body: { ...receipt, status: 'COMPLETED' } };
      },
    })),
  },
  {
    id: 'actions-return-previous-state',
    openPoint: 'OP-49',
    choice: '202 with the previous state of the invoice',
    rules: (base) => ({
      ...delayEffects(40)(base),
      renderChanged: ({ rules }, invoice) => ({ status: 202, body: rules.renderInvoice(invoice) }),
    }),
  },
];
