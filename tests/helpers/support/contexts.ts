import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Client } from '../../../engine/http/client.ts';
import type { ApiRequest, ApiResponse } from '../../../engine/model/messages.ts';
import { newCheckExecution } from '../../../engine/run/check-definition.ts';
import { RunContext } from '../../../engine/run/run-context.ts';
import type { RunPlan } from '../../../engine/run/run-plan.ts';
import { CheckContext } from '../../../helpers/context/check.ts';
import { parseTarget } from '../../../specs/target-file/target.ts';
import { unmasked } from '../../engine/support/responses.ts';

/** A context without a server; with a client of the test if requests are sent. */
export function labOf(changes: Partial<RunPlan> = {}, client?: Client): CheckContext {
  const folder = mkdtempSync(join(tmpdir(), 'kit-ctx-'));
  const run = new RunContext({
    runId: '0123456789ab',
    target: parseTarget({
      baseUrl: 'http://127.0.0.1:1',
      actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' } },
    }),
    journalPath: join(folder, 'evidence.jsonl'),
    seed: 42,
    strict: false,
    mayMutate: true,
    selected: [],
    organizations: { seller: 'org-seller', buyer: 'org-buyer' },
    ...changes,
  });
  onTestFinished(async () => {
    await run.close(null);
    rmSync(folder, { recursive: true });
  });
  return new CheckContext(run, newCheckExecution('AUTH-01.both-missing'), { ...(client && { client }) });
}

export interface Reply {
  status: number;
  json?: unknown;
  headers?: [string, string][];
  /** Whether an earlier attempt may have been carried out as well. */
  repeated?: boolean;
  /** How long the exchange took, in milliseconds. */
  tookMs?: number;
}

/** The response to a request. */
export function answerTo(
  ask: ApiRequest,
  { status, json, headers = [], repeated = false, tookMs = 0 }: Reply,
  exchange = 'x1',
): ApiResponse {
  return {
    exchange,
    request: ask,
    requestLine: `${ask.method} ${ask.path}`,
    sentBody: ask.body === undefined ? null : JSON.stringify(ask.body),
    status,
    headers,
    text: json === undefined ? '' : JSON.stringify(json),
    json,
    sentAt: performance.now() - tookMs,
    mayHaveDuplicatedMutation: repeated,
    mask: unmasked,
  };
}

/** A response to any request. */
export function answerOf(status: number, json?: unknown): ApiResponse {
  const ask: ApiRequest = {
    operation: 'list',
    method: 'GET',
    path: '/somewhere',
    actorLabel: 'seller',
    actor: 'seller',
    credentials: [],
  };
  return answerTo(ask, { status, json });
}

const action = (name: string) => ({ method: 'POST', path: `/${name}/invoices/{id}` }) as const;

/** A target with a seller and a buyer, all operations bound, and short waits. */
const described = {
  baseUrl: 'http://127.0.0.1:1',
  actors: {
    seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' },
    buyer: { key: 'svc_sand_buyer', secret: 'secret-of-the-buyer' },
  },
  operations: {
    read: { method: 'GET', path: '/invoices/{id}' },
    submit: action('submit'),
    approve: action('approve'),
    dispute: action('dispute'),
    cancel: action('cancel'),
    settle: action('settle'),
    delete: action('delete'),
    resolve: action('resolve'),
    treasuryBalance: { method: 'GET', path: '/balance' },
  },
  limits: { settleWithinMs: 0 },
};

/** A context whose server is a function of the test, with all received requests. `changes` apply to the target file. */
export function scripted(
  reply: (ask: ApiRequest) => Reply,
  changes: object = {},
  plan: Partial<RunPlan> = {},
): { ctx: CheckContext; asks: ApiRequest[] } {
  const asks: ApiRequest[] = [];
  const send = async (ask: ApiRequest, _check?: unknown, _keep?: unknown, onDeparture?: () => void) => {
    onDeparture?.();
    asks.push(ask);
    return answerTo(ask, reply(ask), `x${asks.length}`);
  };
  const sendSimultaneously = async (all: readonly ApiRequest[]) => await Promise.all(all.map((ask) => send(ask)));
  const target = parseTarget({ ...described, ...changes });
  return { ctx: labOf({ ...plan, target }, { send, sendSimultaneously } as unknown as Client), asks };
}

const LEADS_TO: Record<string, string> = {
  create: 'DRAFT',
  submit: 'SUBMITTED',
  approve: 'APPROVED',
  settle: 'SETTLED',
  dispute: 'DISPUTED',
  cancel: 'CANCELLED',
};

/** A server that stores its invoices and accepts each action in any state. `states` holds their states by id. */
export function keeping(): { states: Map<string, string>; reply: (ask: ApiRequest) => Reply } {
  const states = new Map<string, string>();
  const reply = ({ operation, path, body }: ApiRequest): Reply => {
    const id = operation === 'create' ? `inv-${states.size}` : (path.split('/').at(-1) ?? '');
    const next = LEADS_TO[operation];
    if (next) states.set(id, next);
    const { amount, dueDate } = (body ?? {}) as Record<string, string>;
    return { status: 200, json: { id, status: states.get(id), invoiceNumber: id, amount, dueDate } };
  };
  return { states, reply };
}
