import type { Lab } from '../context/check-context.ts';
import { asAmount } from './amounts.ts';

const USES = [
  'early',
  'repeated',
  'repeated, other',
  'one effect',
  'original',
  'other amount',
  'simultaneous',
  'between replays',
  'production untouched',
  'read-only',
  'read-only, replayed',
  'of another',
  'unauthorized',
  'unknown environment',
  'replayed at gates',
  'places of funds',
  'production untouched, named',
  'production untouched, replayed',
  'production untouched, late',
  'cause of a movement',
  'balances of both environments',
  'production untouched, large',
  'covered',
  'after a refusal, control',
  'after a refusal',
  'twice',
  'large',
  'given back',
  'balances of both parties',
  'production named',
  'sandbox named',
] as const;

const LEAST_CENTS = 101;
const SPAN = 161;
/** Relatively prime to the span, so that the uses of one run differ. */
const STEP = 17;

export interface Sum {
  cents: number;
  /** As it is sent. */
  text: string;
}

export type Use = (typeof USES)[number];

/**
 * A small sum to withdraw, 1.01 to 4.21, for each use one of its own, and another one each time that it is `tried` again (up to
 * five times). It never ends in 0, which a server may leave out. A balance that moves by it may still have been moved by others, once.
 */
export function ownSum(lab: Lab, use: Use, tried = 1): Sum {
  const start = Number.parseInt(lab.run.plan.runId.slice(0, 8), 16);
  const place = USES.indexOf(use) + USES.length * (tried - 1);
  const cents = LEAST_CENTS + 2 * ((start + place * STEP) % SPAN);
  return { cents, text: asAmount(cents) };
}
