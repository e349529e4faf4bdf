import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { probeOperations } from '../../../cli/doctor/operation-probe.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { Interrupted } from '../../../engine/model/outcomes.ts';
import { runPreflight } from '../../../engine/preflight/preflight.ts';
import { startReference } from '../../../reference/service/start.ts';
import { checksOfProfile } from '../../../specs/catalogue/selection.ts';
import { type BoundTargetInput, parseTarget } from '../../../specs/target-file/target.ts';
import { clientFor } from '../../engine/support/clients.ts';
import { patient } from '../support/command.ts';

vi.setConfig(patient);

async function emptySandbox() {
  const service = await startReference();
  onTestFinished(() => service.close());
  const { SANDBOX } = service.reference.service.store.worlds;
  SANDBOX.invoices.clear();
  const states = () => [...SANDBOX.invoices.values()].map(({ status }) => status);
  return { target: service.target as BoundTargetInput, reference: service.reference, SANDBOX, states };
}

describe('a preflight that ends a run with exit 2', () => {
  /** The remaining trial invoices after a run with a wrong target file. */
  async function leftBy(wrong: (target: BoundTargetInput) => Partial<BoundTargetInput>): Promise<string[]> {
    const { target: described, states } = await emptySandbox();
    const target = parseTarget({ ...described, ...wrong(described) });
    const { client, exchanges } = clientFor(target);
    const settings = { createsInvoices: true, needsCounterparties: true, runMark: '0000000a' };
    await expect(runPreflight(target, client, settings)).rejects.toThrow(ConfigurationError);
    const made = exchanges.filter(({ request, response }) => request.method === 'POST' && response?.status === 201);
    expect(made.length).toBeGreaterThan(0);
    return states();
  }

  const swapped = ({ counterparties = {} }: BoundTargetInput) => ({
    counterparties: { unconnected: counterparties.suspended, suspended: counterparties.unconnected },
  });

  test('deletes its trial invoice', async () => {
    expect(await leftBy(swapped)).toEqual([]);
  });

  test('deletes it with another key if the other key created it', async () => {
    const left = await leftBy(({ actors: { seller, buyer, ...others } }) => ({
      actors: {
        ...others,
        seller: { ...buyer, organizationId: seller?.organizationId } as typeof seller,
        buyer: { ...seller, organizationId: buyer?.organizationId } as typeof buyer,
      },
    }));
    expect(left).toEqual([]);
  });

  test('cancels it with the required fields of the body if no deletion is bound', async () => {
    const left = await leftBy((target) => {
      const { delete: _, ...operations } = target.operations ?? {};
      return { ...swapped(target), operations };
    });
    expect(left).toEqual(['CANCELLED']);
  });

  test('keeps it if no removal is bound', async () => {
    expect(await leftBy((target) => ({ ...swapped(target), operations: {} }))).toEqual(['DRAFT']);
  });
});

test('an interrupted probe of the operations removes the created items', async () => {
  const { target, reference, SANDBOX, states } = await emptySandbox();
  const stopping = new AbortController();
  const served = reference.fetch;
  let made = 0;
  // If the stop arrives during a creation, the kit does not know whether the invoice was created.
  vi.spyOn(reference, 'fetch').mockImplementation(async (request, socket) => {
    const isCreation = request.method === 'POST' && request.url.endsWith('/api/v1/invoices');
    if (!isCreation || SANDBOX.subscriptions.length === 0) return served(request, socket);
    made ||= states().length;
    stopping.abort();
    return new Response(null, { status: 503 });
  });
  const checks = checksOfProfile('full');
  await expect(probeOperations(parseTarget(target), checks, stopping.signal)).rejects.toThrow(Interrupted);
  expect(made).toBeGreaterThan(1);
  expect(SANDBOX.subscriptions).toEqual([]);
  expect(states().filter((state) => state === 'DRAFT' || state === 'SUBMITTED')).toEqual([]);
});
