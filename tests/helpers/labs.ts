import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Answer, Ask } from '../../engine/answer.ts';
import type { Client } from '../../engine/client.ts';
import { askingFor } from '../../engine/definition.ts';
import type { Plan } from '../../engine/plan.ts';
import { Run } from '../../engine/run.ts';
import { Lab } from '../../helpers/lab.ts';
import { targetFile } from '../../specs/target.ts';

/** A lab without a server, for what needs none; with a client of the test's own where something is sent. */
export function labOf(changes: Partial<Plan> = {}, client?: Client): Lab {
  const folder = mkdtempSync(join(tmpdir(), 'kit-lab-'));
  const run = new Run({
    runId: '0123456789ab',
    target: targetFile.parse({
      baseUrl: 'http://127.0.0.1:1',
      actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' } },
    }),
    journal: join(folder, 'evidence.jsonl'),
    seed: 42,
    strict: false,
    mutations: true,
    selected: [],
    organizations: { seller: 'org-seller', buyer: 'org-buyer' },
    ...changes,
  });
  onTestFinished(async () => {
    await run.close(null);
    rmSync(folder, { recursive: true });
  });
  return new Lab(run, askingFor('AUTH-01.both-missing'), client);
}

export interface Reply {
  status: number;
  json?: unknown;
  /** Whether an earlier attempt may have been carried out, too. */
  repeated?: boolean;
  /** How long it was on its way, in milliseconds. */
  tookMs?: number;
}

/** What came for a request. */
export function answerTo(ask: Ask, { status, json, repeated = false, tookMs = 0 }: Reply, exchange = 'x1'): Answer {
  return {
    exchange,
    ask,
    request: `${ask.method} ${ask.path}`,
    sent: ask.body === undefined ? null : JSON.stringify(ask.body),
    status,
    headers: [],
    text: json === undefined ? '' : JSON.stringify(json),
    json,
    sentAt: performance.now() - tookMs,
    repeated,
  };
}

/** An answer to a request that does not matter. */
export function answerOf(status: number, json?: unknown): Answer {
  const ask: Ask = {
    operation: 'list',
    method: 'GET',
    path: '/somewhere',
    as: 'seller',
    actor: 'seller',
    credentials: [],
  };
  return answerTo(ask, { status, json });
}

const action = { method: 'POST', path: '/invoices/{id}' } as const;

/** A seller and a buyer, all operations bound, and no patience. */
const described = {
  baseUrl: 'http://127.0.0.1:1',
  actors: {
    seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' },
    buyer: { key: 'svc_sand_buyer', secret: 'secret-of-the-buyer' },
  },
  operations: {
    read: { method: 'GET', path: '/invoices/{id}' },
    submit: action,
    approve: action,
    dispute: action,
    cancel: action,
    settle: action,
    delete: action,
    resolve: action,
    treasuryBalance: { method: 'GET', path: '/balance' },
  },
  limits: { settleWithinMs: 0 },
};

/** A lab whose server is a function of the test, with all that was asked of it; `changes` are those of the target file. */
export function scripted(reply: (ask: Ask) => Reply, changes: object = {}): { lab: Lab; asks: Ask[] } {
  const asks: Ask[] = [];
  const send = async (ask: Ask, _check?: unknown, _keep?: unknown, onDeparture?: () => void) => {
    onDeparture?.();
    asks.push(ask);
    return answerTo(ask, reply(ask), `x${asks.length}`);
  };
  const volley = async (all: readonly Ask[]) => await Promise.all(all.map((ask) => send(ask)));
  const target = targetFile.parse({ ...described, ...changes });
  return { lab: labOf({ target }, { send, volley } as unknown as Client), asks };
}
