import { ownEnvironment } from '../helpers/api/environment-header.ts';
import { type ListQuery, list } from '../helpers/api/operations.ts';
import { isShown } from '../helpers/api/response-status.ts';
import { type Answer, bodyMember } from '../helpers/api/responses.ts';
import { expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { asPage } from '../helpers/invoices/list-page.ts';
import type { CheckId } from '../specs/generated/ids.ts';

// Late, as everything here: nothing can be told from the pages of an empty sandbox.
function outOfRange(id: CheckId, name: 'page' | 'limit', wrong: string): Check {
  return checkIn('late', id, ['seller'], async (lab) => {
    const answer = await list(lab, { [name]: wrong });
    if (name === 'limit' && wrong !== 'many') lab.observe('limit-below-one', `${wrong}: ${answer.status}`);
    // What a list then says of itself is judged on every list of the run.
    if (isShown(answer)) return;
    expectRefused(lab, answer, [400]);
  });
}

/** Queries that can be read in two ways, or in none; or that ask for more than there can be. */
function unusual(id: CheckId, ...queries: readonly string[]): Check {
  return checkIn('late', id, ['seller'], async (lab) => {
    for (const query of queries) {
      const answer = await list(lab, query);
      lab.observe('query-unusual', `${query}: ${answer.status}`);
      // What a list then says of itself is judged on every list of the run.
      if (!isShown(answer)) expectRefused(lab, answer, FAR_PAGE.test(query) ? [400, 404] : [400]);
    }
  });
}

/** Behind the last page of any list, a server may know of none. */
const FAR_PAGE = /^page=\d{9}/;
/** The last of the numbers of nine digits, and of 31, 32 and 53 bits: times the limit they are more. */
const LAST_NUMBERS = ['999999999', '2147483647', '4294967295', '9007199254740991'];

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

function expectBounded(lab: Lab, answer: Answer): void {
  const { records, limit: applied } = asPage(answer);
  const because = `limit ${applied} with ${records.length} records`;
  const kept = records.length <= 100 && applied <= 100;
  expectThat(lab, kept, answer, 'a refusal with 400, or at most 100 records', because);
}

/** Only what the answers say is recorded: which fields and directions may be named is not shown. */
const unknownSorting = [
  'sortBy=noSuchField&sortOrder=desc',
  'sortBy=createdAt&sortOrder=sideways',
  // A name that every object has.
  'sortBy=constructor&sortOrder=desc',
];

export const listsBounds: readonly Check[] = [
  aboveMaximum('LIST-05.above-maximum', { limit: 101 }),
  aboveMaximum('LIST-05.far-above-maximum', { limit: 100_000 }),
  aboveMaximum('LIST-05.round-above-maximum', ...limits(200, 250, 500, 1000)),
  aboveMaximum('LIST-05.other-forms', ...limits('1e3', '0200', '+200', 'Infinity', '-2')),
  aboveMaximum(
    'LIST-05.above-maximum-elsewhere',
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

  check('LIST-10.page-text', ['seller'], async (lab) => expectRefused(lab, await list(lab, { page: 'first' }), [400])),
  check('LIST-10.limit-text', ['seller'], async (lab) => {
    for (const limit of ['many', '5abc', '0x10', '2.5']) expectRefused(lab, await list(lab, { limit }), [400]);
  }),

  outOfRange('LIST-11.limit-zero', 'limit', '0'),
  outOfRange('LIST-11.limit-negative', 'limit', '-1'),
  outOfRange('LIST-11.page-text', 'page', 'first'),
  outOfRange('LIST-11.limit-text', 'limit', 'many'),
  outOfRange('LIST-11.page-negative', 'page', '-1'),
  unusual('LIST-11.limit-empty', 'page=0&limit='),
  unusual('LIST-11.limit-repeated', 'page=0&limit=5&limit=7', 'page=0&limit=5&limit=700', 'page=0&limit=700&limit=5'),
  unusual('LIST-11.limit-huge', 'page=0&limit=99999999999999999999'),
  unusual('LIST-11.limit-fraction', 'page=0&limit=2.5'),
  unusual('LIST-11.page-fraction', 'page=1.5&limit=10'),
  unusual('LIST-11.page-infinite', 'page=Infinity&limit=10'),
  unusual('LIST-11.page-huge', ...['99999999999999999999', ...LAST_NUMBERS].map((page) => `page=${page}&limit=100`)),
  checkIn('late', 'LIST-11.sorting', ['seller'], async (lab) => {
    for (const query of unknownSorting) {
      const answer = await list(lab, query);
      lab.observe('query-unusual', `${query}: ${answer.status}`);
      if (!isShown(answer)) expectRefused(lab, answer, [400]);
    }
  }),
];
