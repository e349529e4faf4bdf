import { onTestFinished } from 'vitest';
import { Redactor } from '../../../engine/evidence/redactor.ts';
import { Client, type ClientOptions } from '../../../engine/http/client.ts';
import { credentialsOf } from '../../../engine/model/credentials.ts';
import type { ApiRequest, ApiResponse } from '../../../engine/model/messages.ts';
import { addTargetSecrets } from '../../../engine/target/target-secrets.ts';
import type { ExchangeRecord } from '../../../specs/formats/journal.ts';
import type { Target } from '../../../specs/target-file/target.ts';

export interface Bugged {
  client: Client;
  /** The records in the journal. */
  exchanges: ExchangeRecord[];
  /** The responses passed to the exchange rules. */
  answers: ApiResponse[];
}

/** A client for one test, with everything that it reports. */
export function clientFor(target: Target, options: Partial<ClientOptions> = {}): Bugged {
  const exchanges: ExchangeRecord[] = [];
  const responses: ApiResponse[] = [];
  const redactor = new Redactor();
  addTargetSecrets(target, redactor);
  const client = new Client({
    target,
    redactor,
    journal: {
      maxBodyLength: 64 * 1024,
      write: (record) => void (record.kind === 'exchange' && exchanges.push(record)),
    },
    signal: new AbortController().signal,
    onResponse: (response) => responses.push(response),
    idPrefix: 'x',
    mayMutate: true,
    outageTimeoutMs: 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, exchanges, answers: responses };
}

/** A request by the seller, with the given changes. */
export function ask(target: Target, changes: Partial<ApiRequest> = {}): ApiRequest {
  const credentials = credentialsOf(target, 'seller').headers;
  return {
    operation: 'read',
    method: 'GET',
    path: '/api/v1/invoices/1',
    actorLabel: 'seller',
    actor: 'seller',
    credentials,
    ...changes,
  };
}
