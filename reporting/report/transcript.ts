import type { CheckReport, ExchangeSummary } from '../../specs/formats/report.ts';

/**
 * What an exchange is for: it prepares (`set-up`), it is the same operation for comparison (`control`), it is the request under test
 * (`act`), or it shows the effect (`look`). `other`: a further experiment of the check.
 */
export type TranscriptRole = 'set-up' | 'control' | 'act' | 'look' | 'other';

export interface TranscriptStep {
  /** The place among the exchanges, from 1. */
  readonly number: number;
  readonly role: TranscriptRole;
  readonly exchange: ExchangeSummary;
  readonly isDeciding: boolean;
}

/** Operations that change nothing, whatever their method is. */
const READING_OPERATIONS: ReadonlySet<string> = new Set(['read', 'list', 'treasuryBalance', 'webhookList']);
/** Shorter segments of a path are names of operations. */
const MIN_ID_LENGTH = 6;

/**
 * The set-up and the exchanges of a failed check in order, at most `limit`: the first one, the evidence, and those nearest to the
 * deciding one, rather before than after it. Further experiments after it are left out, and reads of other invoices, because the kit
 * reads many while it waits for a change.
 */
export function transcriptOf(check: CheckReport, limit: number): TranscriptStep[] {
  const exchanges = [...check.setUp, ...check.exchanges];
  const decidingId = check.decisive[0] ?? exchanges.at(-1)?.id;
  const deciding = exchanges.findIndex(({ id }) => id === decidingId);
  const act = actOf(exchanges, deciding, check);
  const steps = exchanges.map(
    (exchange, at): TranscriptStep => ({
      number: at + 1,
      role: at < check.setUp.length && at !== act ? 'set-up' : roleOf(at, act, exchanges, check.decisive),
      exchange,
      isDeciding: at === deciding,
    }),
  );
  const isEvidence = ({ exchange }: TranscriptStep) => check.decisive.includes(exchange.id);
  const related = steps.filter((step) => isEvidence(step) || !isReadOfAnother(step.exchange, exchanges[act]));
  const isImportant = (step: TranscriptStep) => step === related[0] || isEvidence(step);
  const near = related
    .filter((step) => !isImportant(step) && (step.role !== 'other' || step.number <= deciding))
    .sort((one, other) => distance(one, deciding) - distance(other, deciding));
  const chosen = new Set([...related.filter(isImportant), ...near].slice(0, limit));
  return steps.filter((step) => chosen.has(step));
}

/** A read that succeeds shows the effect of the last change. Any other deciding exchange is itself the request under test. */
function actOf(exchanges: readonly ExchangeSummary[], deciding: number, { differences, setUp }: CheckReport): number {
  const judgesStatus = differences.some(({ path }) => path === 'status');
  if (judgesStatus || !isRead(exchanges[deciding])) return deciding;
  const change = exchanges.slice(0, deciding).findLastIndex((exchange) => !isRead(exchange));
  return change < setUp.length ? deciding : change;
}

function roleOf(
  at: number,
  act: number,
  exchanges: readonly ExchangeSummary[],
  decisive: readonly string[],
): TranscriptRole {
  const [exchange, acted] = [exchanges[at], exchanges[act]];
  if (exchange === undefined || acted === undefined) return 'other';
  const isRetry = exchange.attempt > 1 || acted.attempt > 1;
  const isSame = exchange.method === acted.method && operationOf(exchange) === operationOf(acted);
  if (at === act || (isSame && isRetry && exchange.url === acted.url)) return 'act';
  if (at > act) return isRead(exchange) && concernsSame(exchange, acted) ? 'look' : 'other';
  if (!isSame) return 'set-up';
  const isAccepted = exchange.status !== null && exchange.status >= 200 && exchange.status < 300;
  return isAccepted || decisive.includes(exchange.id) ? 'control' : 'other';
}

function isReadOfAnother(exchange: ExchangeSummary, acted: ExchangeSummary | undefined): boolean {
  return acted !== undefined && isRead(exchange) && !concernsSame(exchange, acted);
}

/** Whether a read shows the invoice of a request, or all invoices or funds. */
function concernsSame(read: ExchangeSummary, acted: ExchangeSummary): boolean {
  const ids = idsIn(read);
  return ids.length === 0 || idsIn(acted).length === 0 || ids.some((id) => idsIn(acted).includes(id));
}

function idsIn({ url }: ExchangeSummary): string[] {
  const segments = url.replace(/^https?:\/\/[^/]*|[?#].*$/g, '').split('/');
  return segments.filter((segment) => segment.length >= MIN_ID_LENGTH && /\d/.test(segment));
}

function isRead(exchange: ExchangeSummary | undefined): boolean {
  return exchange === undefined || exchange.method === 'GET' || READING_OPERATIONS.has(operationOf(exchange));
}

/** The label of an exchange names the actor and the operation: `seller: submit`. */
function operationOf({ label }: ExchangeSummary): string {
  return label.slice(label.lastIndexOf(': ') + 2);
}

/** Exchanges after the deciding one are less interesting. */
function distance({ number }: TranscriptStep, deciding: number): number {
  const steps = number - 1 - deciding;
  return steps > 0 ? 2 * steps : -steps;
}
