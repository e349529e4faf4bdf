import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules } from '../../../reference/overrides/override-rules.ts';
import { toCents } from '../../../reference/service/money.ts';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import type { BoundTargetInput, OperationName, OperationTemplate } from '../../../specs/target-file/target.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const SOME = [
  'LIFE-01.submitted-approve',
  'LIFE-02.draft-cancel',
  'IDEM-04.original-response',
  'LIFE-02.submitted-delete',
  'CREATE-14.readable',
  'AUTH-01',
];
const INVOICE = '/api/v1/invoices/{id}';

interface Beside {
  /** The rest of the path, after that of an invoice. */
  suffix: string;
  /** The response for the current invoice. */
  answer: (invoice: Record<string, unknown>) => object;
  /** The state in which the request is accepted; SUBMITTED by default. */
  state?: string;
}

/**
 * A service with one additional request for an invoice. It changes nothing and is rejected in all states but one, like
 * an action.
 */
async function serviceWith({ suffix, answer, state = 'SUBMITTED' }: Beside): Promise<RunningReference> {
  const service: RunningReference = await startReference({
    rewrite: async (request, response) => {
      const { pathname } = new URL(request.url);
      if (!pathname.endsWith(suffix)) return response;
      const headers = Object.fromEntries(
        ['x-api-key', 'x-api-secret'].map((name) => [name, request.headers.get(name) ?? '']),
      );
      const read = await fetch(`${service.target.baseUrl}${pathname.slice(0, -suffix.length)}`, { headers });
      if (!read.ok) return read;
      const invoice = (await read.json()) as Record<string, unknown>;
      if (request.method === 'GET' || invoice.status === state) return Response.json(answer(invoice));
      return Response.json({ error: 'not now', code: 'INV004' }, { status: 412 });
    },
  });
  return service;
}

async function expectBlockedBy(name: OperationName, service: RunningReference, binding: Partial<OperationTemplate>) {
  onTestFinished(() => service.close());
  const { target } = service;
  const operations = { ...target.operations, [name]: { ...target.operations[name], ...binding } };
  const limits = { ...target.limits, settleWithinMs: 500 };
  const found = await judged({ ...target, allow: {}, limits, operations } as BoundTargetInput, { only: SOME });
  expect([found.exitCode, having(found, 'fail'), having(found, 'warn')], found.said).toEqual([3, [], []]);
  const fields = new Set(found.report?.checks.map(({ blockedBy }) => blockedBy));
  expect(fields).toContain(`operations.${name} of the target file`);
}

describe('an operation that is bound to a related request blocks its checks:', () => {
  test.each<[string, OperationName, Beside]>([
    ['a reminder', 'approve', { suffix: '/approve/reminder', answer: () => ({ sent: true }) }],
    ['a preview', 'cancel', { suffix: '/cancel/preview', answer: (it) => ({ ...it, status: 'CANCELLED' }) }],
    [
      'a validation before the deletion',
      'delete',
      { suffix: '/delete/validate', answer: () => ({ valid: true }), state: 'DRAFT' },
    ],
    ['a summary', 'read', { suffix: '/summary', answer: ({ id, status }) => ({ id, status }) }],
    [
      'the invoice as it was submitted',
      'read',
      {
        suffix: '/original',
        answer: (it) => ({ ...it, status: it.status === 'DRAFT' ? 'DRAFT' : 'SUBMITTED' }),
      },
    ],
  ])('%s', async (_, name, beside) => {
    await expectBlockedBy(name, await serviceWith(beside), { path: `${INVOICE}${beside.suffix}` });
  });

  test('a deposit', async () => {
    const rules = overrideRules((honest) => ({
      withdraw: ({ rules: { now } }, { amount }) => ({
        id: honest.newId(),
        cents: -toCents(amount),
        createdAt: now().toISOString(),
      }),
    }));
    await expectBlockedBy('treasuryWithdraw', await startReference({ rules }), {});
  });
});
