import fc from 'fast-check';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Breach } from '../../engine/model/outcomes.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, check } from '../context/check.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { type BodyDefect, type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { optionalFields } from '../fixtures/created-invoice.ts';
import { expectNothingCreatedBy, trackForCleanUp } from './rejected-creation.ts';

const SAMPLES_PER_FAMILY = 10;

const MAX_SHRINKING_MS = 15_000;

/** A family that tries exactly these values. */
export function enumeratedValues<T>(all: readonly T[]): Pick<InvalidBodyFamily<T>, 'draws' | 'all'> {
  return { draws: fc.constantFrom(...all), all };
}

/** Bodies that are valid except for one generated defect. */
export interface InvalidBodyFamily<T> {
  draws: fc.Arbitrary<T>;
  /** All values, if every one is tried instead of a sample. */
  all?: readonly T[];
  addDefect: (valid: InvoiceBody, drawn: T) => unknown;
  /** The declared field that carries the defect. */
  defect?: BodyDefect;
  /** The error code, if the contract gives one. */
  code?: string;
  /** The allowed rejection statuses; 400 by default. */
  statuses?: readonly number[];
}

/**
 * The server rejects every generated body and creates no invoice. Throws a Breach for the smallest failing body; the same seed
 * generates the same bodies.
 */
export async function expectFamilyRejected<T>(ctx: CheckContext, family: InvalidBodyFamily<T>): Promise<void> {
  await runCreationControl(ctx);
  await expectNothingCreatedBy(ctx, family.defect ?? null, () => expectSamplesRejected(ctx, family));
}

async function expectSamplesRejected<T>(
  ctx: CheckContext,
  { draws, all, addDefect, code, statuses = [400] }: InvalidBodyFamily<T>,
): Promise<{ rejections: ApiResponse[]; bodies: InvoiceBody[] }> {
  const { seed } = ctx.run.plan;
  // Every second body has all optional fields, because a server may validate only one of the two paths.
  let drawn = 0;
  const send = async (draw: T) => {
    drawn += 1;
    const valid = validBody(ctx);
    const whole = drawn % 2 === 0 ? { ...valid, ...(await optionalFields(ctx)) } : valid;
    const response = await postInvoice(ctx, addDefect(whole, draw));
    if (isSuccess(response)) await trackForCleanUp(ctx, valid, response);
    return { drawn: draw, valid, response };
  };
  const sent = await Promise.all((all ?? fc.sample(draws, { seed, numRuns: SAMPLES_PER_FAMILY })).map(send));
  const wrong = sent.find(({ response }) => rejectionBreach(ctx, response, statuses, code) !== null);
  if (!wrong) return { rejections: sent.map(({ response }) => response), bodies: sent.map(({ valid }) => valid) };
  let smallest = rejectionBreach(ctx, wrong.response, statuses, code);
  await fc.check(
    fc.asyncProperty(draws, async (draw) => {
      const found = rejectionBreach(ctx, (await send(draw)).response, statuses, code);
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
