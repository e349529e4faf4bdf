import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { transitions } from '../../service/lifecycle.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { unofferedAction } from '../support/lifecycle.ts';

/** A rejected action that is carried out together with the next accepted one. */
const rememberedAction = (id: string, action: InvoiceAction, next: InvoiceAction, defect: string): Fault => ({
  id,
  requirement: 'LIFE-02',
  defect,
  caughtBy: ['LIFE-02.random-sequence'],
  rules: overrideRules((base) => {
    const remembered = new Set<string>();
    return {
      transition: (call, invoice, asked) => {
        try {
          const to = base.transition(call, invoice, asked);
          return asked === next && remembered.has(invoice.id) ? transitions[action].to : to;
        } catch (refusal) {
          if (asked === action) remembered.add(invoice.id);
          throw refusal;
        }
      },
    };
  }),
});

/** The number of rejections after which an invoice counts as blocked by mistake. */
const MAX_REJECTIONS = 5;

export const lifecycleHistoriesFaults: readonly Fault[] = [
  unofferedAction('life-cancelled-dispute-resolved', {
    defect: 'A dispute stays open when its invoice is cancelled: the CANCELLED invoice can be resolved.',
    caughtBy: 'LIFE-02.random-sequence',
    action: 'resolve',
    when: ({ status, notes }) => status === 'CANCELLED' && notes.length > 0,
  }),
  unofferedAction('life-second-dispute-approved', {
    defect:
      'Only the first dispute of an invoice locks it: after the second one, the DISPUTED invoice can be approved.',
    caughtBy: 'LIFE-02.random-sequence',
    action: 'approve',
    when: ({ status, notes }) => status === 'DISPUTED' && notes.length > 2,
  }),
  unofferedAction('life-resolved-draft-again', {
    defect: 'A resolution opens the invoice for corrections: the SUBMITTED invoice can be deleted like a draft.',
    caughtBy: 'LIFE-02.random-sequence',
    action: 'delete',
    when: ({ status, notes }) => status === 'SUBMITTED' && notes.length > 0,
  }),
  {
    id: 'life-replay-renews-actions',
    requirement: 'LIFE-02',
    defect:
      'A replayed submission stores the allowed actions of its response again: an APPROVED invoice can be cancelled.',
    caughtBy: ['LIFE-02.random-sequence'],
    rules: overrideRules((base) => {
      const renewed = new Set<string>();
      return {
        replay: (call, key, perform) => {
          const isReplay = key !== undefined && call.route.name === 'submit' && call.world.replays.has(key);
          if (isReplay) renewed.add(String(call.request.params.id));
          return base.replay(call, key, perform);
        },
        transition: (call, invoice, action) =>
          action === 'cancel' && invoice.status === 'APPROVED' && renewed.has(invoice.id)
            ? 'CANCELLED'
            : base.transition(call, invoice, action),
      };
    }),
  },
  {
    id: 'life-rejection-caches-actions',
    requirement: 'LIFE-02',
    defect:
      'A rejected action loads the allowed actions into a cache that a submission does not renew: Delete still works.',
    caughtBy: ['LIFE-02.random-sequence'],
    rules: overrideRules((base) => {
      const cached = new Set<string>();
      return {
        transition: (call, invoice, action) => {
          if (invoice.status === 'DRAFT' && action === 'cancel') cached.add(invoice.id);
          return action === 'delete' && invoice.status === 'SUBMITTED' && cached.has(invoice.id)
            ? 'DELETED'
            : base.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-role-rejection-approves',
    requirement: 'LIFE-02',
    defect: 'A dispute by the seller is rejected, but kept as a wish to talk: the DISPUTED invoice can be approved.',
    caughtBy: ['LIFE-02.random-sequence'],
    rules: overrideRules((base) => {
      const half = new Set<string>();
      return {
        checkParty: (call, invoice, action) => {
          try {
            base.checkParty(call, invoice, action);
          } catch (refusal) {
            if (action === 'dispute') half.add(invoice.id);
            throw refusal;
          }
        },
        transition: (call, invoice, action) =>
          action === 'approve' && invoice.status === 'DISPUTED' && half.has(invoice.id)
            ? 'APPROVED'
            : base.transition(call, invoice, action),
      };
    }),
  },
  {
    id: 'life-sixth-attempt-accepted',
    requirement: 'LIFE-02',
    defect:
      'After five rejected cancellations, a workaround unlocks the invoice: the next one is accepted in APPROVED.',
    caughtBy: ['LIFE-02.approved-cancel'],
    rules: overrideRules((base) => {
      const attempts = new Map<string, number>();
      return {
        transition: (call, invoice, action) => {
          if (action !== 'cancel' || invoice.status !== 'APPROVED') return base.transition(call, invoice, action);
          const count = (attempts.get(invoice.id) ?? 0) + 1;
          attempts.set(invoice.id, count);
          return count > MAX_REJECTIONS ? 'CANCELLED' : base.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-repeated-settlement-limited',
    requirement: 'LIFE-02',
    defect: 'After three rejected settlements of a SETTLED invoice, a limit per invoice rejects them with 400.',
    caughtBy: ['LIFE-02.settled-settle'],
    rules: overrideRules((base) => {
      const attempts = new Map<string, number>();
      return {
        transition: (call, invoice, action) => {
          if (action === 'settle' && invoice.status === 'SETTLED') {
            const count = (attempts.get(invoice.id) ?? 0) + 1;
            attempts.set(invoice.id, count);
            if (count > 3) throw new RejectionError(400, 'INV009', 'Too many attempts');
          }
          return base.transition(call, invoice, action);
        },
      };
    }),
  },
  rememberedAction(
    'life-early-settlement-remembered',
    'settle',
    'approve',
    'A rejected settlement of a SUBMITTED invoice waits for the approval: the approved invoice is SETTLED at once.',
  ),
  rememberedAction(
    'life-late-cancellation-remembered',
    'cancel',
    'settle',
    'A rejected cancellation is stored as a wish, and replaces the next change: the settled invoice is CANCELLED.',
  ),
];
