import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import type { ListQuery } from '../../helpers/api/operations.ts';
import { list } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { bodyMember, describeResponse, isShown } from '../../helpers/api/responses.ts';
import { expectRefused, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { asPage, pageOf } from '../../helpers/invoices/list-page.ts';
import { SORT_ORDERS } from '../../helpers/lists/sort-orders.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const limits = (...values: readonly (number | string)[]) => values.map((limit) => ({ limit }));

type Unbounded = ListQuery & { limit: number | string; named?: true };

function aboveMaximum(id: CheckId, ...queries: readonly Unbounded[]): Check {
  // Late: a page of more than 100 can only be seen where there are more than 100 invoices.
  return checkIn('late', id, ['seller'], async (lab) => {
    for (const { named, ...query } of queries) {
      const answer = await list(lab, { page: 0, ...query }, named ? { headers: ownEnvironment } : {});
      lab.observe(
        'limit-above-maximum',
        `${answer.status} with limit ${JSON.stringify(bodyMember(answer, 'limit') ?? null)}`,
      );
      if (isShown(answer)) expectBounded(lab, answer);
      else expectRefused(lab, answer, [400]);
    }
  });
}

function expectBounded(lab: Lab, answer: ApiResponse): void {
  const { records, limit: applied } = asPage(answer);
  const because = `limit ${applied} with ${records.length} records`;
  const kept = records.length <= 100 && applied <= 100;
  expectThat(lab, kept, answer, 'a refusal with 400, or at most 100 records', because);
}

/** Others may delete invoices between the count and the page. */
const SLACK = 5;

export const listsLimitChecks: readonly Check[] = [
  aboveMaximum('LIST-05.above-maximum', { limit: 101 }),

  aboveMaximum('LIST-05.far-above-maximum', { limit: 100_000 }),

  aboveMaximum('LIST-05.round-numbers-above-maximum', ...limits(200, 250, 500, 1000)),

  aboveMaximum('LIST-05.number-forms', ...limits('1e3', '0200', '+200', 'Infinity', '-2')),

  aboveMaximum(
    'LIST-05.above-maximum-other-queries',
    { limit: 150, page: 1 },
    { limit: 150, sortBy: 'createdAt', sortOrder: 'desc' },
    { limit: 150, sortBy: 'createdAt', sortOrder: 'asc' },
    { limit: 150, sortBy: 'amount' },
    { limit: 150, named: true },
  ),

  checkIn('late', 'LIST-05.every-key', ['seller'], async (lab) => {
    const names = lab.known('buyer', 'readOnly', 'outsider', 'production');
    const answers = await Promise.all(names.map((name) => list(lab, { page: 0, limit: 101 }, { as: lab.who(name) })));
    // Which key may list is not shown.
    const served = answers.filter(isShown);
    for (const answer of served) expectBounded(lab, answer);
    if (!answers.some((answer) => isShown(answer) || answer.status === 400)) notApplicable('no other key may list');
  }),

  // Late, where there are so many invoices that a page could hold them.
  checkIn('late', 'LIST-05.applied', ['seller'], async (lab) => {
    lab.observe('default-limit', (await pageOf(lab, {})).limit);
    for (const limit of [1, 2, 5, 50, 99, 100]) {
      const { answer, total, limit: applied, records } = await pageOf(lab, { page: 0, limit });
      expectThat(lab, applied === limit, answer, `limit ${limit}`, `the envelope says ${applied}`);
      const full = total < limit + SLACK || records.length === limit;
      expectThat(lab, full, answer, `${limit} records of ${total}`, `there are ${records.length}`);
    }
    // Nor is a later page shorter for what its order has in common with the page before.
    await Promise.all(
      SORT_ORDERS.map(async ([sortBy, sortOrder]) => {
        const limit = 7;
        const answer = await list(lab, { page: 1, limit, sortBy, sortOrder });
        // By which fields a list may be sorted is judged elsewhere.
        if (!isShown(answer)) return;
        const { total, page, records } = asPage(answer);
        const full = page !== 1 || total < 2 * limit + SLACK || records.length === limit;
        expectThat(lab, full, answer, `${limit} records on page 1 of ${total}`, `there are ${records.length}`);
      }),
    );
  }),

  check('LIST-05.maximum', ['seller'], async (lab) => {
    const answer = await list(lab, { page: 0, limit: 100 });
    expectThat(lab, isShown(answer), answer, 'a page of up to 100', `answered with ${describeResponse(answer)}`);
    expectThat(lab, asPage(answer).limit === 100, answer, 'limit 100', `the envelope says ${asPage(answer).limit}`);
  }),

  check('LIST-05.limit-without-page', ['seller'], async (lab) => {
    const { answer, limit, records } = await pageOf(lab, { limit: 3 });
    const because = `limit ${limit} with ${records.length} records`;
    expectThat(lab, limit === 3 && records.length <= 3, answer, 'at most 3 records, and limit 3', because);
  }),

  // Late, where there are more invoices than a page may hold; the envelope is judged on every list of the run.
  checkIn('late', 'LIST-05.default', ['seller'], async (lab) => {
    const answer = await list(lab);
    expectThat(lab, isShown(answer), answer, 'a list', `answered with ${answer.status}`);
    const { records, limit, page, total } = asPage(answer);
    const because = `limit ${limit} with ${records.length} records`;
    expectThat(lab, records.length <= 100 && limit <= 100, answer, 'at most 100 records', because);
    const full = page !== 0 || total < limit + SLACK || records.length === limit;
    expectThat(lab, full, answer, `the ${limit} records of ${total} that the envelope speaks of`, because);
  }),
];
