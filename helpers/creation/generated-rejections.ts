import fc from 'fast-check';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Breach } from '../../engine/model/outcomes.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { postInvoice } from '../api/operations.ts';
import { expectRejected } from '../assert/expect.ts';
import type { Check } from '../context/check.ts';
import { check } from '../context/check.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { validBody } from '../data/invoice-body.ts';
import { optionalFields } from '../fixtures/created-invoice.ts';
import type { BodyDefect } from '../invoices/find-invoice.ts';
import { expectNothingCreatedBy } from './rejected-creation.ts';

const SAMPLES_PER_FAMILY = 10;

const MAX_SHRINKING_MS = 15_000;

/** Each of these, and nothing else. */
export function enumeratedValues<T>(all: readonly T[]): Pick<InvalidBodyFamily<T>, 'draws' | 'all'> {
  return { draws: fc.constantFrom(...all), all };
}

/** A family of bodies that are valid but for one drawn defect. */
export interface InvalidBodyFamily<T> {
  draws: fc.Arbitrary<T>;
  /** Where each one of a few is to be tried, and not a sample. */
  all?: readonly T[];
  spoil: (valid: InvoiceBody, drawn: T) => unknown;
  /** The declared field that carries the defect. */
  defect?: BodyDefect;
  /** Where the contract gives one. */
  code?: string;
  /** With what it may be refused; 400 where nothing else is said. */
  statuses?: readonly number[];
}

/**
 * Every drawn body is refused and nothing comes of it. One that is not is shrunk to the smallest that still is not.
 * The same seed draws the same bodies.
 */
export async function expectFamilyRejected<T>(ctx: CheckContext, family: InvalidBodyFamily<T>): Promise<void> {
  await runCreationControl(ctx);
  await expectNothingCreatedBy(ctx, family.defect ?? null, () => expectSamplesRejected(ctx, family));
}

async function expectSamplesRejected<T>(
  ctx: CheckContext,
  { draws, all, spoil, code, statuses = [400] }: InvalidBodyFamily<T>,
): Promise<{ refusals: ApiResponse[]; bodies: InvoiceBody[] }> {
  const { seed } = ctx.run.plan;
  // Every other body has all the fields that may be left out: what is checked on one path only is a hole on the other.
  let drawn = 0;
  const send = async (draw: T) => {
    drawn += 1;
    const valid = validBody(ctx);
    const whole = drawn % 2 === 0 ? { ...valid, ...(await optionalFields(ctx)) } : valid;
    return { drawn: draw, valid, answer: await postInvoice(ctx, spoil(whole, draw)) };
  };
  const sent = await Promise.all((all ?? fc.sample(draws, { seed, numRuns: SAMPLES_PER_FAMILY })).map(send));
  const wrong = sent.find(({ answer: response }) => rejectionBreach(ctx, response, statuses, code) !== null);
  if (!wrong) return { refusals: sent.map(({ answer: response }) => response), bodies: sent.map(({ valid }) => valid) };
  let smallest = rejectionBreach(ctx, wrong.answer, statuses, code);
  await fc.check(
    fc.asyncProperty(draws, async (draw) => {
      const found = rejectionBreach(ctx, (await send(draw)).answer, statuses, code);
      smallest = found ?? smallest;
      return found === null;
    }),
    { examples: [[wrong.drawn]], numRuns: 1, seed, interruptAfterTimeLimit: MAX_SHRINKING_MS },
  );
  throw smallest;
}

function rejectionBreach(
  ctx: CheckContext,
  response: ApiResponse,
  statuses: readonly number[],
  code: string | undefined,
): Breach | null {
  try {
    expectRejected(ctx, response, statuses, code);
    return null;
  } catch (error) {
    if (error instanceof Breach) return error;
    throw error;
  }
}

export function generatedRejectionCheck<T>(id: CheckId, family: InvalidBodyFamily<T>): Check {
  return check(id, ['connection'], (ctx) => expectFamilyRejected(ctx, family));
}
