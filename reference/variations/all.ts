import { actionVariations } from './actions.ts';
import { listVariations } from './lists.ts';
import { placeVariations } from './places.ts';
import { recordVariations } from './records.ts';
import { serviceVariations } from './service.ts';
import type { Variation } from './variation.ts';

/** Every honest way to differ. */
export const allVariations: readonly Variation[] = [
  ...recordVariations,
  ...listVariations,
  ...actionVariations,
  ...placeVariations,
  ...serviceVariations,
];
