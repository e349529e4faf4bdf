import type { ExchangeRecord } from '../../specs/formats/journal.ts';
import type { FullExchange } from '../journal/evidence.ts';

/** Longer bodies are no set-up of an invoice. */
const MAX_BODY_LENGTH = 16 * 1024;
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A shorter beginning is the same for many ids. */
const MIN_PART_LENGTH = 8;
/** The last reads before the deciding request: enough to fill a cache. */
const MAX_READS = 2;

/**
 * The changes of a run in journal order: what a script must repeat to bring an invoice into the same state. Also answers which change
 * created an id.
 */
export class RecordedChanges {
  private readonly changes: FullExchange[] = [];
  /** Rejected changes and reads of the checks that failed. */
  private readonly attempts: FullExchange[] = [];
  private readonly failed: ReadonlySet<string>;
  private readonly positions = new Map<string, number>();

  /** `failed`: the ids of the checks that failed. */
  constructor(failed: ReadonlySet<string> = new Set()) {
    this.failed = failed;
  }

  /** Takes the exchanges of the journal in their order. */
  add(exchange: FullExchange): void {
    this.positions.set(exchange.id, this.positions.size);
    const size = (exchange.request.body?.length ?? 0) + (exchange.response?.body.length ?? 0);
    if (size > MAX_BODY_LENGTH || exchange.response === null) return;
    if (isAcceptedChange(exchange)) this.changes.push(exchange);
    else if (exchange.check !== null && this.failed.has(exchange.check)) this.attempts.push(exchange);
  }

  isBefore(one: Pick<FullExchange, 'id'>, other: Pick<FullExchange, 'id'>): boolean {
    return this.position(one) < this.position(other);
  }

  position({ id }: Pick<FullExchange, 'id'>): number {
    return this.positions.get(id) ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the server created invoices without showing their ids. */
  get hidesCreatedIds(): boolean {
    const creations = this.changes.filter(({ label }) => label.endsWith(': create'));
    return creations.length > 0 && !creations.some(({ response }) => /"id"\s*:/.test(response?.body ?? ''));
  }

  /** The change whose response shows the value before any request sends it; undefined if there is none. */
  producerOf(value: string, before: FullExchange): FullExchange | undefined {
    const first = this.changes.find((change) => sends(change, value) || shows(change, value));
    return first === undefined || sends(first, value) || !this.isBefore(first, before) ? undefined : first;
  }

  /** The accepted changes before an exchange that name the value in their URL or body, and the rejected ones of the same check. */
  naming(value: string, before: FullExchange): FullExchange[] {
    const rejected = this.attempts.filter(({ check, request }) => check === before.check && !isRead(request.method));
    return [...this.changes, ...rejected].filter((change) => this.isBefore(change, before) && names(change, value));
  }

  /** The last reads of the same check that name the value. */
  readsOf(value: string, before: FullExchange): FullExchange[] {
    return this.attempts
      .filter((read) => read.check === before.check && isRead(read.request.method))
      .filter((read) => this.isBefore(read, before) && read.request.url.includes(value))
      .slice(-MAX_READS);
  }

  /** Whether a creation returned exactly this id. */
  isCreatedId(value: string): boolean {
    const pattern = new RegExp(`"id"\\s*:\\s*"?${escapeRegExp(value)}[",}\\s]`);
    return this.changes.some(({ response }) => pattern.test(response?.body ?? ''));
  }

  /** Whether the value is a part of an id that the server created, or the other way round. */
  isPartOfId(value: string): boolean {
    const start = `"id":"${value.slice(0, MIN_PART_LENGTH)}`.toLowerCase();
    return this.changes.some(({ response }) => response?.body.toLowerCase().includes(start));
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function sends({ request }: FullExchange, value: string): boolean {
  return request.url.includes(value) || request.body?.includes(value) === true;
}

/** Whether the response has a string with this value, not a member with this name. */
function shows({ response }: FullExchange, value: string): boolean {
  const at = response?.body.indexOf(`"${value}"`) ?? -1;
  return at >= 0 && !/^\s*:/.test(response?.body.slice(at + value.length + 2) ?? '');
}

function isRead(method: string): boolean {
  return READ_METHODS.has(method);
}

function names({ request }: FullExchange, value: string): boolean {
  return request.url.includes(value) || request.body?.includes(`"${value}"`) === true;
}

function isAcceptedChange({ request, response }: Pick<ExchangeRecord, 'request' | 'response'>): boolean {
  return !isRead(request.method) && isAccepted(response);
}

/** Whether the server carried out a request: 200 to 299, or 303. */
export function isAccepted(response: ExchangeRecord['response']): boolean {
  if (response === null) return false;
  return (response.status >= 200 && response.status <= 299) || response.status === 303;
}
