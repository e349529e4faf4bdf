import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { Interrupted } from '../../../engine/model/outcomes.ts';
import { blockUnlessNeedsMet } from '../../../engine/target/capabilities.ts';
import { paymentDayRanges } from '../../../helpers/data/due-dates.ts';
import {
  acceptedRangesOf,
  candidateRanges,
  type InvoiceBody,
  lateDueDate,
  validBody,
} from '../../../helpers/data/invoice-body.ts';
import { calibrateRanges } from '../../../helpers/invoices/range-calibration.ts';
import { labOf, type Reply, scripted } from '../support/contexts.ts';

const DAY_MS = 86_400_000;
const daysTo = ({ dueDate }: InvoiceBody) => (Date.parse(dueDate) - Date.now()) / DAY_MS;

/** A server that rejects a creation with this response unless it accepts the body. */
function creating(accepts: (body: InvoiceBody) => boolean, refusal: Reply = { status: 400, json: { code: 'INV002' } }) {
  const created = (body: InvoiceBody) => ({ status: 201, json: { id: 'one', status: 'DRAFT', ...body } });
  const { ctx, asks } = scripted(({ operation, body }: ApiRequest) => {
    if (operation !== 'create') return { status: 200, json: { items: [] } };
    return accepts(body as InvoiceBody) ? created(body as InvoiceBody) : refusal;
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return { ctx, creations: () => asks.filter(({ operation }) => operation === 'create').length };
}

describe('the first invoice of a run', () => {
  test('uses the usual terms if they are accepted, and is created once', async () => {
    const { ctx, creations } = creating(() => true);
    await Promise.all([calibrateRanges(ctx), calibrateRanges(ctx)]);
    expect(creations()).toBe(2);
    expect(acceptedRangesOf(ctx.run)).toBe(candidateRanges[0]);
  });

  test('shows the smallest accepted amount', async () => {
    const { ctx } = creating(({ amount }) => Number(amount) <= 50);
    await calibrateRanges(ctx);
    for (let at = 0; at < 100; at += 1) expect(Number(validBody(ctx).amount)).toBeLessThanOrEqual(8);
  });

  test('shows the smallest required amount', async () => {
    const { ctx } = creating(({ amount }) => Number(amount) >= 100);
    await calibrateRanges(ctx);
    for (let at = 0; at < 100; at += 1) expect(Number(validBody(ctx).amount)).toBeGreaterThanOrEqual(100);
    expect(daysTo(validBody(ctx))).toBeLessThanOrEqual(30);
  });

  test('shows the required due date', async () => {
    const { ctx } = creating((body) => daysTo(body) > 44);
    await calibrateRanges(ctx);
    for (let at = 0; at < 100; at += 1) expect(daysTo(validBody(ctx))).toBeGreaterThan(44);
    expect(Number(validBody(ctx).amount)).toBeLessThan(80);
  });

  test('is given up if no terms are accepted, and the checks use the usual terms', async () => {
    const { ctx, creations } = creating(() => false);
    await calibrateRanges(ctx);
    expect(creations()).toBe(candidateRanges.length + paymentDayRanges.length);
    expect(acceptedRangesOf(ctx.run)).toBe(candidateRanges[0]);
    expect(ctx.run.disabledReasons.size).toBe(0);
  });

  test.each<[string, (body: InvoiceBody) => boolean]>([
    ['the first or the middle of a month', ({ dueDate }) => /-(01|15)$/.test(dueDate)],
    ['the last day of a month', ({ dueDate }) => new Date(Date.parse(dueDate) + DAY_MS).getUTCDate() === 1],
    ['a day of the week', ({ dueDate }) => new Date(dueDate).getUTCDay() === 4],
  ])('shows which due dates are accepted, and all later ones are such days: %s', async (_, accepts) => {
    const { ctx } = creating(accepts);
    await calibrateRanges(ctx);
    const bodies = Array.from({ length: 100 }, () => validBody(ctx));
    expect(bodies.filter((body) => !accepts(body))).toEqual([]);
    expect(new Set(bodies.map(({ dueDate }) => dueDate)).size).toBeGreaterThan(1);
    const late = [1, 2, 3].map((nth) => lateDueDate(ctx.run, 340, nth));
    expect(late.filter((dueDate) => !accepts({ ...validBody(ctx), dueDate }))).toEqual([]);
    expect(late).toEqual([...new Set(late)].sort());
    expect(ctx.run.disabledReasons.size).toBe(0);
  });

  test('shows a rule that the contract does not have, and creations are then not judged', async () => {
    const { ctx } = creating(({ amount }) => Math.round(Number(amount) * 100) % 5 === 0);
    await calibrateRanges(ctx);
    expect(() => blockUnlessNeedsMet(['seller', 'connection'], ctx.run)).toThrow(
      expect.objectContaining({
        blockedBy: 'target',
        message: expect.stringContaining('it accepts an invoice of 100.00 due '),
      }),
    );
  });

  test.each([401, 403, 404, 500])('is not retried after a %i, which does not concern amounts', async (status) => {
    const { ctx, creations } = creating(() => false, { status });
    await calibrateRanges(ctx);
    expect(creations()).toBe(1);
  });

  test('is not searched for if the run ends, and causes no error', async () => {
    const { ctx, asks } = scripted(({ operation }: ApiRequest) => {
      if (operation === 'create') return { status: 201 };
      if (asks.length === 1) return { status: 200, json: { items: [] } };
      throw new Interrupted('the run was interrupted');
    });
    Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    await calibrateRanges(ctx);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('leaves it to the checks to report that creation fails', async () => {
    const ctx = labOf({ organizations: {} });
    await expect(calibrateRanges(ctx)).resolves.toBeUndefined();
  });
});
