import type { FullExchange } from '../journal/evidence.ts';
import { memberPath, parseJson } from '../text/json-path.ts';
import type { RecordedChanges } from './recorded-changes.ts';

/** A value of a later request that the script takes from the response to an earlier one. */
export interface CapturedValue {
  readonly value: string;
  /** Shell variable, such as `ID_1`. */
  readonly variable: string;
  /** Id of the exchange whose response shows it. */
  readonly exchange: string;
  /** A jq path, such as `.invoice.id`. */
  readonly path: string;
}

/** The deciding exchange, the further evidence that the script must repeat, too, and the jq filters that may name ids. */
export interface ChainStart {
  readonly deciding: FullExchange;
  readonly others: readonly FullExchange[];
  readonly texts: readonly string[];
}

export interface Chain {
  /** The exchanges to repeat, in their order. */
  readonly steps: readonly FullExchange[];
  readonly values: readonly CapturedValue[];
}

/** A script that is longer than this shows nobody what is wrong. */
const MAX_STEPS = 30;
/** A shorter value could be part of another text. */
const MIN_VALUE_LENGTH = 6;
/** The names of operations in a path are shorter, or are part of no id. */
const MIN_ID_LENGTH = 8;

/** Why there is no chain, in one clause. */
export class NoChain extends Error {
  override readonly name = 'NoChain';
}

/**
 * All exchanges that a script must repeat before `deciding` has the same meaning: the creations of the ids that it names, the changes
 * of these invoices up to then, and the earlier requests with the same requestId. Throws NoChain if they are too many or not recorded.
 */
export function chainOf({ deciding, others, texts }: ChainStart, changes: RecordedChanges): Chain {
  const steps = new Map<string, FullExchange>();
  const values = new Map<string, CapturedValue>();
  const queue = [deciding, ...others];
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    if (steps.has(step.id)) continue;
    steps.set(step.id, step);
    if (steps.size > MAX_STEPS) throw new NoChain(`the set-up has more than ${MAX_STEPS} requests`);
    const shown = step === deciding ? texts.flatMap(quotedTexts) : changedIds(step, deciding, changes);
    for (const value of [...namedValues(step), ...shown]) {
      const producer = values.has(value) ? undefined : changes.producerOf(value, deciding);
      if (producer) {
        const path = pathOf(value, producer);
        if (path === null)
          throw new NoChain(`no field of the response to ${producer.label} is the id of a later request`);
        values.set(value, { value, variable: `ID_${values.size + 1}`, exchange: producer.id, path });
        queue.push(producer);
      }
      if (values.has(value)) queue.push(...changes.naming(value, deciding), ...changes.readsOf(value, deciding));
    }
    for (const requestId of requestIds(step)) queue.push(...changes.naming(requestId, deciding));
  }
  if (values.size === 0 && changes.hidesCreatedIds && namesPath(deciding))
    throw new NoChain('the responses to creations show no id, so the kit found the invoice in the list');
  for (const value of values.keys()) {
    if (encodeURIComponent(value) !== value)
      throw new NoChain('the ids of this server contain characters that a URL encodes');
  }
  const strangers = pathSegments(deciding).filter((segment) => !values.has(segment));
  if (strangers.some((segment) => segment !== '' && segment.length < MIN_VALUE_LENGTH && changes.isCreatedId(segment)))
    throw new NoChain('the ids of this server are too short to be found in other requests');
  if (strangers.some((segment) => segment.length >= MIN_ID_LENGTH && changes.isPartOfId(segment)))
    throw new NoChain('the request names an id that differs from the id of an invoice in some characters');
  const ordered = [...steps.values()].sort((one, other) => changes.position(one) - changes.position(other));
  return { steps: ordered, values: [...values.values()] };
}

/** The ids in the response that a later change names, such as the id of an invoice that is submitted before a replay. */
function changedIds({ response }: FullExchange, deciding: FullExchange, changes: RecordedChanges): string[] {
  return stringsOf(parseJson(response?.body ?? null)).filter(
    // A link is no id, although a later request may name its whole path.
    (text) =>
      text.length >= MIN_VALUE_LENGTH &&
      /\d/.test(text) &&
      !text.includes('/') &&
      changes.naming(text, deciding).length > 0,
  );
}

function pathSegments({ request }: FullExchange): string[] {
  return new URL(request.url).pathname.split('/').map((part) => safelyDecoded(part));
}

/** The strings in a jq filter. */
function quotedTexts(filter: string): string[] {
  const texts = [...filter.matchAll(/"([^"\\]+)"/g)].flatMap(([, text]) => text ?? []);
  return texts.filter((text) => text.length >= MIN_VALUE_LENGTH && /\d/.test(text));
}

/** Segments of the path, values of the query, and strings of the body. */
function namedValues(step: FullExchange): Set<string> {
  const { searchParams } = new URL(step.request.url);
  const body = stringsOf(parseJson(step.request.body));
  return new Set(
    [...pathSegments(step), ...searchParams.values(), ...body].filter((text) => text.length >= MIN_VALUE_LENGTH),
  );
}

/** Whether the request names something by its path, beyond the path of the operation. */
function namesPath({ request }: FullExchange): boolean {
  return /\/[^/]*\d[^/]*(?:\/|$)/.test(new URL(request.url).pathname.replace(/\/v\d+\//, '/'));
}

/** The requestIds in the body. */
export function requestIds({ request }: FullExchange): string[] {
  const body = parseJson(request.body);
  if (body == null || typeof body !== 'object') return [];
  const { requestId } = body as { requestId?: unknown };
  return typeof requestId === 'string' && requestId.length >= MIN_VALUE_LENGTH ? [requestId] : [];
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A malformed escape is part of the experiment.
    return text;
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsOf) : [];
}

/** The jq path of the first member with this value; null if it is only part of a text. */
function pathOf(value: string, { response }: FullExchange): string | null {
  const search = (at: unknown, path: string): string | null => {
    if (at === value) return path;
    if (at === null || typeof at !== 'object') return null;
    for (const [name, inner] of Object.entries(at)) {
      const found = search(inner, `${path}${memberPath(at, name)}`);
      if (found !== null) return found;
    }
    return null;
  };
  return search(parseJson(response?.body ?? null), '');
}
