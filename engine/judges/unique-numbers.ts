import { type Answer, isSuccess, type Operation } from '../answer.ts';
import { invoicesOf, type JsonObject } from '../invoice-record.ts';
import { namedAmong, naming } from '../naming.ts';
import type { Case, Finding, Judge } from './judge.ts';
import { worldOf } from './world.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Who was seen with a number. */
interface Holder {
  id: string;
  /** As a draft, which may be deleted or end by itself without the kit's knowing, and its number be given out again. */
  draft: boolean;
  /** Since when, as `performance.now()` tells it. */
  since: number;
}

interface Conflict extends Case {
  ids: readonly string[];
  /** When it was seen, as `performance.now()` tells it. */
  at: number;
}

const LOOKS: ReadonlySet<Operation> = new Set(['list', 'read']);

/** What the kit has made lives so long at least, in milliseconds. */
const LEAST_LIFE_MS = 1000;

/** A number stands for one connection of one environment. Null where the record does not tell. */
function placeOf(answer: Answer, record: JsonObject): string | null {
  const { id, invoiceNumber, sellerOrganizationId: seller, buyerOrganizationId: buyer } = record;
  const world = worldOf(answer.ask);
  if (world === null || ![id, invoiceNumber, seller, buyer].every(isText)) return null;
  return [world, seller, buyer, invoiceNumber].join('\n');
}

function found(number: string, ids: readonly string[]): Finding {
  return {
    reason: `two invoices of one connection share the invoiceNumber ${number}`,
    expected: 'an invoiceNumber unique per connection (Resources, Invoice, rule 1)',
    actual: `${ids.join(' and ')} both have ${number}`,
  };
}

/**
 * No two invoices of a connection have one number, as long as both exist: a numbering without gaps may give the number of a
 * deleted draft out again, and the answers to both may cross each other on their way.
 */
export const unique: Judge = {
  id: 'REC-11.unique',
  unmet: 'blocked',
  start: () => {
    const holders = new Map<string, Holder>();
    /** Where an id was seen. */
    const placesOf = new Map<string, Set<string>>();
    const own = new Set<string>();
    const deleted = new Set<string>();
    let conflicts: Conflict[] = [];
    /** Those of numbers whose earlier holder may have been gone, by its id: until it is seen again. */
    const doubtful = new Map<string, Conflict>();

    const forget = (answer: Answer): void => {
      const { sentAt } = answer;
      const isNamed = naming(answer);
      for (const id of namedAmong(placesOf, answer)) {
        for (const place of placesOf.get(id) ?? []) if (holders.get(place)?.id === id) holders.delete(place);
        placesOf.delete(id);
        deleted.add(id);
      }
      conflicts = conflicts.filter(({ ids, at }) => sentAt > at || !ids.some(isNamed));
    };

    return {
      see: (answer) => {
        if (answer.ask.operation === 'delete' && isSuccess(answer)) forget(answer);
        const here = new Map<string, string>();
        for (const { record } of invoicesOf(answer)) {
          const id = String(record.id);
          const place = placeOf(answer, record);
          if (place === null || deleted.has(id)) continue;
          if (answer.ask.operation === 'create') own.add(id);
          const number = String(record.invoiceNumber);
          const beside = here.get(place) ?? id;
          if (beside !== id) return found(number, [beside, id]);
          here.set(place, id);
          const before = holders.get(place);
          const at = performance.now();
          const doubt = doubtful.get(id);
          // A replay shows what has been.
          if (doubt && answer.sentAt > doubt.at && LOOKS.has(answer.ask.operation)) {
            doubtful.delete(id);
            conflicts.push(doubt);
          }
          if (before && before.id !== id) {
            const ids = [before.id, id];
            const conflict = { ids, at, finding: found(number, ids), exchange: answer.exchange };
            const lived = own.has(before.id) && at - before.since < LEAST_LIFE_MS;
            if (before.draft && !lived) doubtful.set(before.id, conflict);
            else conflicts.push(conflict);
          }
          placesOf.set(id, (placesOf.get(id) ?? new Set()).add(place));
          holders.set(place, { id, draft: record.status === 'DRAFT', since: before?.id === id ? before.since : at });
        }
        return here.size === 0 ? null : 'kept';
      },
      atEnd: () => conflicts,
    };
  },
};
