import { missingOperationReason } from '../../engine/diagnosis/operation-binding.ts';
import { parseJsonBody } from '../../engine/http/message-mapping.ts';
import { ChangedRecords } from '../../engine/judges/changed-records.ts';
import { RuleRunner } from '../../engine/judges/rule-runner.ts';
import type { MaskedText } from '../../engine/model/masked-text.ts';
import { type ApiResponse, bodyMember, isSuccess, type Operation } from '../../engine/model/messages.ts';
import { Breach } from '../../engine/model/outcomes.ts';
import type { JournalSource } from '../../reporting/journal/read-journal.ts';
import { pluralize } from '../../reporting/text/wording.ts';
import type { Blocker } from '../../specs/certification/verification.ts';
import type { ExchangeRecord, HeaderRecord } from '../../specs/formats/journal.ts';
import { ACTOR_NAMES, type ActorName, isOperationName } from '../../specs/target-file/target.ts';
import type { CheckVerdict } from '../../specs/verdicts.ts';
import { allRules } from '../../suites/every-exchange/all-rules.ts';

/** After these statuses, the kit repeats a request before it judges the response. */
const REPEATED_STATUSES: ReadonlySet<number> = new Set([408, 500]);
/** A rule that a response breaks has another verdict. */
const UNBROKEN_VERDICTS: ReadonlySet<CheckVerdict | undefined> = new Set(['pass', 'not-applicable']);
/** The evidence has times in whole milliseconds. */
const ROUNDING_MS = 2;
/** The requests of the preflight, which the rules do not see. */
const PREFLIGHT_ID = /^p\d+$/;

/**
 * Judges the exchange rules again, from the evidence. Returns a blocker for each rule that is not broken in the run, but
 * in its evidence. Rejects with a JournalError for a damaged journal.
 */
export async function judgeRulesAgain(source: JournalSource): Promise<Blocker[]> {
  const exchanges: ExchangeRecord[] = [];
  const verdicts = new Map<string, CheckVerdict>();
  let baseUrl = '';
  let organizations: Record<string, string> = {};
  // Journals of earlier versions do not name the limit.
  let settleWithinMs = Number.POSITIVE_INFINITY;
  for await (const records of source()) {
    for (const record of records) {
      if (record.kind === 'header') {
        baseUrl = baseUrlOf(record);
        if (record.run.limits) settleWithinMs = record.run.limits.settleWithinMs + ROUNDING_MS;
      } else if (record.kind === 'exchange') exchanges.push(record);
      else if (record.kind === 'check') verdicts.set(record.id, record.verdict);
      else if (record.kind === 'footer') organizations = record.organizations;
    }
  }
  const unbroken = allRules.filter(({ id }) => UNBROKEN_VERDICTS.has(verdicts.get(id)));
  const changes = new ChangedRecords();
  const runner = new RuleRunner(
    {
      organizationOf: (actor) => organizations[actor],
      changedRecords: (response) => changes.changesIn(response),
      // The evidence shows the place of a secret instead of the secret.
      secrets: new Map(ACTOR_NAMES.map((name) => [name, `<${name}.secret>`])),
      settleWithinMs,
      roundingMs: ROUNDING_MS,
    },
    unbroken,
  );
  const attempts = new Set(exchanges.map((exchange) => attemptKey(exchange, exchange.attempt)));
  for (const exchange of exchanges) {
    const isRepeated =
      REPEATED_STATUSES.has(exchange.response?.status ?? 0) && attempts.has(attemptKey(exchange, exchange.attempt + 1));
    const response = isRepeated ? null : toResponse(exchange, baseUrl);
    if (response !== null && !mayBeMisbound(response)) runner.observe(response);
  }
  return unbroken.flatMap(({ id }) => {
    const reason = breachOf(runner, id);
    if (reason === null) return [];
    return [
      {
        kind: 'evidence' as const,
        problem: `${id} has the verdict ${verdicts.get(id)}, but the evidence breaks it: ${reason}`,
        remedy: 'run "conformance certify" again',
      },
    ];
  });
}

function baseUrlOf({ target }: HeaderRecord): string {
  return target.baseUrl.replace(/\/+$/, '');
}

function attemptKey({ check, label, request: { method, url, body } }: ExchangeRecord, attempt: number): string {
  return JSON.stringify([check, label, method, url, body, attempt]);
}

/** The response as a rule saw it; null if the rules do not apply to it, or the evidence holds only a part of it. */
function toResponse(exchange: ExchangeRecord, baseUrl: string): ApiResponse | null {
  const { id, request, response, credentials, operation } = exchange;
  if (response === null || response.truncated || exchange.outsideContract || PREFLIGHT_ID.test(id)) return null;
  const path = request.url.startsWith(baseUrl) ? request.url.slice(baseUrl.length) : request.url;
  const isActor = (name: string | null): name is ActorName =>
    (ACTOR_NAMES as readonly (string | null)[]).includes(name);
  return {
    exchange: id,
    request: {
      operation: operation as Operation,
      method: request.method,
      path,
      actorLabel: exchange.actor,
      actor: isActor(credentials) ? credentials : null,
      credentials: [],
      headers: request.headers,
    },
    requestLine: `${request.method} ${path}`,
    sentBody: request.body,
    status: response.status,
    headers: response.headers.map(([name, value]) => [name.toLowerCase(), value]),
    text: response.body,
    json: parseJsonBody(response.body),
    // Rules that compare it with a time of the server add the origin.
    sentAt: Date.parse(exchange.at) - performance.timeOrigin,
    mayHaveDuplicatedMutation: false,
    mask: (text) => text as MaskedText,
  };
}

/** The rules do not see what may be the response to a wrong binding. The evidence does not say when a binding was confirmed. */
function mayBeMisbound(response: ApiResponse): boolean {
  const { operation } = response.request;
  if (!isOperationName(operation)) return false;
  if (isSuccess(response)) return response.text !== '' && response.json === undefined;
  const isBare = response.status >= 400 && typeof bodyMember(response, 'code') !== 'string';
  return isBare || missingOperationReason(operation, response) !== null;
}

function breachOf(runner: RuleRunner, id: (typeof allRules)[number]['id']): string | null {
  try {
    runner.verdict(id);
    return null;
  } catch (error) {
    return error instanceof Breach ? `${error.message} (${pluralize(error.exchanges.length, 'exchange')})` : null;
  }
}
