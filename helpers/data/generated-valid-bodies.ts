import fc from 'fast-check';
import type { CheckContext } from '../context/check.ts';
import { runMark } from '../context/invoice-history.ts';
import { type InvoiceBody, validBody } from './invoice-body.ts';

const BODY_COUNT = 8;

/** With the mark, this stays below the shortest common column for a description. */
const MAX_GRAPHEMES = 10;

/** Free text as people write it in any script, including characters that a faulty parser or column changes. */
const freeText = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: MAX_GRAPHEMES }),
    fc.lorem({ maxCount: 1 }),
    fc.constantFrom('null', 'undefined', 'true', '0', '-', '=1+1', "'; --", '{{text}}', '${text}', '%s %d', '\\u0041'),
  )
  // Other checks cover control characters, and a server may trim outer spaces.
  .filter((drawn) => drawn.trim() === drawn && !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u.test(drawn));

/**
 * Bodies that every server must accept, generated from the run's seed. Each differs from the others in every free
 * field.
 */
export function generateValidBodies(ctx: CheckContext): InvoiceBody[] {
  const drawn = fc.sample(fc.record({ text: freeText, suffix: fc.stringMatching(/^[A-Za-z0-9]{1,12}$/) }), {
    seed: ctx.run.plan.seed,
    numRuns: BODY_COUNT,
  });
  return drawn.map(({ text: description, suffix }) => ({
    ...validBody(ctx),
    description: `${description} (${runMark(ctx)})`,
    requestId: `${ctx.createRequestId()}-${suffix}`,
  }));
}
