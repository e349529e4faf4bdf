import type { Step } from './walk-invoice.ts';

const onwards = (invoice: number, pick: number): Step => ({ invoice, onwards: true, pick });

/** All actions that the state does not offer, by the usual parties or by the other ones. */
const rejected = (invoice: number, pick = 0): Step => ({ invoice, onwards: false, pick });

const advancing = (pick: number): Step => onwards(0, pick);
const byOther = (step: Step): Step => ({ ...step, byOther: true });
const afterReplay = (step: Step): Step => ({ ...step, replays: true });

/**
 * Every state in every way that the table allows, with the actions that it does not offer: disputed and resolved once and twice,
 * after a replay of the submission, and after rejections of either party. A second invoice is cancelled after a dispute, and a draft
 * is deleted meanwhile.
 */
export const historyTour: readonly Step[] = [
  ...[rejected(0), byOther(advancing(0)), rejected(0)],
  // DISPUTED and back, twice.
  ...[byOther(advancing(0)), rejected(0), byOther(advancing(0)), rejected(0, 1)],
  ...[advancing(0), rejected(0), advancing(0)],
  ...[onwards(1, 0), onwards(1, 0), onwards(1, 0), onwards(1, 5), rejected(1), onwards(2, 4)],
  // APPROVED and SETTLED.
  ...[byOther(advancing(1)), afterReplay(rejected(0)), byOther(advancing(0)), afterReplay(rejected(0, 1))],
];

/** Delete, submit and approve one invoice while similar ones are in the same state. */
export const bystanderTour: readonly Step[] = [onwards(2, 4), advancing(0), onwards(1, 0), advancing(1)];
