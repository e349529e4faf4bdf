import type { Step } from './walk-invoice.ts';

const onwards = (invoice: number, pick: number): Step => ({ invoice, onwards: true, pick });

/** All actions that the state does not offer, by the usual parties. */
const rejected = (invoice: number): Step => ({ invoice, onwards: false, pick: 0 });

const advancing = (pick: number): Step => onwards(0, pick);
const byOther = (step: Step): Step => ({ ...step, byOther: true });
const afterReplay = (step: Step): Step => ({ ...step, replays: true });

/**
 * One invoice on the longest way that the table allows, with the actions that a state does not offer: disputed and resolved twice, after
 * a replay of the submission, and after rejections of the other party.
 */
export const historyTour: readonly Step[] = [
  rejected(0),
  advancing(0),
  // DISPUTED and back, twice.
  ...[byOther(advancing(0)), advancing(0), rejected(0)],
  ...[advancing(0), rejected(0), advancing(0)],
  // APPROVED and SETTLED.
  ...[advancing(1), afterReplay(rejected(0)), byOther(advancing(0))],
];

/** Every action but settle on one invoice while similar ones are in the same state. The second one is cancelled after a dispute. */
export const bystanderTour: readonly Step[] = [
  ...[onwards(2, 4), advancing(0), onwards(1, 0)],
  ...[onwards(1, 0), onwards(1, 0), advancing(1), onwards(1, 5), rejected(1)],
];
