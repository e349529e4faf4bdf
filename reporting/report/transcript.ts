import type { CheckReport, ExchangeSummary } from '../../specs/report.ts';

/**
 * What an exchange is for: it prepares (`set-up`), it is compared with the act (`control`), it is the request under test (`act`), or it
 * shows the effect (`look`).
 */
export type TranscriptRole = 'set-up' | 'control' | 'act' | 'look';

export interface TranscriptStep {
  /** The place among the exchanges, from 1. */
  readonly number: number;
  readonly role: TranscriptRole;
  readonly exchange: ExchangeSummary;
  readonly isDeciding: boolean;
}

/**
 * The set-up and the exchanges of a failed check in order, at most `limit`: the deciding one, and those before it rather than after it.
 */
export function transcriptOf(check: CheckReport, limit: number): TranscriptStep[] {
  const { decisive } = check;
  const exchanges = [...check.setUp, ...check.exchanges];
  const decidingId = decisive[0] ?? exchanges.at(-1)?.id;
  const deciding = exchanges.findIndex(({ id }) => id === decidingId);
  const act = actOf(exchanges, deciding, check);
  const steps = exchanges.map((exchange, at): TranscriptStep => {
    const isSetUp = at < check.setUp.length;
    const role = at === act ? 'act' : isSetUp ? 'set-up' : roleOf(exchange, at > act, exchanges[act]);
    return { number: at + 1, role, exchange, isDeciding: at === deciding };
  });
  const isEvidence = ({ exchange }: TranscriptStep) => decisive.includes(exchange.id);
  const near = [...steps].sort((one, other) => distance(one, deciding) - distance(other, deciding));
  const others = near.filter((step) => !isEvidence(step));
  const chosen = new Set([...near.filter(isEvidence), ...others].slice(0, limit));
  return steps.filter((step) => chosen.has(step));
}

/** A read that succeeds shows the effect of the last change. Any other deciding exchange is itself the request under test. */
function actOf(exchanges: readonly ExchangeSummary[], deciding: number, { differences, setUp }: CheckReport): number {
  const judgesStatus = differences.some(({ path }) => path === 'status');
  if (exchanges[deciding]?.method !== 'GET' || judgesStatus) return deciding;
  const change = exchanges.slice(0, deciding).findLastIndex(({ method }) => method !== 'GET');
  return change < setUp.length ? deciding : change;
}

function roleOf(exchange: ExchangeSummary, isLater: boolean, act: ExchangeSummary | undefined): TranscriptRole {
  if (exchange.method === act?.method && operationOf(exchange) === operationOf(act)) return 'control';
  return isLater && exchange.method === 'GET' ? 'look' : 'set-up';
}

/** The label of an exchange names the actor and the operation: `seller: submit`. */
function operationOf({ label }: ExchangeSummary): string {
  return label.slice(label.lastIndexOf(': ') + 1);
}

/** Exchanges after the deciding one are half as interesting. */
function distance({ number }: TranscriptStep, deciding: number): number {
  const steps = number - 1 - deciding;
  return steps > 0 ? 2 * steps : -steps;
}
