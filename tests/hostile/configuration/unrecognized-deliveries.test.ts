import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules } from '../../../reference/overrides/override-rules.ts';
import type { ServiceEvent } from '../../../reference/service/inputs.ts';
import { startReference } from '../../../reference/service/start.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const CHECKS = ['HOOK-04.settlement', 'HOOK-05.third-organization', 'HOOK-07', 'HOOK-09'];

async function run(render: (event: ServiceEvent) => unknown) {
  const service = await startReference({ rules: overrideRules(() => ({ renderEvent: (_, event) => render(event) })) });
  onTestFinished(() => service.close());
  const found = await judged({ ...service.target, allow: {} }, { only: CHECKS });
  const reasons = found.report?.checks.flatMap(({ verdict, reason }) => (verdict === 'not-applicable' ? reason : []));
  return { found, reasons: reasons ?? [] };
}

test('a delivery without the invoice is shown, and what it lacks, in place of "no notification"', async () => {
  const { found, reasons } = await run(({ id }) => ({ id, token: 'x'.repeat(200) }));
  expect([found.exitCode, having(found, 'fail'), having(found, 'pass')], found.said).toEqual([
    0,
    [],
    ['HOOK-04.settlement'],
  ]);
  expect(reasons).toHaveLength(5);
  for (const reason of reasons)
    expect(reason).toMatch(
      /^(a delivery|\d+ deliveries) arrived, but the kit cannot tell for which payment: (it does|they do) not name the settled invoice, by its id or by its number and amount \(application\/json: \{"id":".*… \(\d+ characters\)\)$/,
    );
});

test('a delivery that names the invoice and no event says so', async () => {
  const { found, reasons } = await run(({ invoice }) => ({ invoice: invoice.id }));
  expect([found.exitCode, having(found, 'fail')], found.said).toEqual([0, []]);
  expect(reasons).toContainEqual(
    expect.stringMatching(
      /arrived, .*: one names the settled invoice, but not PAYMENT_COMPLETED \(application\/json: /,
    ),
  );
});

/** In milliseconds, longer than the kit waits for a delivery. */
const DELIVERY_DELAY_MS = 9000;

test('a delivery after the limit is not taken for one to the buyer only, and the warning names the limit', async () => {
  const rules = overrideRules((base) => ({
    deliver: (service, subscription, event) =>
      service.background.schedule(DELIVERY_DELAY_MS, () => base.deliver(service, subscription, event)),
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const found = await judged({ ...service.target, allow: {} }, { only: ['HOOK-04.settlement'] });
  expect(found.report?.checks.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    [
      'warn',
      expect.stringMatching(
        /^no delivery arrived within \d+ ms; if deliveries may take longer, increase limits\.settleWithinMs/,
      ),
    ],
  ]);
});

/** In milliseconds, so late that deliveries about other settlements arrive much earlier. */
const BUSY_QUEUE_MS = 2500;

test('a delivery about another settlement does not end the wait for the expected one', async () => {
  const rules = overrideRules((base) => ({
    deliver: (service, subscription, event) => {
      const other = { ...event, invoice: { ...event.invoice, id: randomUUID(), invoiceNumber: 'INV-OTHER' } };
      base.deliver(service, subscription, other);
      service.background.schedule(BUSY_QUEUE_MS, () => base.deliver(service, subscription, event));
    },
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const found = await judged({ ...service.target, allow: {} }, { only: ['HOOK-05.third-organization'] });
  expect(having(found, 'pass'), found.said).toEqual(['HOOK-05.third-organization']);
});
