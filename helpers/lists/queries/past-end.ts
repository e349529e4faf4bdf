import { expectThat } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check.ts';
import type { ListPage } from '../../invoices/list-page.ts';

/** Expects no records past the end of the list, or those of an earlier page that the envelope names. */
export function expectPastEnd(
  ctx: CheckContext,
  { response, records, page: served, limit, total: shown }: ListPage,
  requested: number,
): void {
  const isEmpty = records.length === 0;
  const because = `the envelope says page ${served} and total ${shown}, and the page has ${records.length} records`;
  // An earlier page that is served must exist.
  const isEarlier = served < requested && served * limit < shown;
  expectThat(ctx, isEmpty || isEarlier, response, `no records on page ${requested}`, because, {
    body: `(.items | length) == 0 or .page < ${requested}`,
    fields: [{ path: ['items'] }],
  });
  const other = isEmpty && served !== requested && served * limit < shown;
  const empty = `the envelope says page ${served} and total ${shown}, but the page has no records`;
  expectThat(ctx, !other, response, `page ${requested} in the envelope, or the records of page ${served}`, empty);
}
