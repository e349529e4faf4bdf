import type { ComparedObservation } from '../../specs/formats/comparison.ts';

/** For each implementation, the behaviours that not every other one shares; null if its run recorded none. */
export function ownBehaviours({ values }: Pick<ComparedObservation, 'values'>): ComparedObservation['values'] {
  const recorded = values.flatMap((all) => (all === null ? [] : [new Set(all.map((value) => JSON.stringify(value)))]));
  const isOwn = (value: unknown) => recorded.some((other) => !other.has(JSON.stringify(value)));
  return values.map((all) => all?.filter(isOwn) ?? null);
}
