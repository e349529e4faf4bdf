import { DEFAULT_CURRENCY, toCents } from '../../service/money.ts';
import type { Fault } from '../fault.ts';
import { LARGE_SUM_CENTS } from '../support/environments.ts';
import { unofferedAction } from '../support/lifecycle.ts';

export const lifecycleVariantsFaults: readonly Fault[] = [
  unofferedAction('life-small-approved-disputed', {
    defect: 'Below one unit, an approval is not stored in full: the APPROVED invoice can still be disputed.',
    caughtBy: 'LIFE-02.small',
    action: 'dispute',
    when: ({ status, amount }) => status === 'APPROVED' && toCents(amount) < 100n,
  }),
  unofferedAction('life-large-approved-cancelled', {
    defect: 'From 100,000, a second person must approve; until then, an APPROVED invoice can be cancelled.',
    caughtBy: 'LIFE-02.large',
    action: 'cancel',
    when: ({ status, amount }) => status === 'APPROVED' && toCents(amount) >= LARGE_SUM_CENTS,
  }),
  unofferedAction('life-settled-disputed-again', {
    defect: 'An invoice that was once disputed can be disputed again in any state.',
    caughtBy: 'LIFE-02.once-disputed',
    action: 'dispute',
    when: ({ notes }) => notes.length > 0,
  }),
  unofferedAction('life-other-currency-cancelled-late', {
    defect: 'An invoice in an unusual currency can be cancelled until it is paid.',
    caughtBy: 'LIFE-02.all-fields',
    action: 'cancel',
    when: ({ status, currency }) => status === 'APPROVED' && currency !== DEFAULT_CURRENCY,
  }),
  unofferedAction('life-other-currency-cancelled-settled', {
    defect:
      'An invoice in an unusual currency is paid by a job that checks only the conversion: even a cancelled one is paid.',
    caughtBy: 'LIFE-02.all-fields',
    action: 'settle',
    when: ({ status, currency }) => status === 'CANCELLED' && currency !== DEFAULT_CURRENCY,
  }),
  unofferedAction('life-undescribed-cancelled-late', {
    defect: 'An invoice without a description counts as unfinished and can be cancelled after its approval.',
    caughtBy: 'LIFE-02.required-only',
    action: 'cancel',
    when: ({ status, description }) => status === 'APPROVED' && !description,
  }),
  unofferedAction('life-whole-amount-approved-again', {
    defect:
      'A paid invoice is recognised by its remaining cents: a paid invoice with a whole amount can be approved again.',
    caughtBy: 'LIFE-02.required-only',
    action: 'approve',
    when: ({ status, amount }) => status === 'SETTLED' && amount.endsWith('.00'),
  }),
];
