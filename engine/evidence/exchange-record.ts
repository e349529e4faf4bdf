import type { ExchangeRecord } from '../../specs/formats/journal.ts';
import type { ApiRequest } from '../model/messages.ts';
import { isFailure, type WireRequest, type WireResult } from '../transport/transport.ts';
import type { Redactor } from './redactor.ts';

export interface ExchangeEvidence {
  id: string;
  request: ApiRequest;
  wire: WireRequest;
  /** Id of the check that sent the request, or null. */
  check: string | null;
  attempt: number;
  at: Date;
  durationMs: number;
  result: WireResult;
}

/** The journal record of an exchange: without secrets, and with the first `longest` characters of each body. */
export function toExchangeRecord(exchange: ExchangeEvidence, redactor: Redactor, longest: number): ExchangeRecord {
  const { request, wire, result } = exchange;
  return {
    kind: 'exchange',
    id: exchange.id,
    check: exchange.check,
    label: redactor.mask(`${request.actorLabel}: ${request.operation}`),
    actor: redactor.mask(request.actorLabel),
    operation: request.operation,
    credentials: request.actor,
    ...(request.skipExchangeRules && { outsideContract: true }),
    attempt: exchange.attempt,
    at: exchange.at.toISOString(),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    request: {
      method: wire.method,
      url: redactor.mask(wire.url),
      headers: redactor.maskHeaders(wire.headers),
      body: wire.body === null ? null : redactor.maskStart(wire.body.toString(), longest),
    },
    response: isFailure(result)
      ? null
      : {
          status: result.status,
          headers: redactor.maskHeaders(result.headers),
          body: redactor.maskStart(result.text, longest),
          bytes: result.bytes,
          truncated: result.truncated || result.text.length > longest,
        },
    failure: isFailure(result) ? { kind: result.kind, message: redactor.mask(result.message) } : null,
  };
}
