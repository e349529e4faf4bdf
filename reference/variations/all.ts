import type { Variation } from './variation.ts';

export const allVariations: readonly Variation[] = [];
