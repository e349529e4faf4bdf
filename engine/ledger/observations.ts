import { requirements } from '../../specs/catalogue/catalogue.ts';
import { openPoints } from '../../specs/contract/open-points.ts';
import type { ObservationId } from '../../specs/generated/ids.ts';
import type { Journal } from '../evidence/journal.ts';
import type { JsonValue } from '../model/json-value.ts';

/** Limits the memory of a run. Real servers stay far below it. */
const MAX_OBSERVED_VALUES = 1000;
const MAX_RECORDED_VALUES = 100;

/** Observations of unspecified behaviour. Different values of one observation are collected. */
export class Observations {
  private readonly valuesById = new Map<ObservationId, Set<string>>();

  record(id: ObservationId, value: JsonValue): void {
    const values = this.valuesById.get(id) ?? new Set();
    if (values.size < MAX_OBSERVED_VALUES) values.add(JSON.stringify(value));
    this.valuesById.set(id, values);
  }

  /** Writes each observation with its values in a fixed order. */
  write(journal: Journal): void {
    for (const [id, values] of this.valuesById) {
      const list = [...values]
        .sort()
        .slice(0, MAX_RECORDED_VALUES)
        .map((value) => JSON.parse(value) as JsonValue);
      const value = list.length === 1 ? (list[0] as JsonValue) : list;
      journal.write({ kind: 'observation', id, question: questionOf(id), value });
    }
  }
}

function questionOf(id: ObservationId): string {
  const entry = requirements.find(({ observations }) => observations.includes(id));
  if (!entry) throw new Error(`specs/requirements/ declares no observation ${id}`);
  return openPoints.find(({ observations }) => observations.includes(id))?.question ?? entry.statement;
}
